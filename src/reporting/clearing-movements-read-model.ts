import { type Session } from '../db';
import { toTotal, type Instant } from '../kernel';

/** What can move what the gateway owes us, in the order in which it is shown. */
export const MOVEMENT_KINDS = [
  'succeeded',
  'refunded',
  'fees',
  'tva',
  'payouts',
  'payoutsReturned',
  'writtenOff',
  'corrected',
] as const;
export type MovementKind = (typeof MOVEMENT_KINDS)[number];

/** Each is what it added to what the gateway owes: a payout is negative. In millimes. */
export type Movements = Readonly<Record<MovementKind, bigint>>;

/** From and with `start`, before `end`, by when the ledger transaction was recorded. */
export interface Window {
  readonly start: Instant;
  readonly end: Instant;
}

const CLEARING = 'gateway_clearing:';

export const NO_MOVEMENTS: Movements = {
  succeeded: 0n,
  refunded: 0n,
  fees: 0n,
  tva: 0n,
  payouts: 0n,
  payoutsReturned: 0n,
  writtenOff: 0n,
  corrected: 0n,
};

/** What the postings of the window did to each channel. */
export async function movementsOf(session: Session, { start, end }: Window): Promise<Map<string, Movements>> {
  const rows = await session.raw(MOVEMENTS, [start, end, start, end]);
  const sums = new Map<string, Movements>();
  for (const row of rows) {
    const channel = String(row['account']).slice(CLEARING.length);
    const kind = MOVEMENT_KINDS.find((each) => each === row['kind']) ?? 'corrected';
    const before = sums.get(channel) ?? NO_MOVEMENTS;
    sums.set(channel, { ...before, [kind]: before[kind] + toTotal(row['total']) });
  }
  return sums;
}

/** What the gateway owes us through each channel before an instant: the sum of all postings, whatever they are for. */
export async function clearingBalances(session: Session, end: Instant): Promise<Map<string, bigint>> {
  const rows = await session.raw(BALANCES, [end, end]);
  return new Map(rows.map((row) => [String(row['account']).slice(CLEARING.length), toTotal(row['total'])]));
}

export function addMovements(a: Movements, b: Movements): Movements {
  return {
    succeeded: a.succeeded + b.succeeded,
    refunded: a.refunded + b.refunded,
    fees: a.fees + b.fees,
    tva: a.tva + b.tva,
    payouts: a.payouts + b.payouts,
    payoutsReturned: a.payoutsReturned + b.payoutsReturned,
    writtenOff: a.writtenOff + b.writtenOff,
    corrected: a.corrected + b.corrected,
  };
}

export function totalMovement(movements: Movements): bigint {
  return MOVEMENT_KINDS.reduce((sum, kind) => sum + movements[kind], 0n);
}

/** What stands on the other side says more than the code: a reversal of a fee is a fee, of either sign. */
function kindAgainst(other: string): string {
  return `case when ${other} = 'write_off' then 'writtenOff'
               when ${other} = 'gateway_fees' then 'fees'
               when ${other} = 'gateway_fees_tva' then 'tva'
               when o.code = 'payout' then 'payoutsReturned'
               when t.reverses_id is not null then 'corrected'
               when t.code in ('agent_payment', 'payment') then 'succeeded'
               when t.code = 'refund' then 'refunded'
               when t.code = 'payout' then 'payouts'
               else 'corrected' end`;
}

function movementsOn(side: string, other: string, amount: string): string {
  return `select p.${side} as account, ${kindAgainst(`p.${other}`)} as kind, ${amount} as amount
          from ledger_transactions t
          join postings p on p.transaction_id = t.id
          left join ledger_transactions o on o.id = t.reverses_id
          where t.recorded_at >= ? and t.recorded_at < ? and p.${side} like 'gateway_clearing:%'`;
}

const MOVEMENTS = `
  select x.account, x.kind, cast(sum(x.amount) as char) as total
  from (${movementsOn('debit_account', 'credit_account', 'p.amount_millimes')}
        union all ${movementsOn('credit_account', 'debit_account', '-p.amount_millimes')}) x
  group by x.account, x.kind`;

const BALANCES = `
  select x.account, cast(sum(x.amount) as char) as total
  from (select p.debit_account as account, p.amount_millimes as amount
        from postings p join ledger_transactions t on t.id = p.transaction_id
        where p.debit_account like 'gateway_clearing:%' and t.recorded_at < ?
        union all
        select p.credit_account, -p.amount_millimes
        from postings p join ledger_transactions t on t.id = p.transaction_id
        where p.credit_account like 'gateway_clearing:%' and t.recorded_at < ?) x
  group by x.account`;
