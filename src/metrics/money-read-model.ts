import { column, rowCodec, type Session } from '../db';
import type { Instant } from '../kernel';

const INSTANT = rowCodec({ at: column.number('recorded_at') });
const MOVED = rowCodec({
  debit: column.text('debit'),
  credit: column.text('credit'),
  total: column.total('total'),
});

/** The changes of account balances by some ledger transactions. */
export interface MoneySlice {
  /** They are those that were recorded through this instant. */
  readonly through: Instant;
  /** Debits less credits, in millimes. The accounts of agents, and those of banks, count as one each. */
  readonly moved: ReadonlyMap<string, bigint>;
}

/**
 * Adds up the ledger transactions recorded after one instant and through another: about `countMax` of them, and all of
 * the last instant.
 */
export async function moneySlice(
  session: Session,
  after: Instant,
  until: Instant,
  countMax: number,
): Promise<MoneySlice> {
  const next = await INSTANT.first(
    session('ledger_transactions as t')
      .select('t.recorded_at')
      .where('t.recorded_at', '>', after)
      .where('t.recorded_at', '<=', until)
      .orderBy('t.recorded_at')
      .offset(countMax)
      .limit(1),
  );
  const through = next?.at ?? until;
  const moved = new Map<string, bigint>();
  const add = (account: string, amount: bigint): void => void moved.set(account, (moved.get(account) ?? 0n) + amount);
  for (const { debit, credit, total } of await MOVED.all(session.raw(MOVED_BETWEEN, [after, through]))) {
    add(debit, total);
    add(credit, -total);
  }
  return { through, moved };
}

/** Names a clearing account by its channel. Other accounts of a kind count together, because their names are ids. */
function kindOf(account: string): string {
  return `case when ${account} like 'gateway_clearing:%' or instr(${account}, ':') = 0 then ${account}
               else substr(${account}, 1, instr(${account}, ':') - 1) end`;
}

const MOVED_BETWEEN = `
  select x.debit, x.credit, cast(sum(x.amount_millimes) as char) as total
  from (select ${kindOf('p.debit_account')} as debit, ${kindOf('p.credit_account')} as credit, p.amount_millimes
        from ledger_transactions t join postings p on p.transaction_id = t.id
        where t.recorded_at > ? and t.recorded_at <= ?) x
  group by x.debit, x.credit`;
