import type { CachedBody } from './verify-state';

/** Far above any answer to Verify Payment, far below what hurts a store. */
const BODY_CHARACTERS_MAX = 65_536;

/** What of an answer is kept for those who ask again: all of it, or nothing when it is too long. */
export function cachedBody(body: unknown): CachedBody | undefined {
  if (body === undefined) return undefined;
  try {
    return JSON.stringify(body).length > BODY_CHARACTERS_MAX ? undefined : { value: body };
  } catch {
    // Nested deeper than can be written: such an answer is not needed twice.
    return undefined;
  }
}
