import { rowsOf, type Session } from '../db';
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
  /** The row of another key that may be forgotten the longest. */
  forgettable(exceptKey: string, now: Instant): Promise<BudgetRow | undefined>;
  /** Throws `duplicate_key` when the key is there. */
  insert(row: BudgetRow): Promise<void>;
  /**
   * Puts `next` in the place of a row that still has its version; its key may be another one. False when it has not.
   * Throws `duplicate_key` when the other key is there.
   */
  replace(held: Pick<BudgetRow, 'key' | 'version'>, next: BudgetRow): Promise<boolean>;
}

const COLUMNS = ['b.budget_key', 'b.value', 'b.version', 'b.keep_until'];

export function openGatewayBudget(session: Session): GatewayBudgetStore {
  return {
    async find(key) {
      const [row] = await rowsOf(session('gateway_budget as b').select(COLUMNS).where('b.budget_key', key).limit(1));
      return row && toBudgetRow(row);
    },
    async forgettable(exceptKey, now) {
      const [row] = await rowsOf(
        session('gateway_budget as b')
          .select(COLUMNS)
          .where('b.keep_until', '<', now)
          .whereNot('b.budget_key', exceptKey)
          .orderBy('b.keep_until')
          .limit(1),
      );
      return row && toBudgetRow(row);
    },
    async insert(row) {
      await session('gateway_budget').insert(fromBudgetRow(row));
    },
    async replace({ key, version }, next) {
      const replaced = await session('gateway_budget').where({ budget_key: key, version }).update(fromBudgetRow(next));
      return replaced === 1;
    },
  };
}

function toBudgetRow(row: Readonly<Record<string, unknown>>): BudgetRow {
  return {
    key: row['budget_key'] as string,
    value: row['value'] as string,
    version: Number(row['version']),
    keepUntil: Number(row['keep_until']),
  };
}

function fromBudgetRow({ key, value, version, keepUntil }: BudgetRow): Record<string, string | number> {
  return { budget_key: key, value, version, keep_until: keepUntil };
}
