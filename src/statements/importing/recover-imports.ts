import { postLines, type PostingDeps } from '../effective/post-lines';
import { removeRemains, type RemainsDeps } from './remove-remains';

/**
 * Removes what an import left that died while it was loading, and posts what one did not get to post. Called when a
 * process starts and before a reconciliation, so that a crash needs nobody's hand.
 */
export async function recoverImports(deps: RemainsDeps & PostingDeps, signal?: AbortSignal): Promise<void> {
  await removeRemains(deps);
  await postLines(deps, signal);
}
