import { isJsonObject, ownValue } from '../../kernel';

/**
 * Applies `change` to the current settings: objects field by field, lists as a whole. Keeps unknown fields, so that the
 * decoder can report them.
 */
export function mergeSettings(current: unknown, change: unknown): unknown {
  if (!isJsonObject(current) || !isJsonObject(change)) return change;
  const changed = Object.entries(change).map(([name, value]) => [name, mergeSettings(ownValue(current, name), value)]);
  // fromEntries creates an own field for every name, even `__proto__`.
  return Object.fromEntries([...Object.entries(current), ...changed] as [string, unknown][]);
}
