import { type PostingDeps, postLines } from '../effective/post-lines';
import { type LeftoverRowsDeps, removeLeftoverRows } from './remove-leftover-rows';

/**
 * Removes the rows of an import that ended while loading, and posts lines that an import left unposted. Called when a
 * process starts and before a reconciliation, so that a crash needs no manual step.
 */
export async function recoverImports(deps: LeftoverRowsDeps & PostingDeps, signal?: AbortSignal): Promise<void> {
  await removeLeftoverRows(deps);
  await postLines(deps, signal);
}
