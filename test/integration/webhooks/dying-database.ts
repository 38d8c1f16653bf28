import type { Database } from '../../../src/db';
import { AppError } from '../../../src/kernel';

/**
 * The database as a process has it that is killed right before, or right after, its n-th commit: nothing it does later
 * reaches the tables.
 */
export function dyingDatabase(
  database: Database,
  diesAt: number,
  side: 'before' | 'after',
): { readonly database: Database; isDead(): boolean } {
  let transactions = 0;
  let dead = false;
  const requireAlive = (): void => {
    if (dead) throw new AppError('unavailable', 'the process was killed');
  };
  return {
    isDead: () => dead,
    database: {
      ...database,
      async transact(work, options) {
        requireAlive();
        transactions += 1;
        const isLast = transactions === diesAt;
        if (isLast && side === 'before') dead = true;
        requireAlive();
        const result = await database.transact(work, options);
        if (isLast) dead = true;
        requireAlive();
        return result;
      },
      async read(work, options) {
        requireAlive();
        return database.read(work, options);
      },
    },
  };
}
