import { column, rowCodec, type Session } from '../db';
import type { Instant } from '../kernel';

export interface BudgetRow {
  readonly key: string;
  readonly value: string;
  readonly version: number;
  readonly keepUntil: Instant;
}

/** The shared budget of gateway calls inside one transaction of the database. */
export interface GatewayBudgetStore {
  find(key: string): Promise<BudgetRow | undefined>;
  /** Returns the row of another key that expired first. */
  forgettable(exceptKey: string, now: Instant): Promise<BudgetRow | undefined>;
  /** @throws AppError `duplicate_key` when the key exists. */
  insert(row: BudgetRow): Promise<void>;
  /**
   * Overwrites a row that still has its version with `next`, whose key may be another one. Returns false when the version
   * has changed.
   *
   * @throws AppError `duplicate_key` when the other key exists.
   */
  replace(held: Pick<BudgetRow, 'key' | 'version'>, next: BudgetRow): Promise<boolean>;
}

const BUDGET = rowCodec({
  key: column.text('budget_key'),
  value: column.text('value'),
  version: column.number('version'),
  keepUntil: column.number('keep_until'),
});

export function openGatewayBudget(session: Session): GatewayBudgetStore {
  const select = () => session('gateway_budget as b').select(BUDGET.columns('b'));
  return {
    find: (key) => BUDGET.first(select().where('b.budget_key', key).limit(1)),
    forgettable: (exceptKey, now) =>
      BUDGET.first(
        select().where('b.keep_until', '<', now).whereNot('b.budget_key', exceptKey).orderBy('b.keep_until').limit(1),
      ),
    async insert(row) {
      await session('gateway_budget').insert(BUDGET.write(row));
    },
    async replace({ key, version }, next) {
      const replaced = await session('gateway_budget').where({ budget_key: key, version }).update(BUDGET.write(next));
      return replaced === 1;
    },
  };
}
