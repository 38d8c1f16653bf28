import { errorFields, isErrorLike } from './error-fields';
import { fieldRule } from './field-names';
import { REDACTED, redactText } from './secret-text';

const DEPTH_MAX = 6;
const ITEMS_MAX = 100;
const NAME_CHARACTERS_MAX = 100;
const TEXT_CHARACTERS_MAX = 8 * 1024;

/** Limits of one record, over all its fields. */
const VALUES_MAX = 2_000;
const ALL_TEXT_CHARACTERS_MAX = 64 * 1024;

const PERSONAL = '[personal]';
const UNREADABLE = '[unreadable]';

/**
 * Two characters distinguish most agents of a small group and identify none. For a short id they would reveal too much.
 */
const MASK_KEEPS = 2;
const MASK_FROM = 6;

interface Budget {
  values: number;
  characters: number;
}

/**
 * Copies a log record without secrets and personal data, which it recognizes by field names and text patterns. It
 * always ends (cycles, very large values, throwing getters) and never throws.
 */
export function redact(value: unknown): unknown {
  return shown(value, 0, { values: VALUES_MAX, characters: ALL_TEXT_CHARACTERS_MAX });
}

function shown(value: unknown, depth: number, budget: Budget): unknown {
  budget.values -= 1;
  if (budget.values < 0) return '[cut]';
  if (typeof value === 'string') return shownText(value, budget);
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'bigint' || typeof value === 'symbol') return shownText(String(value), budget);
  if (typeof value === 'function') return '[function]';
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= DEPTH_MAX) return '[deep]';
  try {
    return shownObject(value, depth, budget);
  } catch {
    return UNREADABLE;
  }
}

function shownObject(value: object, depth: number, budget: Budget): unknown {
  const inner = (item: unknown): unknown => shown(item, depth + 1, budget);
  if (Array.isArray(value)) return shownItems(value.slice(0, ITEMS_MAX), value.length, inner);
  if (value instanceof Set) return shownItems([...value].slice(0, ITEMS_MAX), value.size, inner);
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
  if (value instanceof URL || value instanceof RegExp) return shownText(String(value), budget);
  return shownFields(isErrorLike(value) ? errorFields(value) : value, inner, budget);
}

function shownItems(items: readonly unknown[], length: number, inner: (item: unknown) => unknown): unknown[] {
  const list = Array.from(items, inner); // unlike map, Array.from fills holes
  return length > list.length ? [...list, `[${length - list.length} more]`] : list;
}

/** Copies the fields through entries, so that a field named `__proto__` is an ordinary field. */
function shownFields(source: object, inner: (item: unknown) => unknown, budget: Budget): unknown {
  const fields: Map<unknown, unknown> | undefined = source instanceof Map ? source : undefined;
  const names = [...(fields?.keys() ?? Object.keys(source))];
  const besideKty = names.includes('kty');
  const entries = names.slice(0, ITEMS_MAX).map((key): [string, unknown] => {
    const name = typeof key === 'string' || typeof key === 'number' ? String(key) : `[${typeof key}]`;
    const read = (): unknown => (fields === undefined ? source[name as keyof typeof source] : fields.get(key));
    return [shownText(name.slice(0, NAME_CHARACTERS_MAX), budget), shownField(name, besideKty, read, inner)];
  });
  const left = names.length - entries.length;
  return Object.fromEntries(left === 0 ? entries : [...entries, ['[more]', left]]);
}

function shownField(name: string, besideKty: boolean, read: () => unknown, inner: (item: unknown) => unknown): unknown {
  const rule = fieldRule(name, besideKty);
  if (rule === 'secret') return REDACTED;
  try {
    const value = read();
    if (rule === 'plain' || value === undefined || value === null) return inner(value);
    return rule === 'personal' ? PERSONAL : masked(value);
  } catch {
    return UNREADABLE;
  }
}

/**
 * Masks an id or a telephone number, or each of a list. A digest would not help: the ids are so few that all can be
 * tried.
 */
function masked(value: unknown): unknown {
  if (Array.isArray(value)) return Array.from(value.slice(0, ITEMS_MAX), masked);
  if (typeof value !== 'string' && typeof value !== 'number') return PERSONAL;
  const characters = Array.from(String(value).slice(-2 * MASK_FROM));
  return characters.length < MASK_FROM ? PERSONAL : `***${characters.slice(-MASK_KEEPS).join('')}`;
}

/**
 * Shortens the text before searching it, to limit the time. A shortened text ends with a whole word, because half a
 * secret would not be recognized.
 */
function shownText(text: string, budget: Budget): string {
  const room = Math.min(TEXT_CHARACTERS_MAX, budget.characters);
  const fits = text.length <= room;
  const kept = fits ? text : text.slice(0, text.slice(0, room).search(/(?<!\S)\S*$/));
  budget.characters -= kept.length;
  return fits ? redactText(kept) : `${redactText(kept)}[cut, ${text.length} characters]`;
}
