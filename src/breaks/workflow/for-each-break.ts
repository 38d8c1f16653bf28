import { AppError, isAppError, type AppErrorCode } from '../../kernel';

/** Far above any backlog; stops a wrong filter. */
export const BREAKS_AT_ONCE_MAX = 10_000;

/** What became of one break of many. */
export type ItemResult =
  | { readonly id: string; readonly outcome: 'done' | 'unchanged' }
  | { readonly id: string; readonly outcome: 'refused'; readonly code: AppErrorCode; readonly reason: string };

/**
 * Does one step to each of many breaks, each in a transaction of its own: what one of them refuses keeps nothing from the
 * others. An internal fault ends it; finished steps stay, and the same command again continues from there.
 *
 * @throws AppError `bad_input` for no break or too many; and every fault.
 */
export async function forEachBreak(
  ids: readonly string[],
  step: (id: string) => Promise<'done' | 'unchanged'>,
): Promise<ItemResult[]> {
  const once = [...new Set(ids)];
  if (once.length === 0) throw new AppError('bad_input', 'no break is named');
  if (once.length > BREAKS_AT_ONCE_MAX) {
    throw new AppError('bad_input', `more than ${BREAKS_AT_ONCE_MAX} breaks at once`);
  }
  const results: ItemResult[] = [];
  for (const id of once) {
    try {
      results.push({ id, outcome: await step(id) });
    } catch (error) {
      if (!isAppError(error, 'not_found', 'conflict')) throw error;
      results.push({ id, outcome: 'refused', code: error.code, reason: error.message });
    }
  }
  return results;
}
