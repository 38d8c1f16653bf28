import { column, rowCodec, type Session } from '../db';
import { type MovementKind, type Movements, NO_MOVEMENTS } from './clearing-movements-read-model';
import { DATED_TRANSACTIONS, datedIn, type Window } from './ledger-date';

const CONFIRM_TOTAL = rowCodec({ confirms: column.number('confirms'), total: column.total('total') });
const ITEM_TOTALS = rowCodec({
  channel: column.text('channel'),
  payments: column.number('payments'),
  paid: column.total('paid'),
  refunds: column.number('refunds'),
  back: column.total('back'),
});
const FEE_TOTALS = rowCodec({
  channel: column.text('channel'),
  fees: column.total('fees'),
  tva: column.total('tva'),
});
const NET = rowCodec({ channel: column.text('channel'), net: column.total('net') });
const REST = rowCodec({
  channel: column.text('channel'),
  remainder: column.total('remainder'),
  fee: column.total('fee'),
  tva: column.total('tva'),
});

/** The movements of the channels from the posted rows, not from the postings, so that each proves the other. */
export interface ClearingSources {
  readonly movements: ReadonlyMap<string, Movements>;
  readonly payments: ReadonlyMap<string, number>;
  readonly refunds: ReadonlyMap<string, number>;
}

/** Reads the confirms, items, fees and matches of the window. */
export async function clearingSources(session: Session, window: Window): Promise<ClearingSources> {
  const both = [window.start, window.end];
  const movements = new Map<string, Movements>();
  const payments = new Map<string, number>();
  const refunds = new Map<string, number>();
  const add = (channel: string, kind: MovementKind, amount: bigint): void => {
    const before = movements.get(channel) ?? NO_MOVEMENTS;
    movements.set(channel, { ...before, [kind]: before[kind] + amount });
  };
  for (const { confirms, total } of await CONFIRM_TOTAL.all(session.raw(CONFIRMS, both))) {
    if (confirms === 0) continue;
    add('agent', 'succeeded', total);
    payments.set('agent', confirms);
  }
  for (const items of await ITEM_TOTALS.all(session.raw(ITEMS, [...both, ...both]))) {
    const { channel, paid, back } = items;
    add(channel, 'succeeded', paid);
    add(channel, 'refunded', back);
    payments.set(channel, (payments.get(channel) ?? 0) + items.payments);
    refunds.set(channel, items.refunds);
  }
  for (const { channel, fees, tva } of await FEE_TOTALS.all(session.raw(ITEM_FEES, both))) {
    add(channel, 'fees', -fees);
    add(channel, 'tva', -tva);
  }
  for (const { channel, net, fee, tva } of await payoutsOf(session, window, 'made')) {
    add(channel, 'payouts', -net);
    add(channel, 'fees', -fee);
    add(channel, 'tva', -tva);
  }
  for (const { channel, net, fee, tva } of await payoutsOf(session, window, 'taken_back')) {
    add(channel, 'payoutsReturned', net);
    add(channel, 'fees', fee);
    add(channel, 'tva', tva);
  }
  return { movements, payments, refunds };
}

/** The net amount of payouts in a channel, and the fees on the payouts as a whole. */
interface ChannelOfPayouts {
  readonly channel: string;
  readonly net: bigint;
  readonly fee: bigint;
  readonly tva: bigint;
}

async function payoutsOf(session: Session, window: Window, which: 'made' | 'taken_back'): Promise<ChannelOfPayouts[]> {
  // The reversal of its ledger transaction reverses a payout.
  const dated = which === 'made' ? 't.id = m.ledger_transaction_id' : 't.reverses_id = m.ledger_transaction_id';
  const items = await NET.all(session.raw(netsOf(dated), datedIn(window)));
  const rests = await REST.all(session.raw(restsOf(dated), datedIn(window)));
  return [
    ...items.map((each) => ({ ...each, fee: 0n, tva: 0n })),
    ...rests.map(({ remainder, ...rest }) => ({ ...rest, net: remainder - rest.fee - rest.tva })),
  ];
}

function netsOf(dated: string): string {
  return `
    select i.channel, cast(sum(i.amount_millimes - i.fee_millimes - i.tva_millimes) as char) as net
    from ${DATED_TRANSACTIONS} t
    join payout_matches m on ${dated}
    join payout_match_items i on i.match_id = m.id
    group by i.channel`;
}

function restsOf(dated: string): string {
  return `
    select r.rest_channel as channel, cast(sum(r.remainder) as char) as remainder,
           cast(sum(r.fee) as char) as fee, cast(sum(r.tva) as char) as tva
    from (select m.rest_channel, m.remainder_millimes as remainder,
                 m.fee_millimes - coalesce(sum(i.fee_millimes), 0) as fee,
                 m.tva_millimes - coalesce(sum(i.tva_millimes), 0) as tva
          from ${DATED_TRANSACTIONS} t
          join payout_matches m on ${dated}
          left join payout_match_items i on i.match_id = m.id
          group by m.id, m.rest_channel, m.remainder_millimes, m.fee_millimes, m.tva_millimes) r
    group by r.rest_channel`;
}

const CONFIRMS = `
  select count(*) as confirms, cast(sum(c.amount_millimes) as char) as total
  from agent_confirmations c join ledger_transactions t on t.id = c.ledger_transaction_id
  where t.occurred_at >= ? and t.occurred_at < ?`;

// Items that were never posted count on their own day, and make the channel's proof fail.
const ITEMS = `
  select x.channel,
         count(case when x.amount > 0 then 1 end) as payments,
         cast(sum(case when x.amount > 0 then x.amount end) as char) as paid,
         count(case when x.amount < 0 then 1 end) as refunds,
         cast(sum(case when x.amount < 0 then x.amount end) as char) as back
  from (select i.channel, i.amount_millimes as amount
        from ledger_transactions t join gateway_items i on i.item_id = t.reference and i.ledger_transaction_id = t.id
        where t.occurred_at >= ? and t.occurred_at < ? and t.code in ('payment', 'refund')
        union all
        select i.channel, i.amount_millimes
        from gateway_items i
        where i.occurred_at >= ? and i.occurred_at < ?
          and not exists (select 1 from ledger_transactions t
                          where t.id = i.ledger_transaction_id and t.reference = i.item_id)) x
  group by x.channel`;

const ITEM_FEES = `
  select f.channel, cast(sum(f.fee_millimes) as char) as fees, cast(sum(f.tva_millimes) as char) as tva
  from ledger_transactions t join gateway_item_fees f on f.reference = t.reference and f.ledger_transaction_id = t.id
  where t.occurred_at >= ? and t.occurred_at < ?
  group by f.channel`;
