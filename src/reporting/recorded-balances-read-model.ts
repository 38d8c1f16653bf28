import { column, rowCodec, type Session } from '../db';
import type { Instant } from '../kernel';
import { DATED_TRANSACTIONS, datedIn } from './ledger-date';

/**
 * The balance of a channel at the end of a day by the clock of seals, and what reconciles it with the balance by ledger
 * date: `recorded` + `recordedLater` - `datedLater`. In millimes.
 */
export interface RecordedBalance {
  /** Of the rows that were recorded by the end of the day. */
  readonly recorded: bigint;
  /** Of the rows that were recorded later and belong to the day or an earlier one. */
  readonly recordedLater: bigint;
  /** Of the rows in `recorded` that belong to a later day, or to none: a payout that a person unmatched. */
  readonly datedLater: bigint;
}

interface SealedChannel {
  readonly channel: string;
  readonly closingMillimes: number | string;
}

const CLEARING = 'gateway_clearing:';
const NOTHING: RecordedBalance = { recorded: 0n, recordedLater: 0n, datedLater: 0n };

const BALANCE = rowCodec({
  account: column.text('account'),
  recorded: column.total('recorded'),
  recordedLater: column.total('recorded_later'),
  onTime: column.total('on_time'),
});
const SEAL = rowCodec({
  content: column.json(
    'content',
    (value) => value as { readonly proof?: { readonly channels: readonly SealedChannel[] } },
  ),
});

/** Returns the balances at an instant, by channel. */
export async function recordedBalances(session: Session, end: Instant): Promise<Map<string, RecordedBalance>> {
  const dated = [end, end, ...datedIn({ start: 0, end })];
  const balances = await BALANCE.all(session.raw(BALANCES, [end, end, ...dated, ...dated]));
  return new Map(
    balances.map(({ account, recorded, recordedLater, onTime }) => [
      account.slice(CLEARING.length),
      { recorded, recordedLater, datedLater: recorded - onTime },
    ]),
  );
}

/** Returns the balances that the seal of a day states, with what reconciles them, by channel. */
export async function sealedBalances(
  session: Session,
  { seal, end }: { readonly seal: number; readonly end: Instant },
): Promise<Map<string, RecordedBalance>> {
  const found = await SEAL.first(session('day_seals as s').select('s.content').where('s.number', seal));
  const channels = found?.content.proof?.channels ?? [];
  const sealed = new Map(channels.map(({ channel, closingMillimes }) => [channel, BigInt(closingMillimes)]));
  const recorded = await recordedBalances(session, end);
  return new Map(
    [...new Set([...sealed.keys(), ...recorded.keys()])].map((channel) => [
      channel,
      { ...(recorded.get(channel) ?? NOTHING), recorded: sealed.get(channel) ?? 0n },
    ]),
  );
}

function recordedOn(side: string, amount: string): string {
  return `select p.${side} as account, ${amount} as recorded, 0 as recorded_later, 0 as on_time
          from ledger_transactions t join postings p on p.transaction_id = t.id
          where t.recorded_at < ? and p.${side} like 'gateway_clearing:%'`;
}

function datedOn(side: string, amount: string): string {
  return `select p.${side}, 0, case when t.recorded_at >= ? then ${amount} else 0 end,
                 case when t.recorded_at < ? then ${amount} else 0 end
          from ${DATED_TRANSACTIONS} t join postings p on p.transaction_id = t.id
          where p.${side} like 'gateway_clearing:%'`;
}

const BALANCES = `
  select x.account, cast(sum(x.recorded) as char) as recorded, cast(sum(x.recorded_later) as char) as recorded_later,
         cast(sum(x.on_time) as char) as on_time
  from (${recordedOn('debit_account', 'p.amount_millimes')}
        union all ${recordedOn('credit_account', '-p.amount_millimes')}
        union all ${datedOn('debit_account', 'p.amount_millimes')}
        union all ${datedOn('credit_account', '-p.amount_millimes')}) x
  group by x.account`;
