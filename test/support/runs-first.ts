import type { Database } from '../../src/db';

/** Returns a database whose first transaction begins after `others` is done, so that its caller has read old facts. */
export function runsFirst(others: () => Promise<unknown>, database: Database): Database {
  let isFirst = true;
  return {
    ...database,
    transact: async (work, options) => {
      if (isFirst) {
        isFirst = false;
        await others();
      }
      return database.transact(work, options);
    },
  };
}
