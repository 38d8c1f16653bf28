import { isJsonObject, ownValue } from '../../kernel';

/**
 * Applies `change` to the current settings: objects field by field, lists as a whole. Unknown fields are kept, so that the
 * decoder of the result can name them.
 */
export function mergeSettings(current: unknown, change: unknown): unknown {
  if (!isJsonObject(current) || !isJsonObject(change)) return change;
  const changed = Object.entries(change).map(([name, value]) => [name, mergeSettings(ownValue(current, name), value)]);
  // fromEntries makes own fields of every name, `__proto__` too.
  return Object.fromEntries([...Object.entries(current), ...changed] as [string, unknown][]);
}
