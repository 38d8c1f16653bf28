import { isJsonObject } from '../../kernel';

const TEXT_CHARACTERS_MAX = 1_000_000;

/**
 * Copies an object that JSON can represent without loss. Returns `undefined` for other objects: non-finite numbers,
 * integers beyond 2^53 - 1, bigints, symbols, functions, lone surrogates, circular references, throwing getters, or
 * excessive size.
 */
export function plainJsonObject(value: unknown): Readonly<Record<string, unknown>> | undefined {
  try {
    const text = JSON.stringify(value, (key, inner: unknown) => {
      if (!key.isWellFormed() || !isExact(inner)) throw new TypeError('not exact');
      return inner;
    }) as string | undefined;
    if (text === undefined || text.length > TEXT_CHARACTERS_MAX) return undefined;
    const copy: unknown = JSON.parse(text);
    return isJsonObject(copy) ? copy : undefined;
  } catch {
    return undefined;
  }
}

/** Returns whether JSON represents a value exactly. An undefined field is not sent. */
export function isExact(value: unknown): boolean {
  switch (typeof value) {
    case 'number':
      return Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value);
    case 'string':
      return value.isWellFormed();
    case 'boolean':
    case 'object':
    case 'undefined':
      return true;
    default:
      return false;
  }
}
