import { type PostingDeps, postLines } from '../effective/post-lines';
import { type LeftoverRowsDeps, removeLeftoverRows } from './remove-leftover-rows';

/**
 * Removes what an import left that died while it was loading, and posts what one did not get to post. Called when a
 * process starts and before a reconciliation, so that a crash needs no manual step.
 */
export async function recoverImports(deps: LeftoverRowsDeps & PostingDeps, signal?: AbortSignal): Promise<void> {
  await removeLeftoverRows(deps);
  await postLines(deps, signal);
}
