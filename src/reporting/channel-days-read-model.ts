import { rowsOf, type Row, type Session } from '../db';
import { compareBytes, toTotal, type Instant } from '../kernel';

/** What the gateway owed us through one channel before a day and after it, and what happened in between. In millimes. */
export interface ChannelDay {
  readonly channel: string;
  readonly opening: bigint;
  readonly succeeded: { readonly count: number; readonly amount: bigint };
  readonly refunded: { readonly count: number; readonly amount: bigint };
  /** Less than 0 when corrections gave back more than was charged. */
  readonly fees: bigint;
  readonly tva: bigint;
  readonly paidOut: bigint;
  /** What any other posting did to it; positive when the gateway owes more by it. */
  readonly corrected: bigint;
  readonly closing: bigint;
  /** The rows of the day lead from the opening to the closing balance, to the millime. */
  readonly proven: boolean;
}

/** When it was recorded: from and with `start`, before `end`. */
interface Day {
  readonly start: Instant;
  readonly end: Instant;
}

const CLEARING = 'gateway_clearing:';
const NOTHING = { count: 0, amount: 0n };

/**
 * One day of every channel through which anything moved or is owed, in the order of their names. The balances come from
 * the postings, the movements from the confirms, the items and the reports of fees: so each proves the other.
 */
export async function channelDays(session: Session, day: Day): Promise<ChannelDay[]> {
  const balances = await clearingBalances(session, day);
  const confirms = await confirmsOf(session, day);
  const items = await itemsOf(session, day);
  const fees = await feesOf(session, day);
  const names = [...new Set([...balances.keys(), ...confirms.keys(), ...items.keys(), ...fees.keys()])];
  return names
    .sort(compareBytes)
    .map((channel) => {
      const { opening, closing, paidOut, corrected } = balances.get(channel) ?? NO_BALANCE;
      const { succeeded, refunded } = items.get(channel) ?? confirms.get(channel) ?? NO_MONEY;
      const { fees: charged, tva } = fees.get(channel) ?? NO_FEES;
      const expected = opening + succeeded.amount - refunded.amount - charged - tva - paidOut + corrected;
      return {
        ...{ channel, opening, succeeded, refunded, fees: charged, tva, paidOut, corrected, closing },
        proven: expected === closing,
      };
    })
    .filter(isWorthALine);
}

type Balances = Pick<ChannelDay, 'opening' | 'closing' | 'paidOut' | 'corrected'>;
const NO_BALANCE: Balances = { opening: 0n, closing: 0n, paidOut: 0n, corrected: 0n };

type Money = Pick<ChannelDay, 'succeeded' | 'refunded'>;
const NO_MONEY: Money = { succeeded: NOTHING, refunded: NOTHING };

type Fees = Pick<ChannelDay, 'fees' | 'tva'>;
const NO_FEES: Fees = { fees: 0n, tva: 0n };

async function clearingBalances(session: Session, { start, end }: Day): Promise<Map<string, Balances>> {
  const rows = await session.raw(
    `select x.account,
            cast(sum(case when x.recorded_at < ? then x.amount end) as char) as opening,
            cast(sum(x.amount) as char) as closing,
            cast(sum(case when x.recorded_at >= ? and x.code = 'payout' then -x.amount end) as char) as paid_out,
            cast(sum(case when x.recorded_at >= ?
                           and x.code not in ('agent_payment', 'payment', 'refund', 'fee', 'fee_correction', 'payout')
                          then x.amount end) as char) as corrected
     from (select p.debit_account as account, p.amount_millimes as amount, t.code, t.recorded_at
           from postings p join ledger_transactions t on t.id = p.transaction_id
           where p.debit_account like 'gateway_clearing:%' and t.recorded_at < ?
           union all
           select p.credit_account, -p.amount_millimes, t.code, t.recorded_at
           from postings p join ledger_transactions t on t.id = p.transaction_id
           where p.credit_account like 'gateway_clearing:%' and t.recorded_at < ?) x
     group by x.account`,
    [start, start, start, end, end],
  );
  const channelOf = (row: Row): string => String(row['account']).slice(CLEARING.length);
  return new Map(
    rows.map((row) => [
      channelOf(row),
      {
        opening: toTotal(row['opening']),
        closing: toTotal(row['closing']),
        paidOut: toTotal(row['paid_out']),
        corrected: toTotal(row['corrected']),
      },
    ]),
  );
}

async function confirmsOf(session: Session, { start, end }: Day): Promise<Map<string, Money>> {
  const [row] = await rowsOf(
    session('agent_confirmations as c')
      .join('ledger_transactions as t', 't.id', 'c.ledger_transaction_id')
      .select(session.fragment('count(*) as confirms'))
      .select(session.fragment('cast(sum(c.amount_millimes) as char) as total'))
      .where('t.recorded_at', '>=', start)
      .where('t.recorded_at', '<', end),
  );
  const succeeded = { count: Number(row?.['confirms']), amount: toTotal(row?.['total']) };
  return new Map([['agent', { succeeded, refunded: NOTHING }]]);
}

async function itemsOf(session: Session, { start, end }: Day): Promise<Map<string, Money>> {
  const rows = await rowsOf(
    session('gateway_items as i')
      .select('i.channel')
      .select(session.fragment('count(case when i.amount_millimes > 0 then 1 end) as payments'))
      .select(session.fragment('cast(sum(case when i.amount_millimes > 0 then i.amount_millimes end) as char) as paid'))
      .select(session.fragment('count(case when i.amount_millimes < 0 then 1 end) as refunds'))
      .select(
        session.fragment('cast(sum(case when i.amount_millimes < 0 then -i.amount_millimes end) as char) as back'),
      )
      .where('i.recorded_at', '>=', start)
      .where('i.recorded_at', '<', end)
      .groupBy('i.channel'),
  );
  return new Map(
    rows.map((row) => [
      String(row['channel']),
      {
        succeeded: { count: Number(row['payments']), amount: toTotal(row['paid']) },
        refunded: { count: Number(row['refunds']), amount: toTotal(row['back']) },
      },
    ]),
  );
}

async function feesOf(session: Session, { start, end }: Day): Promise<Map<string, Fees>> {
  const rows = await rowsOf(
    session('gateway_item_fees as f')
      .select('f.channel')
      .select(session.fragment('cast(sum(f.fee_millimes) as char) as fees'))
      .select(session.fragment('cast(sum(f.tva_millimes) as char) as tva'))
      .where('f.recorded_at', '>=', start)
      .where('f.recorded_at', '<', end)
      .groupBy('f.channel'),
  );
  return new Map(rows.map((row) => [String(row['channel']), { fees: toTotal(row['fees']), tva: toTotal(row['tva']) }]));
}

/** A channel through which nothing came and of which nothing is owed says nothing, unless it does not add up. */
function isWorthALine(day: ChannelDay): boolean {
  const { opening, closing, succeeded, refunded, fees, tva, paidOut, corrected, proven } = day;
  const figures = [opening, closing, fees, tva, paidOut, corrected, BigInt(succeeded.count + refunded.count)];
  return !proven || figures.some((figure) => figure !== 0n);
}
