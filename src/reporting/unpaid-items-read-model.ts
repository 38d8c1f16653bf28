import { column, type Decoded, rowCodec, type Session } from '../db';
import type { Instant } from '../kernel';
import { IS_HELD_TWICE, isInForce } from './ledger-date';

const CLEARING = 'gateway_clearing:';

const UNPAID = rowCodec({
  account: column.text('account'),
  /** 0 for the youngest. */
  band: column.number('band'),
  count: column.number('items'),
  amount: column.total('total'),
});
const CHANNEL_TOTAL = rowCodec({ channel: column.text('channel'), total: column.total('total') });

/** Items that no payout in force at an instant has paid. In millimes; refunds are negative. */
export interface UnpaidItems extends Omit<Decoded<typeof UNPAID>, 'account'> {
  readonly channel: string;
}

/**
 * Returns the items before `end` that were not paid by then, by channel and age band. `bandStarts` are the
 * first instants of the bands, youngest first; older items form the last band. Without `bandStarts` all items form one
 * band.
 */
export async function unpaidItems(
  session: Session,
  end: Instant,
  bandStarts: readonly Instant[],
): Promise<UnpaidItems[]> {
  const found = await UNPAID.all(session.raw(unpaidSql(bandStarts.length), [...bandStarts, end, end, end]));
  return found.map(({ account, ...items }) => ({ channel: account.slice(CLEARING.length), ...items }));
}

/** Returns the posted fees and TVA of unpaid items, by channel. In millimes. */
export function feesOfUnpaidItems(session: Session, end: Instant): Promise<Map<string, bigint>> {
  return totalsByChannel(session.raw(FEES_OF_UNPAID, [end, end, end]));
}

/** Returns the remainders of forced matches, by channel: positive if the payout was less than its items. */
export function forcedRemainders(session: Session, end: Instant): Promise<Map<string, bigint>> {
  return totalsByChannel(session.raw(FORCED, [end, end]));
}

/**
 * Returns the items that a payout paid before their own day or before the bank returned their first payout, by channel;
 * people may match such a credit.
 */
export function itemsPaidAhead(session: Session, end: Instant): Promise<Map<string, bigint>> {
  return totalsByChannel(session.raw(PAID_AHEAD, [end, end, end, end, end]));
}

/** Returns the fees and TVA that such a payout deducted, or any payout before their own day, by channel. */
export function feesPaidAhead(session: Session, end: Instant): Promise<Map<string, bigint>> {
  return totalsByChannel(session.raw(FEES_AHEAD, [end, end, end, end, end]));
}

async function totalsByChannel(query: PromiseLike<unknown>): Promise<Map<string, bigint>> {
  return new Map((await CHANNEL_TOTAL.all(query)).map(({ channel, total }) => [channel, total]));
}

/** Selects items paid before an instant, bound twice. */
function isPaidBefore(item: string): string {
  return `exists (select 1 from payout_match_items i
                  join payout_matches m on m.id = i.match_id
                  join ledger_transactions w on w.id = m.ledger_transaction_id
                  where i.item_id = ${item} and ${isInForce('m', 'w')})`;
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
          where t.occurred_at < ? and t.code in ('agent_payment', 'payment', 'refund')
            and not ${isPaidBefore('t.reference')}) x
    group by x.account, x.band
    order by x.account, x.band`;
}

const FEES_OF_UNPAID = `
  select f.channel, cast(sum(f.fee_millimes + f.tva_millimes) as char) as total
   from gateway_item_fees f join ledger_transactions t on t.id = f.ledger_transaction_id
   where t.occurred_at < ? and not ${isPaidBefore('f.item_id')}
   group by f.channel`;

const FORCED = `
  select m.rest_channel as channel, cast(sum(-m.remainder_millimes) as char) as total
   from payout_matches m join ledger_transactions w on w.id = m.ledger_transaction_id
   where m.remainder_millimes <> 0 and ${isInForce('m', 'w')}
   group by m.rest_channel`;

const PAID_AHEAD = `
  select i.channel, cast(sum(-i.amount_millimes) as char) as total
   from payout_matches m
   join ledger_transactions w on w.id = m.ledger_transaction_id
   join payout_match_items i on i.match_id = m.id
   join ledger_transactions t on t.reference = i.item_id
   where ${isInForce('m', 'w')} and (t.occurred_at >= ? or ${IS_HELD_TWICE})
   group by i.channel`;

// A fee that was recorded after the match is none that the payout deducted.
const FEES_AHEAD = `
  select f.channel, cast(sum(f.fee_millimes + f.tva_millimes) as char) as total
   from gateway_item_fees f
   join ledger_transactions t on t.id = f.ledger_transaction_id
   join payout_match_items i on i.item_id = f.item_id
   join payout_matches m on m.id = i.match_id and m.recorded_at >= f.recorded_at
   join ledger_transactions w on w.id = m.ledger_transaction_id
   where i.fee_millimes + i.tva_millimes <> 0
     and ${isInForce('m', 'w')} and (t.occurred_at >= ? or ${IS_HELD_TWICE})
   group by f.channel`;
