import { randomInt } from 'node:crypto';
import type { Database, Session } from '../db';
import type { BudgetEntry, BudgetStore } from '../gateway';
import { type Clock, isAppError } from '../kernel';
import { openGatewayBudget } from './gateway-budget-store';

const FIRST_VERSION_LIMIT = 2 ** 40;

/**
 * Creates the store of a gateway client's budget (`millime/gateway`, option `budget`) that all processes on one database
 * share. A new key overwrites a row that has expired, so the runtime user needs no right to delete.
 *
 * @throws AppError as `Database.transact` and `read` do; the budget then sends nothing.
 */
export function createSharedBudgetStore(database: Database, clock: Clock): BudgetStore {
  return {
    read: (key) => database.read((session) => sharedBudgetReader(session).read(key)),
    async replace(key, next, expectedVersion) {
      const row = { key, ...next };
      if (expectedVersion !== undefined) {
        const held = { key, version: expectedVersion };
        return database.transact((session) =>
          openGatewayBudget(session).replace(held, { ...row, version: expectedVersion + 1 }),
        );
      }
      // Random, so that a key that expired and was created again never has a version that another process still holds.
      const created = { ...row, version: randomInt(FIRST_VERSION_LIMIT) + 1 };
      try {
        await database.transact(async (session) => {
          const budget = openGatewayBudget(session);
          const old = await budget.forgettable(key, clock.now());
          if (old === undefined || !(await budget.replace(old, created))) await budget.insert(created);
        });
        return true;
      } catch (error) {
        if (isAppError(error, 'duplicate_key')) return false;
        throw error;
      }
    },
  };
}

/** Reads the shared budget inside one transaction of the database. */
export function sharedBudgetReader(session: Session): Pick<BudgetStore, 'read'> {
  return {
    async read(key): Promise<BudgetEntry | undefined> {
      const row = await openGatewayBudget(session).find(key);
      return row && { value: row.value, version: row.version };
    },
  };
}
