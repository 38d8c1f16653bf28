// How many rows a server reads for a piece of work: the counters of the session before and after each read and
// transaction, on the connection that runs it. SQLite has no such counters.
import type { Database, Session } from '../../src/db';

export interface RowsRead {
  /** Its reads and transactions are counted. Hand it to the room under test. */
  readonly database: Database;
  /** Returns the rows and index entries read since the last call; undefined on SQLite. */
  take(): number | undefined;
}

/** Counts the rows that are read through a database. */
export function countRowsRead(database: Database): RowsRead {
  let total = 0;
  const counted =
    <T>(work: (session: Session) => Promise<T>) =>
    async (session: Session): Promise<T> => {
      if (session.dialect === 'sqlite') return work(session);
      const before = await rowsReadBy(session);
      const result = await work(session);
      total += (await rowsReadBy(session)) - before;
      return result;
    };
  return {
    database: {
      ...database,
      read: (work, options) => database.read(counted(work), options),
      transact: (work, options) => database.transact(counted(work), options),
    },
    take() {
      const taken = total;
      total = 0;
      return database.dialect === 'sqlite' ? undefined : taken;
    },
  };
}

async function rowsReadBy(session: Session): Promise<number> {
  const rows = await session.raw("show session status like 'Handler_read_%'");
  return rows.reduce((sum, row) => sum + Number(row['Value']), 0);
}
