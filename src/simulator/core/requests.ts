import { isJsonObject, ownValue } from '../../kernel';
import type { SimRequest } from './operation';

/** Returns a field of the request's body; `undefined` without a body or without the field. */
export function bodyField({ body }: SimRequest, name: string): unknown {
  return isJsonObject(body) ? ownValue(body, name) : undefined;
}

/** Reads an amount of a request: a JSON integer or digits. Returns `undefined` for everything else. */
export function amountOf(value: unknown): number | undefined {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  if (typeof value === 'string' && /^(0|[1-9]\d{0,15})$/.test(value) && Number.isSafeInteger(Number(value))) {
    return Number(value);
  }
  return undefined;
}
