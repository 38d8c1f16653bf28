import type { Millime } from '../compose';
import type { IdKind } from '../reporting';

/** Millime's ids in full. */
export const FULL_ID = /^[0-9A-HJKMNP-TV-Z]{26}$/;

/**
 * Returns the id that a user names by itself or by a unique beginning of at least 4 characters.
 *
 * @throws AppError `ambiguous_id` that lists up to five ids.
 */
export async function fullId(
  millime: Pick<Millime, 'reporting'>,
  text: string,
  ...kinds: readonly IdKind[]
): Promise<string> {
  // A full id needs no search.
  return FULL_ID.test(text) ? text : millime.reporting.fullId(kinds, text);
}
