import { isJsonObject, ownValue } from '../kernel';

type Body = Readonly<Record<string, unknown>>;

/**
 * Returns whether a body reports an error. The success flag has four possible places (open point 49); one bad flag is
 * enough.
 */
export function bearsSignOfError(body: Body): boolean {
  const inner = resultOf(body);
  return (
    isBadFlag(body, 'success') ||
    isBadFlag(inner, 'success') ||
    isBadNumber(body, 'code') ||
    isBadNumber(body, 'status_code') ||
    (Object.hasOwn(body, 'status') && !isWordOfSuccess(ownValue(body, 'status'))) ||
    isSaid(inner, 'error') ||
    isSaid(body, 'error') ||
    isSaid(body, 'errors') ||
    isSaid(body, 'detail')
  );
}

/** Returns whether one of the success flags reports success. */
export function saysSuccess(body: Body): boolean {
  return (
    ownValue(body, 'success') === true ||
    ownValue(resultOf(body), 'success') === true ||
    isGoodNumber(ownValue(body, 'code')) ||
    isGoodNumber(ownValue(body, 'status_code')) ||
    isWordOfSuccess(ownValue(body, 'status'))
  );
}

function resultOf(body: Body): Body {
  const result = ownValue(body, 'result');
  return isJsonObject(result) ? result : {};
}

function isBadFlag(object: Body, name: string): boolean {
  return Object.hasOwn(object, name) && ownValue(object, name) !== true;
}

/**
 * Returns whether a value reports an error. Null and empty values do not: a good answer may have an unrelated field
 * named `error`.
 */
function isSaid(object: Body, name: string): boolean {
  const value = ownValue(object, name);
  const empty = value === undefined || value === null || value === '' || value === false;
  return !empty && !(Array.isArray(value) && value.length === 0);
}

function isBadNumber(object: Body, name: string): boolean {
  return Object.hasOwn(object, name) && !isGoodNumber(ownValue(object, name));
}

function isGoodNumber(value: unknown): boolean {
  return typeof value === 'number' && (value === 0 || (value >= 200 && value < 300));
}

function isWordOfSuccess(value: unknown): boolean {
  return typeof value === 'string' && value.toLowerCase() === 'success';
}
