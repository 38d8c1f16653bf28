import { column, type Decoded, rowCodec, type Session } from '../db';
import type { Instant } from '../kernel';

const CLEARING = 'gateway_clearing:';

const UNPAID = rowCodec({
  account: column.text('account'),
  /** 0 for the youngest. */
  band: column.number('band'),
  count: column.number('items'),
  amount: column.total('total'),
});
const CHANNEL_TOTAL = rowCodec({ channel: column.text('channel'), total: column.total('total') });

/** Items that no payout recorded before an instant has paid. In millimes; refunds are negative. */
export interface UnpaidItems extends Omit<Decoded<typeof UNPAID>, 'account'> {
  readonly channel: string;
}

/**
 * Returns the items that were recorded before `end` and not paid by then, by channel and age band. `bandStarts` are the
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

async function totalsByChannel(query: PromiseLike<unknown>): Promise<Map<string, bigint>> {
  return new Map((await CHANNEL_TOTAL.all(query)).map(({ channel, total }) => [channel, total]));
}

const NOT_TAKEN_BACK =
  'not exists (select 1 from ledger_transactions r where r.reverses_id = w.id and r.recorded_at < ?)';

/** Selects items paid before an instant, bound twice: their payout was recorded, and not reversed, before it. */
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
