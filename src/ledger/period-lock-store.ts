import { column, type Question, rowCodec, type RowLock, type Session } from '../db';
import type { Instant } from '../kernel';

const LEDGER = 'ledger';

const LOCK = rowCodec({ openFrom: column.number('open_from') });

/** Asks for the first open instant, and locks it against a change. Undefined while none is stored. */
export const OPEN_FROM: Question<Instant | undefined> = {
  sql: `select ${LOCK.columns('f').join(', ')} from ledger_fence as f where f.name = ?`,
  values: [LEDGER],
  lock: 'share',
  read: ([row]) => (row === undefined ? undefined : LOCK.read(row).openFrom),
};

/** The instant before which the ledger records nothing, inside one transaction of the database. */
export interface PeriodLock {
  /**
   * Returns the first open instant, which cannot change until the transaction ends. Postings do not block each other.
   */
  openFrom(): Promise<Instant>;
  /** Returns the instant of the lock without locking it, for comparison only; undefined when none is set. */
  standsAt(): Promise<Instant | undefined>;
  /** Moves the lock forward if it is earlier. It waits for transactions that post, and they wait for it. */
  raise(openFrom: Instant): Promise<void>;
  /** Moves the lock back if it is later: the days from `openFrom` are open again. */
  lower(openFrom: Instant): Promise<void>;
}

/**
 * Opens the period lock, which marks the end of the closed days. A closing raises it before it reads the day. A
 * transaction that posts takes a shared lock on its only row. So a posting is either visible to the closing, or
 * recorded after the period lock. SQLite has one writer at a time and needs no row lock.
 */
export function openPeriodLock(session: Session): PeriodLock {
  async function read(lock?: RowLock): Promise<Instant | undefined> {
    const [openFrom] = await session.ask([{ ...OPEN_FROM, lock }]);
    return openFrom;
  }

  async function present(lock: RowLock): Promise<Instant> {
    const known = await read(lock);
    if (known !== undefined) return known;
    // A missing row cannot be locked. Of two concurrent first calls, one waits for the other and reads its row.
    await session.insert([
      { table: 'ledger_fence', rows: [{ name: LEDGER, open_from: 0 }], whenTaken: { key: 'name' } },
    ]);
    return (await read(lock)) ?? 0;
  }

  const move = async (openFrom: Instant): Promise<void> => {
    await session('ledger_fence').where('name', LEDGER).update({ open_from: openFrom });
  };
  return {
    openFrom: () => present('share'),
    standsAt: () => read(),
    async raise(openFrom) {
      if ((await present('update')) < openFrom) await move(openFrom);
    },
    async lower(openFrom) {
      if ((await present('update')) > openFrom) await move(openFrom);
    },
  };
}
