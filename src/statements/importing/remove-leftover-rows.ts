import type { Database } from '../../db';
import { isAppError, type Instant } from '../../kernel';
import type { Logger } from '../../logging';
import { openLoading, type Load } from './loading-store';

/** Long enough to remove a page; each page claims the remains anew. */
const CLAIM_MS = 15_000;
const PAGE_DEADLINE_MS = 30_000;

export interface LeftoverRowsDeps {
  readonly database: Database;
  readonly logger: Logger;
}

/** Removes what an import has left that died while it was loading. True when there was something to remove. */
export async function removeLeftoverRows(deps: LeftoverRowsDeps): Promise<boolean> {
  const load = await deps.database.read((session) => openLoading(session).current());
  if (load === undefined || !load.expired) return false;
  return removeLoad(deps, load);
}

/** Removes the rows of an import whose lease is over. False when it turned out to be alive, or somebody else does it. */
export async function removeLoad(deps: LeftoverRowsDeps, { fileId, fileName }: Load): Promise<boolean> {
  const leaseUntil = await claim(deps.database, fileId);
  if (leaseUntil === undefined) return false;
  await removeRows(deps.database, { fileId, leaseUntil });
  deps.logger.warn('the rows of an import that died were removed', {
    event: 'statements.remains_removed',
    fileId,
    fileName,
  });
  return true;
}

async function claim(database: Database, fileId: string): Promise<Instant | undefined> {
  try {
    return await database.transact((session) => openLoading(session).claimLeftoverRows(fileId, CLAIM_MS), {
      // A claim that was stored and not answered holds until it is over, and is made anew then.
      retryUnknownOutcome: true,
    });
  } catch (error) {
    // It hangs in the middle of a transaction and holds the row: what it has not stored yet cannot be removed yet.
    if (isAppError(error, 'unavailable')) return undefined;
    throw error;
  }
}

/**
 * Removes the rows of a load that is ours, page by page, so that a large file's remains never hold a lock for long.
 * Nobody sees these rows. Each page holds the load on, so it stops where the load is no longer ours or was finished.
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
        const store = openLoading(session);
        // An earlier run of this transaction was stored, and its answer was lost.
        if (next !== undefined && (await store.current())?.leaseUntil === next) return false;
        next = await store.renew({ fileId, leaseUntil: held }, CLAIM_MS);
        return next === undefined || store.removeSome(fileId);
      },
      { retryUnknownOutcome: true, deadlineMs: PAGE_DEADLINE_MS },
    );
    held = next ?? held;
  }
}
