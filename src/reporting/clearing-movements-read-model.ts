import { column, rowCodec, type Session } from '../db';
import type { Instant } from '../kernel';
import { DATED_TRANSACTIONS, datedIn, type Window } from './ledger-date';

/** The kinds of movement of a clearing account, in the order of the report. */
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

/** The amount that each kind added to the gateway's debt: a payout is negative. In millimes. */
export type Movements = Readonly<Record<MovementKind, bigint>>;

const CLEARING = 'gateway_clearing:';

const MOVEMENT = rowCodec({
  account: column.text('account'),
  kind: column.word('kind', MOVEMENT_KINDS),
  total: column.total('total'),
});
const BALANCE = rowCodec({ account: column.text('account'), total: column.total('total') });

export const NO_MOVEMENTS = movementsFrom(() => 0n);

/** Returns the movements of each channel in the window, from the postings. */
export async function movementsOf(session: Session, window: Window): Promise<Map<string, Movements>> {
  const sums = new Map<string, Movements>();
  const bindings = [...datedIn(window), ...datedIn(window)];
  for (const { account, kind, total } of await MOVEMENT.all(session.raw(MOVEMENTS, bindings))) {
    const channel = account.slice(CLEARING.length);
    const before = sums.get(channel) ?? NO_MOVEMENTS;
    sums.set(channel, { ...before, [kind]: before[kind] + total });
  }
  return sums;
}

/** Returns the gateway's debt through each channel before an instant: the sum of all postings. */
export async function clearingBalances(session: Session, end: Instant): Promise<Map<string, bigint>> {
  const all = datedIn({ start: 0, end });
  const balances = await BALANCE.all(session.raw(BALANCES, [...all, ...all]));
  return new Map(balances.map(({ account, total }) => [account.slice(CLEARING.length), total]));
}

export function addMovements(a: Movements, b: Movements): Movements {
  return movementsFrom((kind) => a[kind] + b[kind]);
}

function movementsFrom(amountOf: (kind: MovementKind) => bigint): Movements {
  return Object.fromEntries(MOVEMENT_KINDS.map((kind) => [kind, amountOf(kind)])) as Movements;
}

export function totalMovement(movements: Movements): bigint {
  return MOVEMENT_KINDS.reduce((sum, kind) => sum + movements[kind], 0n);
}

/** Decides by the opposite account before the code: the reversal of a fee is a fee, of either sign. */
function kindAgainst(other: string): string {
  return `case when ${other} = 'write_off' then 'writtenOff'
               when ${other} = 'gateway_fees' then 'fees'
               when ${other} = 'gateway_fees_tva' then 'tva'
               when t.reverses_code = 'payout' then 'payoutsReturned'
               when t.reverses_id is not null then 'corrected'
               when t.code in ('agent_payment', 'payment') then 'succeeded'
               when t.code = 'refund' then 'refunded'
               when t.code = 'payout' then 'payouts'
               else 'corrected' end`;
}

function movementsOn(side: string, other: string, amount: string): string {
  return `select p.${side} as account, ${kindAgainst(`p.${other}`)} as kind, ${amount} as amount
          from ${DATED_TRANSACTIONS} t join postings p on p.transaction_id = t.id
          where p.${side} like 'gateway_clearing:%'`;
}

const MOVEMENTS = `
  select x.account, x.kind, cast(sum(x.amount) as char) as total
  from (${movementsOn('debit_account', 'credit_account', 'p.amount_millimes')}
        union all ${movementsOn('credit_account', 'debit_account', '-p.amount_millimes')}) x
  group by x.account, x.kind`;

const BALANCES = `
  select x.account, cast(sum(x.amount) as char) as total
  from (select p.debit_account as account, p.amount_millimes as amount
        from ${DATED_TRANSACTIONS} t join postings p on p.transaction_id = t.id
        where p.debit_account like 'gateway_clearing:%'
        union all
        select p.credit_account, -p.amount_millimes
        from ${DATED_TRANSACTIONS} t join postings p on p.transaction_id = t.id
        where p.credit_account like 'gateway_clearing:%') x
  group by x.account`;
