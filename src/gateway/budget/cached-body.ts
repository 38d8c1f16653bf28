import type { CachedBody } from './verify-state';

/** Far above any answer to Verify Payment and small enough for any store. */
const BODY_CHARACTERS_MAX = 65_536;

/** Returns the body to store for later callers, or undefined when it is too long. */
export function cachedBody(body: unknown): CachedBody | undefined {
  if (body === undefined) return undefined;
  try {
    return JSON.stringify(body).length > BODY_CHARACTERS_MAX ? undefined : { value: body };
  } catch {
    // The body is nested too deeply for JSON.stringify. Millime does not cache such a body.
    return undefined;
  }
}
