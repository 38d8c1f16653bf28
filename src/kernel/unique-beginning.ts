import { AppError } from './app-error';

/** Shorter texts name too many ids to be a choice. */
export const BEGINNING_CHARACTERS_MIN = 4;
/** The number of ids that an error lists. */
export const CANDIDATES_SHOWN_MAX = 5;

/** Checks that a text is long enough for a beginning of an id. @throws AppError `not_found`. */
export function requireBeginning(thing: string, text: string): void {
  if (text.length >= BEGINNING_CHARACTERS_MIN) return;
  const fix = `type at least ${BEGINNING_CHARACTERS_MIN} characters of the id`;
  throw new AppError('not_found', { thing, id: text, fix });
}

/**
 * Returns the only id that begins with a text; undefined if none does. The caller has tried the text as an exact id.
 * `found` may end after one id more than an error lists.
 *
 * @throws AppError `ambiguous_id` that lists the first five ids.
 */
export function onlyId(thing: string, text: string, found: readonly string[]): string | undefined {
  const ids = [...new Set(found)];
  if (ids.length <= 1) return ids[0];
  const shown = ids.slice(0, CANDIDATES_SHOWN_MAX);
  throw new AppError('ambiguous_id', { thing, id: text, ids: shown, hasMore: ids.length > shown.length });
}
