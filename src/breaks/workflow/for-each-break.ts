import { AppError, isAppError } from '../../kernel';

/** Far above any backlog: a wrong filter must not change thousands of breaks. */
export const BREAKS_AT_ONCE_MAX = 10_000;

/** The result for one of many breaks. */
export type ItemResult =
  | { readonly id: string; readonly outcome: 'done' | 'unchanged' }
  | { readonly id: string; readonly outcome: 'refused'; readonly error: AppError };

/**
 * Applies one step to each of many breaks, each in its own transaction. A refusal for one does not affect the others.
 * An internal fault ends the loop. Finished steps stay, and repeating the command continues from there.
 * @throws AppError `bad_input` for no break or too many breaks; and every other fault.
 */
export async function forEachBreak(
  ids: readonly string[],
  step: (id: string) => Promise<'done' | 'unchanged'>,
): Promise<ItemResult[]> {
  const once = [...new Set(ids)];
  if (once.length === 0) throw new AppError('bad_input', { field: 'ids', expected: 'at least one break id' });
  if (once.length > BREAKS_AT_ONCE_MAX) {
    throw new AppError('bad_input', {
      field: 'ids',
      expected: `at most ${BREAKS_AT_ONCE_MAX} break ids`,
      got: once.length,
    });
  }
  const results: ItemResult[] = [];
  for (const id of once) {
    try {
      results.push({ id, outcome: await step(id) });
    } catch (error) {
      if (!isAppError(error, 'not_found', 'conflict')) throw error;
      results.push({ id, outcome: 'refused', error });
    }
  }
  return results;
}
