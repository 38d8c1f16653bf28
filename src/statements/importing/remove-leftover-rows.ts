import type { Database } from '../../db';
import { type Instant, isAppError } from '../../kernel';
import type { Logger } from '../../logging';
import { type Load, openLoads } from '../load-store';
import { openLoadingRows } from './loading-rows-store';

/** Long enough to remove a page. Each page claims the leftover rows again. */
const CLAIM_MS = 15_000;
const PAGE_DEADLINE_MS = 30_000;

export interface LeftoverRowsDeps {
  readonly database: Database;
  readonly logger: Logger;
}

/** Removes the rows of an interrupted import. Returns whether rows were removed. */
export async function removeLeftoverRows(deps: LeftoverRowsDeps): Promise<boolean> {
  const load = await deps.database.read((session) => openLoads(session).current());
  if (load === undefined || !load.expired) return false;
  return removeLoad(deps, load);
}

/**
 * Removes the rows of an import whose lease has ended. Returns false if the import still runs, or another process
 * removes the rows.
 */
export async function removeLoad(deps: LeftoverRowsDeps, { fileId, fileName }: Load): Promise<boolean> {
  const leaseUntil = await claim(deps.database, fileId);
  if (leaseUntil === undefined) return false;
  await removeRows(deps.database, { fileId, leaseUntil });
  deps.logger.warn('rows of an interrupted import removed', {
    event: 'statements.remains_removed',
    fileId,
    fileName,
  });
  return true;
}

async function claim(database: Database, fileId: string): Promise<Instant | undefined> {
  try {
    return await database.transact((session) => openLoads(session).claimLeftoverRows(fileId, CLAIM_MS), {
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
 * Removes the rows of a claimed load page by page, so that a large file never holds a lock for long. These rows are
 * invisible. Each page renews the claim, so the removal stops if the claim is lost or the load was finished.
 */
export async function removeRows(
  database: Database,
  { fileId, leaseUntil }: { readonly fileId: string; readonly leaseUntil: Instant },
): Promise<void> {
  let held = leaseUntil;
  for (let done = false; !done;) {
    let next: Instant | undefined;
    done = await database.transact(
      async (session) => {
        const store = openLoads(session);
        // An earlier run of this transaction was stored, but its answer was lost.
        if (next !== undefined && (await store.current())?.leaseUntil === next) return false;
        next = await store.renew({ fileId, leaseUntil: held }, CLAIM_MS);
        return next === undefined || openLoadingRows(session).removeSome(fileId);
      },
      { retryUnknownOutcome: true, deadlineMs: PAGE_DEADLINE_MS },
    );
    held = next ?? held;
  }
}
