import type { Session } from '../db';
import { toTotal, type Instant } from '../kernel';

const CLEARING = 'gateway_clearing:';

/** Items that no payout recorded before an instant has paid. In millimes; refunds are negative. */
export interface UnpaidItems {
  readonly channel: string;
  /** 0 for the youngest. */
  readonly band: number;
  readonly count: number;
  readonly amount: bigint;
}

/**
 * The items recorded before `end` and not paid by then, by channel and band of age. `bandStarts` are the first instants
 * of the bands, the youngest first: what is older than all of them is the last band. Without any there is one band.
 */
export async function unpaidItems(
  session: Session,
  end: Instant,
  bandStarts: readonly Instant[],
): Promise<UnpaidItems[]> {
  const rows = await session.raw(unpaidSql(bandStarts.length), [...bandStarts, end, end, end]);
  return rows.map((row) => ({
    channel: String(row['account']).slice(CLEARING.length),
    band: Number(row['band']),
    count: Number(row['items']),
    amount: toTotal(row['total']),
  }));
}

/** Fee and TVA that are posted already of items that are not paid, by channel. In millimes. */
export async function feesOfUnpaidItems(session: Session, end: Instant): Promise<Map<string, bigint>> {
  const rows = await session.raw(FEES_OF_UNPAID, [end, end, end]);
  return new Map(rows.map((row) => [String(row['channel']), toTotal(row['total'])]));
}

/** What forced matches leave of their channel: positive when the payout was less than its items. */
export async function forcedRemainders(session: Session, end: Instant): Promise<Map<string, bigint>> {
  const rows = await session.raw(FORCED, [end, end]);
  return new Map(rows.map((row) => [String(row['channel']), toTotal(row['total'])]));
}

const NOT_TAKEN_BACK =
  'not exists (select 1 from ledger_transactions r where r.reverses_id = w.id and r.recorded_at < ?)';

/** As of an instant, bound twice: its payout was recorded before it, and not taken back before it. */
function isPaidBefore(item: string): string {
  return `exists (select 1 from payout_match_items i
                  join payout_matches m on m.id = i.match_id
                  join ledger_transactions w on w.id = m.ledger_transaction_id
                  where i.item_id = ${item} and w.recorded_at < ? and ${NOT_TAKEN_BACK})`;
}

function unpaidSql(bandCount: number): string {
  const bands = Array.from({ length: bandCount }, (_, index) => `when t.occurred_at >= ? then ${index}`).join(' ');
  const band = bandCount === 0 ? '0' : `case ${bands} else ${bandCount} end`;
  return `
    select x.account, x.band, count(*) as items, cast(sum(x.amount) as char) as total
    from (select case when p.debit_account like 'gateway_clearing:%' then p.debit_account
                      else p.credit_account end as account,
                 case when p.debit_account like 'gateway_clearing:%' then p.amount_millimes
                      else -p.amount_millimes end as amount,
                 ${band} as band
          from ledger_transactions t
          join postings p on p.transaction_id = t.id and p.position = 1
          where t.recorded_at < ? and t.code in ('agent_payment', 'payment', 'refund')
            and not ${isPaidBefore('t.reference')}) x
    group by x.account, x.band
    order by x.account, x.band`;
}

const FEES_OF_UNPAID = `
  select f.channel, cast(sum(f.fee_millimes + f.tva_millimes) as char) as total
   from gateway_item_fees f join ledger_transactions t on t.id = f.ledger_transaction_id
   where t.recorded_at < ? and not ${isPaidBefore('f.item_id')}
   group by f.channel`;

const FORCED = `
  select m.rest_channel as channel, cast(sum(-m.remainder_millimes) as char) as total
   from payout_matches m join ledger_transactions w on w.id = m.ledger_transaction_id
   where m.remainder_millimes <> 0 and w.recorded_at < ? and ${NOT_TAKEN_BACK}
   group by m.rest_channel`;
