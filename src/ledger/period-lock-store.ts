import { column, rowCodec, type Session } from '../db';
import type { Instant } from '../kernel';

const LEDGER = 'ledger';

const LOCK = rowCodec({ openFrom: column.number('open_from') });

/** The instant before which the ledger records nothing, inside one transaction of the database. */
export interface PeriodLock {
  /** Returns the first open instant, which stays so until the transaction ends. Postings do not wait for each other. */
  openFrom(): Promise<Instant>;
  /** Returns its instant, for comparison only: read without a lock; undefined when none is set. */
  standsAt(): Promise<Instant | undefined>;
  /** Moves the lock forward when it is earlier. Waits for transactions that post, and they wait for this one. */
  raise(openFrom: Instant): Promise<void>;
  /** Moves the lock back when it is later: the days from `openFrom` are open again. */
  lower(openFrom: Instant): Promise<void>;
}

/**
 * Opens the period lock, which ends the closed days. A closing raises it before it reads the day. A transaction that posts
 * shares a lock on its one row, so a posting is either visible when the closing reads, or recorded after the lock. SQLite
 * has one writer at a time, and needs no lock.
 */
export function openPeriodLock(session: Session): PeriodLock {
  async function read(lock: 'none' | 'shared' | 'exclusive'): Promise<Instant | undefined> {
    const query = session('ledger_fence as f').select(LOCK.columns('f')).where('f.name', LEDGER);
    if (lock !== 'none') void (lock === 'shared' ? query.forShare() : query.forUpdate());
    return (await LOCK.first(query))?.openFrom;
  }

  async function present(lock: 'shared' | 'exclusive'): Promise<Instant> {
    const known = await read(lock);
    if (known !== undefined) return known;
    // A missing row cannot be locked. Of two concurrent first calls, one waits for the other and reads its row.
    // eslint-disable-next-line no-restricted-syntax -- the values are constants; not every caller may run again
    await session('ledger_fence').insert({ name: LEDGER, open_from: 0 }).onConflict('name').ignore();
    return (await read(lock)) ?? 0;
  }

  const move = async (openFrom: Instant): Promise<void> => {
    await session('ledger_fence').where('name', LEDGER).update({ open_from: openFrom });
  };
  return {
    openFrom: () => present('shared'),
    standsAt: () => read('none'),
    async raise(openFrom) {
      if ((await present('exclusive')) < openFrom) await move(openFrom);
    },
    async lower(openFrom) {
      if ((await present('exclusive')) > openFrom) await move(openFrom);
    },
  };
}
