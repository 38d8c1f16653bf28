/** Why a text is refused, even if JSON.parse accepts it. */
export type JsonFault = 'not_json' | 'too_deep' | 'duplicate_key';

export type StrictJson = { ok: true; value: unknown } | { ok: false; fault: JsonFault };

export interface StrictJsonOptions {
  /** The maximum nesting of objects and arrays. */
  depthMax: number;
  /** Refuses an object that repeats a key. JSON.parse uses the last value; another parser may use the first. */
  refuseDuplicateKeys?: boolean;
}

/**
 * Parses JSON with limits against hostile input. The depth is counted on the text, before parsing, so a body of
 * brackets costs nothing.
 */
export function parseStrictJson(text: string, options: StrictJsonOptions): StrictJson {
  if (nestingOf(text) > options.depthMax) return { ok: false, fault: 'too_deep' };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: false, fault: 'not_json' };
  }
  if (options.refuseDuplicateKeys === true && keysWritten(text) !== keysKept(value)) {
    return { ok: false, fault: 'duplicate_key' };
  }
  return { ok: true, value };
}

/** Returns whether a decoded JSON value is an object, not null and not an array. */
export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns an own property of a decoded object, never one of its prototype (`__proto__`, `constructor`). */
export function ownValue(object: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

function nestingOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (const character of outsideStrings(text)) {
    if (character === '{' || character === '[') deepest = Math.max(deepest, (depth += 1));
    else if (character === '}' || character === ']') depth -= 1;
  }
  return deepest;
}

/** Counts keys by their colons: in valid JSON, a colon outside a string always follows a key. */
function keysWritten(text: string): number {
  let count = 0;
  for (const character of outsideStrings(text)) if (character === ':') count += 1;
  return count;
}

function keysKept(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const own = Array.isArray(value) ? 0 : Object.keys(value).length;
  return Object.values(value).reduce<number>((sum, inner) => sum + keysKept(inner), own);
}

function* outsideStrings(text: string): Generator<string> {
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] as string;
    if (inString && character === '\\') at += 1;
    else if (character === '"') inString = !inString;
    else if (!inString) yield character;
  }
}
