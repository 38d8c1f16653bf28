import { column, databaseNow, rowCodec, rowsOf, type Session } from '../db';
import { AppError, assert, type BusinessCalendar, type Instant } from '../kernel';
import type { LoadState, StatementFile } from './statement-records';
import { FILE } from './statement-rows';

/** The import that is loading; there is at most one. */
export interface Load {
  readonly fileId: string;
  readonly fileName: string;
  readonly startedAt: Instant;
  /** By the database's clock. After it, other processes treat the import as interrupted. */
  readonly leaseUntil: Instant;
  readonly expired: boolean;
}

type Lease = Pick<Load, 'fileId' | 'leaseUntil'>;

/** Reads and writes the state of each file. One import loads at a time, under a lease. */
export interface LoadStore {
  current(): Promise<Load | undefined>;
  /** Takes the only slot. Fails with `duplicate_key` if another import has it, or the bytes are stored. */
  begin(file: StatementFile, leaseMs: number): Promise<Instant>;
  /** Returns the new end of the lease; undefined if the import lost it. */
  renew(lease: Lease, leaseMs: number): Promise<Instant | undefined>;
  /** Makes the rows of a file visible and frees the slot. Returns false if the import lost its lease. */
  finish(lease: Lease): Promise<boolean>;
  isFinished(fileId: string): Promise<boolean>;
  /** Returns a lease on the leftover rows of an import whose own lease has ended; undefined if it has not. */
  claimLeftoverRows(fileId: string, leaseMs: number): Promise<Instant | undefined>;
  setState(fileId: string, state: Exclude<LoadState, 'loading'>): Promise<void>;
}

const LOAD = rowCodec({
  fileId: column.text('file_id'),
  state: column.word('state', ['loading', 'imported', 'posted']),
  leaseUntil: column.number('lease_until'),
  startedAt: column.number('started_at'),
});
/** Another process removes the leftover rows once this has passed. */
const CLAIM_MS = 1;
const FILE_NAME = rowCodec({ name: FILE.fields.name });

export function openLoads(session: Session): LoadStore {
  /** Changes a file that is loading under such a lease. Returns false if there is none. */
  const change = async (
    fileId: string,
    is: '=' | '<=',
    end: Instant,
    to: Record<string, unknown>,
  ): Promise<boolean> => {
    const loading = session('statement_loads').where({ file_id: fileId, state: 'loading' });
    return (await loading.where('lease_until', is, end).update(to)) === 1;
  };
  return {
    async current() {
      const [row] = await rowsOf(
        session('statement_loads as w')
          .join('statement_files as f', 'f.id', 'w.file_id')
          .select(...LOAD.columns('w'), FILE.column('name', 'f'))
          .where('w.slot', 1),
      );
      if (row === undefined) return undefined;
      const { fileId, startedAt, leaseUntil } = LOAD.read(row);
      const fileName = FILE_NAME.read(row).name;
      return { fileId, fileName, startedAt, leaseUntil, expired: leaseUntil <= (await databaseNow(session)) };
    },
    async begin(file, leaseMs) {
      const now = await databaseNow(session);
      const leaseUntil = now + leaseMs;
      await session('statement_files').insert(FILE.write(file));
      const load = LOAD.write({ fileId: file.id, state: 'loading', leaseUntil, startedAt: now });
      await session('statement_loads').insert({ ...load, slot: 1 });
      return leaseUntil;
    },
    async renew({ fileId, leaseUntil }, leaseMs) {
      // The end of a lease identifies its holder, so two renewals in one millisecond must differ.
      const next = Math.max((await databaseNow(session)) + leaseMs, leaseUntil + 1);
      return (await change(fileId, '=', leaseUntil, { lease_until: next })) ? next : undefined;
    },
    finish: ({ fileId, leaseUntil }) => change(fileId, '=', leaseUntil, { state: 'imported', slot: null }),
    async isFinished(fileId) {
      const load = session('statement_loads as w').select(LOAD.columns('w')).where('w.file_id', fileId);
      return (await LOAD.first(load.whereNot('w.state', 'loading'))) !== undefined;
    },
    async claimLeftoverRows(fileId, leaseMs) {
      const now = await databaseNow(session);
      return (await change(fileId, '<=', now, { lease_until: now + leaseMs })) ? now + leaseMs : undefined;
    },
    async setState(fileId, state) {
      const changed = await session('statement_loads').where('file_id', fileId).update({ state });
      assert(changed === 1, 'a file has its load');
    },
  };
}

/**
 * Prevents imports until the transaction ends. `fileId` is a loaded file, which takes the slot and frees it again.
 * Returns the import that loads; then nothing is locked. An import whose lease has ended loses the slot, so it cannot
 * end. Fails with `duplicate_key` if an import begins concurrently.
 */
export async function lockSlot(session: Session, fileId: string): Promise<Load | undefined> {
  const store = openLoads(session);
  const load = await store.current();
  if (load !== undefined) {
    const isClaimed = load.expired && (await store.claimLeftoverRows(load.fileId, CLAIM_MS)) !== undefined;
    return isClaimed ? undefined : load;
  }
  // The transaction keeps its lock on the unique value, so another import waits for its end.
  for (const slot of [1, null]) {
    await session('statement_loads').where('file_id', fileId).whereNot('state', 'loading').update({ slot });
  }
  return undefined;
}

export function importRunning({ fileName, startedAt }: Load, calendar: BusinessCalendar): AppError {
  return new AppError('import_running', { fileName, since: calendar.formatLocal(startedAt) });
}
