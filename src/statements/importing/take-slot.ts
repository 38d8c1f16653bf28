import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Session } from '../../db';
import { AppError, type BusinessCalendar, type Instant, isAppError, monotonicClock } from '../../kernel';
import type { Logger } from '../../logging';
import { importRunning, type Load, openLoads } from '../load-store';
import type { StatementFile } from '../statement-records';
import { openStatements } from '../statement-store';
import { openLoadingRows } from './loading-rows-store';

/** An import without a write for this long loses its lease. Each batch renews it. */
export const LEASE_MS = 15_000;
/** How long an import waits for another one that keeps renewing its lease. */
const WAIT_MS = 10 * 60_000;
const ASK_AGAIN_MS = 100;
const RENEW_DEADLINE_MS = 60_000;

/** A leftover row that a page cannot remove within this is left to the next import. */
const PAGE_DEADLINE_MS = 30_000;

/** The right to load. Only one import has it, so lines are never compared with a half-loaded file. */
export class Slot {
  readonly fileId: string;
  /** Distinguishes this holder from the next one. */
  #leaseUntil: Instant;

  constructor(lease: Pick<Load, 'fileId' | 'leaseUntil'>) {
    this.fileId = lease.fileId;
    this.#leaseUntil = lease.leaseUntil;
  }

  get leaseUntil(): Instant {
    return this.#leaseUntil;
  }

  /**
   * Runs one transaction that writes, and renews the lease.
   * @throws AppError `interrupted` if this import lost its lease.
   */
  async whileHeld(database: Database, deadlineMs: number, work: (session: Session) => Promise<void>): Promise<void> {
    let next: Instant | undefined;
    await database.transact(
      async (session) => {
        const store = openLoads(session);
        // An earlier run of this transaction was stored, but its answer was lost.
        if (next !== undefined && (await store.current())?.leaseUntil === next) return;
        next = await store.renew(this, LEASE_MS);
        if (next === undefined) throw lostLease();
        await work(session);
      },
      { retryUnknownOutcome: true, deadlineMs },
    );
    this.#leaseUntil = next ?? this.#leaseUntil;
  }

  /** Renews the lease, then runs SELECTs. @throws AppError `interrupted` as above. */
  async read<T>(database: Database, deadlineMs: number, work: (session: Session) => Promise<T>): Promise<T> {
    await this.whileHeld(database, RENEW_DEADLINE_MS, () => Promise.resolve());
    return database.read(work, { deadlineMs });
  }

  /** Runs the last transaction that writes, which makes the rows visible and frees the slot. */
  async finish(database: Database, deadlineMs: number, work: (session: Session) => Promise<void>): Promise<void> {
    let tried = false;
    await database.transact(
      async (session) => {
        const store = openLoads(session);
        if (tried && (await store.isFinished(this.fileId))) return;
        tried = true;
        if (!(await store.finish(this))) throw lostLease();
        await work(session);
      },
      // Another process may open the same break concurrently. The second try finds it.
      { retryDuplicate: true, retryUnknownOutcome: true, deadlineMs },
    );
  }
}

export type SlotOutcome =
  | { readonly kind: 'taken'; readonly slot: Slot }
  /** The same bytes are already stored. */
  | { readonly kind: 'already_imported'; readonly file: StatementFile };

export interface LeftoverRowsDeps {
  readonly database: Database;
  readonly logger: Logger;
}

export interface SlotDeps extends LeftoverRowsDeps {
  readonly calendar: BusinessCalendar;
  /** Called once if this import waits for another one. */
  readonly onWait: (load: Load) => void;
}

/**
 * Waits until no other import loads, and takes the slot for a file. First removes the rows of an interrupted import.
 * @throws AppError `import_running` if another import runs for more than ten minutes.
 */
export async function takeSlot(deps: SlotDeps, file: StatementFile): Promise<SlotOutcome> {
  const until = monotonicClock.now() + WAIT_MS;
  for (let waited = false; ;) {
    const { known, load } = await deps.database.read(async (session) => ({
      known: await openStatements(session).fileBySha256(file.sha256),
      load: await openLoads(session).current(),
    }));
    if (known !== undefined) return { kind: 'already_imported', file: known };
    if (load === undefined) {
      const leaseUntil = await begin(deps.database, file);
      if (leaseUntil !== undefined) return { kind: 'taken', slot: new Slot({ fileId: file.id, leaseUntil }) };
    } else if (!load.expired || !(await removeLoad(deps, load))) {
      if (monotonicClock.now() > until) throw importRunning(load, deps.calendar);
      if (!waited) deps.onWait(load);
      waited = true;
      await sleep(ASK_AGAIN_MS);
    }
  }
}

/** Takes the slot. Returns undefined if another import was faster. */
async function begin(database: Database, file: StatementFile): Promise<number | undefined> {
  let leaseUntil: number | undefined;
  try {
    await database.transact(
      async (session) => {
        const store = openLoads(session);
        // An earlier run of this transaction was stored, but its answer was lost.
        if (leaseUntil !== undefined && (await store.current())?.fileId === file.id) return;
        leaseUntil = await store.begin(file, LEASE_MS);
      },
      { retryUnknownOutcome: true },
    );
    return leaseUntil;
  } catch (error) {
    if (isAppError(error, 'duplicate_key')) return undefined;
    throw error;
  }
}

function lostLease(): AppError {
  return new AppError(
    'interrupted',
    `the import lost its lease after ${LEASE_MS / 1_000} s without a write; nothing was imported; import the file again`,
  );
}

/** Removes the rows of an interrupted import. Returns whether rows were removed. */
export async function removeLeftoverRows(deps: LeftoverRowsDeps): Promise<boolean> {
  const load = await deps.database.read((session) => openLoads(session).current());
  return load !== undefined && load.expired && removeLoad(deps, load);
}

/**
 * Removes the rows of an import whose lease has ended. Returns false if the import still runs, or another process
 * removes the rows.
 */
async function removeLoad({ database, logger }: LeftoverRowsDeps, { fileId, fileName }: Load): Promise<boolean> {
  const leaseUntil = await claim(database, fileId);
  if (leaseUntil === undefined) return false;
  await removeRows(database, { fileId, leaseUntil });
  logger.warn('rows of an interrupted import removed', { event: 'statements.remains_removed', fileId, fileName });
  return true;
}

async function claim(database: Database, fileId: string): Promise<Instant | undefined> {
  try {
    return await database.transact((session) => openLoads(session).claimLeftoverRows(fileId, LEASE_MS), {
      // If a claim was stored without an answer, it lasts until its end, and the next one is made then.
      retryUnknownOutcome: true,
    });
  } catch (error) {
    // The import hangs inside a transaction and holds the row, so its rows cannot be removed yet.
    if (isAppError(error, 'unavailable')) return undefined;
    throw error;
  }
}

/**
 * Removes the invisible rows of a load page by page, so that a large file never holds a lock for long. Stops if the
 * lease is lost or the load was finished.
 */
export async function removeRows(database: Database, lease: Pick<Load, 'fileId' | 'leaseUntil'>): Promise<void> {
  const slot = new Slot(lease);
  try {
    for (let done = false; !done;) {
      await slot.whileHeld(database, PAGE_DEADLINE_MS, async (session) => {
        done = await openLoadingRows(session).removeSome(slot.fileId);
      });
    }
  } catch (error) {
    if (!isAppError(error, 'interrupted')) throw error;
  }
}
