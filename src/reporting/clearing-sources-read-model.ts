import { rowsOf, type Session } from '../db';
import { toTotal } from '../kernel';
import { NO_MOVEMENTS, type MovementKind, type Movements, type Window } from './clearing-movements-read-model';

/** The movements of the channels as the rows say that were posted, not the postings: so each proves the other. */
export interface ClearingSources {
  readonly movements: ReadonlyMap<string, Movements>;
  readonly payments: ReadonlyMap<string, number>;
  readonly refunds: ReadonlyMap<string, number>;
}

/** Reads confirms, items, fees and matches whose ledger transaction was recorded in the window. */
export async function clearingSources(session: Session, window: Window): Promise<ClearingSources> {
  const both = [window.start, window.end];
  const movements = new Map<string, Movements>();
  const payments = new Map<string, number>();
  const refunds = new Map<string, number>();
  const add = (channel: string, kind: MovementKind, amount: bigint): void => {
    const before = movements.get(channel) ?? NO_MOVEMENTS;
    movements.set(channel, { ...before, [kind]: before[kind] + amount });
  };
  for (const row of await session.raw(CONFIRMS, both)) {
    if (Number(row['confirms']) === 0) continue;
    add('agent', 'succeeded', toTotal(row['total']));
    payments.set('agent', Number(row['confirms']));
  }
  for (const row of await session.raw(ITEMS, [...both, ...both])) {
    const channel = String(row['channel']);
    add(channel, 'succeeded', toTotal(row['paid']));
    add(channel, 'refunded', toTotal(row['back']));
    payments.set(channel, (payments.get(channel) ?? 0) + Number(row['payments']));
    refunds.set(channel, Number(row['refunds']));
  }
  for (const row of await session.raw(ITEM_FEES, both)) {
    add(String(row['channel']), 'fees', -toTotal(row['fees']));
    add(String(row['channel']), 'tva', -toTotal(row['tva']));
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

/** What a payout brought for a channel, and the fee of the payout as a whole that no item has. */
interface ChannelOfPayouts {
  readonly channel: string;
  readonly net: bigint;
  readonly fee: bigint;
  readonly tva: bigint;
}

async function payoutsOf(
  session: Session,
  { start, end }: Window,
  which: 'made' | 'taken_back',
): Promise<ChannelOfPayouts[]> {
  // What took a payout back is the reversal of its ledger transaction.
  const recorded = which === 'made' ? 't.id = m.ledger_transaction_id' : 't.reverses_id = m.ledger_transaction_id';
  const items = await rowsOf(
    session('payout_matches as m')
      .join(session.fragment('ledger_transactions as t'), session.fragment(recorded))
      .join('payout_match_items as i', 'i.match_id', 'm.id')
      .select('i.channel')
      .select(session.fragment('cast(sum(i.amount_millimes - i.fee_millimes - i.tva_millimes) as char) as net'))
      .where('t.recorded_at', '>=', start)
      .where('t.recorded_at', '<', end)
      .groupBy('i.channel'),
  );
  const rests = await session.raw(restsOf(recorded), [start, end]);
  return [
    ...items.map((row) => ({ channel: String(row['channel']), net: toTotal(row['net']), fee: 0n, tva: 0n })),
    ...rests.map((row) => {
      const [fee, tva] = [toTotal(row['fee']), toTotal(row['tva'])];
      return { channel: String(row['channel']), net: toTotal(row['remainder']) - fee - tva, fee, tva };
    }),
  ];
}

function restsOf(recorded: string): string {
  return `
    select r.rest_channel as channel, cast(sum(r.remainder) as char) as remainder,
           cast(sum(r.fee) as char) as fee, cast(sum(r.tva) as char) as tva
    from (select m.rest_channel, m.remainder_millimes as remainder,
                 m.fee_millimes - coalesce(sum(i.fee_millimes), 0) as fee,
                 m.tva_millimes - coalesce(sum(i.tva_millimes), 0) as tva
          from payout_matches m
          join ledger_transactions t on ${recorded}
          left join payout_match_items i on i.match_id = m.id
          where t.recorded_at >= ? and t.recorded_at < ?
          group by m.id, m.rest_channel, m.remainder_millimes, m.fee_millimes, m.tva_millimes) r
    group by r.rest_channel`;
}

const CONFIRMS = `
  select count(*) as confirms, cast(sum(c.amount_millimes) as char) as total
  from agent_confirmations c join ledger_transactions t on t.id = c.ledger_transaction_id
  where t.recorded_at >= ? and t.recorded_at < ?`;

// Also those that were never posted, on the day on which they were written: then the channel does not add up.
const ITEMS = `
  select x.channel,
         count(case when x.amount > 0 then 1 end) as payments,
         cast(sum(case when x.amount > 0 then x.amount end) as char) as paid,
         count(case when x.amount < 0 then 1 end) as refunds,
         cast(sum(case when x.amount < 0 then x.amount end) as char) as back
  from (select i.channel, i.amount_millimes as amount
        from ledger_transactions t join gateway_items i on i.item_id = t.reference and i.ledger_transaction_id = t.id
        where t.recorded_at >= ? and t.recorded_at < ? and t.code in ('payment', 'refund')
        union all
        select i.channel, i.amount_millimes
        from gateway_items i
        where i.recorded_at >= ? and i.recorded_at < ?
          and not exists (select 1 from ledger_transactions t
                          where t.id = i.ledger_transaction_id and t.reference = i.item_id)) x
  group by x.channel`;

const ITEM_FEES = `
  select f.channel, cast(sum(f.fee_millimes) as char) as fees, cast(sum(f.tva_millimes) as char) as tva
  from ledger_transactions t join gateway_item_fees f on f.reference = t.reference and f.ledger_transaction_id = t.id
  where t.recorded_at >= ? and t.recorded_at < ?
  group by f.channel`;
