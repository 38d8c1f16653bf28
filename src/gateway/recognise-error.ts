import { isJsonObject, ownValue } from '../kernel';
import type { GatewayErrorCode } from './gateway-error';

/** What an error body says, in one form for all six of its shapes. */
export interface RecognisedError {
  readonly code: GatewayErrorCode;
  readonly message: string;
  readonly gatewayCode?: string;
  readonly fields?: Readonly<Record<string, readonly string[]>>;
}

const UNKNOWN_SHAPE: RecognisedError = { code: 'unexpected_shape', message: 'an error in an unknown shape' };

type Body = Readonly<Record<string, unknown>>;

/** Refusals of the platform in `result.error` (interface section 7.1) whose meaning is not "refused". */
const PLATFORM_CODES: ReadonlyMap<string, GatewayErrorCode> = new Map([
  ['merchant_not_allowed', 'permission'],
  ['merchant_wallet_inactive', 'permission'],
  ['affiliation_inactive', 'permission'],
  ['recurring_payments_disabled', 'unavailable'],
  ['duplicate_developer_tracking_id', 'duplicate_tracking_id'],
]);

const STATUS_CODES: ReadonlyMap<number, GatewayErrorCode> = new Map([
  [400, 'validation'],
  [422, 'validation'],
  [401, 'authentication'],
  [403, 'permission'],
  [404, 'not_found'],
  [409, 'conflict'],
  [429, 'rate_limited'],
]);

/**
 * Recognises the error shapes of the interface (section 7; open points 48 to 52), in an order in which none hides
 * another. The body decides; the HTTP status only says what a body leaves open.
 *
 * @returns `undefined` when the body bears no sign of an error; `unexpected_shape` when it bears one (a flag that is not
 *   good) but has none of the known shapes.
 */
export function recogniseError(body: unknown, httpStatus: number): RecognisedError | undefined {
  if (!isJsonObject(body)) return undefined;
  const result = ownValue(body, 'result');
  return (
    platformRefusal(result, httpStatus) ??
    statusInResult(result) ??
    wordCode(body) ??
    numberCode(body, httpStatus) ??
    detail(body, httpStatus) ??
    fieldReasons(body, httpStatus) ??
    (bearsSignOfError(body) ? UNKNOWN_SHAPE : undefined)
  );
}

/** `{result: {error, details, success: false}, code: 1}` */
function platformRefusal(result: unknown, httpStatus: number): RecognisedError | undefined {
  const error = isJsonObject(result) ? ownValue(result, 'error') : undefined;
  if (typeof error !== 'string' || error === '') return undefined;
  const byStatus = codeOfStatus(httpStatus);
  const fallback = byStatus === undefined || byStatus === 'validation' ? 'refused' : byStatus;
  return { code: PLATFORM_CODES.get(error) ?? fallback, message: error, gatewayCode: error };
}

/** `{result: {status: 404, message}}`: an integer where a good answer has a word (open point 19). */
function statusInResult(result: unknown): RecognisedError | undefined {
  const status = isJsonObject(result) ? ownValue(result, 'status') : undefined;
  if (typeof status !== 'number' || !isJsonObject(result)) return undefined;
  const code = codeOfStatus(status) ?? 'unexpected_shape';
  return { code, message: messageOf(result), gatewayCode: String(status) };
}

/** `{status: "error", message, code: "REFUND_NOT_ALLOWED"}` */
function wordCode(body: Body): RecognisedError | undefined {
  const code = ownValue(body, 'code');
  if (!isErrorWord(ownValue(body, 'status')) || typeof code !== 'string' || code === '') return undefined;
  return { code: 'refused', message: messageOf(body), gatewayCode: code };
}

/** `{success: false, code: 403, message}`, and `{success: false, message: "subscription_not_found", code: 1}` */
function numberCode(body: Body, httpStatus: number): RecognisedError | undefined {
  const code = ownValue(body, 'code');
  const message = messageOf(body);
  if (ownValue(body, 'success') !== false || message === '') return undefined;
  if (message === 'subscription_not_found') return { code: 'not_found', message, gatewayCode: message };
  // Open point 79: the number in the body wins over the status. The envelope's own 1 says only that it failed.
  const known = typeof code === 'number' && code >= 100 ? code : ownValue(body, 'status_code');
  const status = typeof known === 'number' ? known : httpStatus;
  const gatewayCode = typeof code === 'number' || typeof code === 'string' ? { gatewayCode: String(code) } : {};
  return { code: codeOfStatus(status) ?? 'refused', message, ...gatewayCode };
}

/** `{detail}` */
function detail(body: Body, httpStatus: number): RecognisedError | undefined {
  const text = ownValue(body, 'detail');
  if (typeof text !== 'string' || text === '') return undefined;
  // Under a good status nobody knows whether it is a refusal or a remark.
  return { code: codeOfStatus(httpStatus) ?? 'unexpected_shape', message: text };
}

/** `{<field>: [<reason>]}` without an envelope; `{name: ["too long"]}` too, whose `name` is else the envelope's (52). */
function fieldReasons(body: Body, httpStatus: number): RecognisedError | undefined {
  const all = Object.entries(body);
  const entries = all.filter(([, reasons]) => isReasons(reasons));
  if (entries.length === 0 || ENVELOPE_KEYS.some((key) => Object.hasOwn(body, key))) return undefined;
  // Under a good status a list of texts among other fields may be a new field of a good answer: no refusal for sure.
  if (entries.length < all.length && codeOfStatus(httpStatus) === undefined) return UNKNOWN_SHAPE;
  const fields = Object.fromEntries(entries) as Record<string, readonly string[]>;
  return { code: 'validation', message: `refused: ${Object.keys(fields).join(', ')}`, fields };
}

const ENVELOPE_KEYS = ['result', 'results', 'success', 'transactions'] as const;

function isReasons(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((reason) => typeof reason === 'string');
}

/** Open point 49: a flag of success stands in one of four places, and any that is not good wins. */
function bearsSignOfError(body: Body): boolean {
  const result = ownValue(body, 'result');
  const inner = isJsonObject(result) ? result : {};
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

function isBadFlag(object: Body, name: string): boolean {
  return Object.hasOwn(object, name) && ownValue(object, name) !== true;
}

/** Null and empty say nothing: an unknown field of a good answer may well be called `error`. */
function isSaid(object: Body, name: string): boolean {
  const value = ownValue(object, name);
  const empty = value === undefined || value === null || value === '' || value === false;
  return !empty && !(Array.isArray(value) && value.length === 0);
}

function isBadNumber(object: Body, name: string): boolean {
  if (!Object.hasOwn(object, name)) return false;
  const value = ownValue(object, name);
  return typeof value !== 'number' || !(value === 0 || (value >= 200 && value < 300));
}

function isErrorWord(value: unknown): boolean {
  return typeof value === 'string' && ['error', 'failure', 'failed', 'fail'].includes(value.toLowerCase());
}

function isWordOfSuccess(value: unknown): boolean {
  return typeof value === 'string' && value.toLowerCase() === 'success';
}

/** The code for a status that means an error; `undefined` for the others. */
export function codeOfStatus(status: number): GatewayErrorCode | undefined {
  if (!Number.isInteger(status) || status < 400 || status > 599) return undefined;
  return STATUS_CODES.get(status) ?? (status >= 500 ? 'unavailable' : 'refused');
}

function messageOf(object: Body): string {
  const message = ownValue(object, 'message');
  return typeof message === 'string' ? message : '';
}
