import { isUint8Array } from 'node:util/types';
import { type BusinessCalendar, businessCalendar, isJsonObject } from '../../kernel';
import { copyInput } from '../codec/copy-input';
import { GatewayError } from '../gateway-error';
import type { WebhookRequest } from './webhook-request';

/** A well-formed request, and the calendar of its time zone. */
export interface TakenRequest extends WebhookRequest {
  readonly rawBody: Uint8Array | undefined;
  readonly calendar: BusinessCalendar;
}

/** The latest time that a signature can have; a larger number counts milliseconds. */
const NOW_MAX_SECS = 99_999_999_999;

/** The signed bytes cannot be restored from a decoded object. */
const NO_BYTES = 'must be the raw bytes of the body (a Buffer), before anything decodes them';

const DEFAULT_CALENDAR = businessCalendar('Africa/Tunis');

/**
 * Reads the receiver's arguments. Without this check, a wrong argument would always appear as a forged or an old
 * webhook. It throws only for mistakes of the receiver; others judge the sender's content.
 *
 * @throws GatewayError `validation`; `fields` names each bad argument and never shows its value.
 */
export function takeWebhookRequest(operation: string, given: WebhookRequest): TakenRequest {
  const request = copyInput(operation, given);
  if (!isJsonObject(request)) throw refusal(operation, { arguments: ['must be one object'] });
  const calendar = calendarOf(request.timeZone);
  const checked = {
    method: reasons(isText(request.method), 'must be a text'),
    target: reasons(isText(request.target), 'must be a text, the raw request target'),
    headers: reasons(isHeaders(request.headers), 'must be an object of texts or lists of texts, as Node gives it'),
    // The body of a GET is not used, and some body parsers set an empty object.
    rawBody: reasons(request.method !== 'POST' || isBytes(request.rawBody), NO_BYTES),
    keys: reasons(isTexts(request.keys), 'must be an array of texts'),
    now: reasons(isSeconds(request.now), `must be unix time in seconds, a number from 0 to ${NOW_MAX_SECS}`),
    timeZone: reasons(calendar !== undefined, 'must be an IANA time zone'),
  };
  const fields = Object.fromEntries(Object.entries(checked).filter(([, found]) => found.length > 0));
  if (calendar === undefined || Object.keys(fields).length > 0) throw refusal(operation, fields);
  return { ...request, rawBody: bytesOf(request.rawBody), calendar };
}

function refusal(operation: string, fields: Readonly<Record<string, readonly string[]>>): GatewayError {
  const message = Object.entries(fields).map(([name, found]) => `${name} ${found.join(', ')}`);
  return new GatewayError('validation', message.join('; '), { operation, fields });
}

function reasons(isGood: boolean, reason: string): readonly string[] {
  return isGood ? [] : [reason];
}

function isBytes(value: unknown): boolean {
  return value === undefined || value === null || typeof value === 'string' || isUint8Array(value);
}

/**
 * Reads a text as its UTF-8 bytes. If decoding lost bytes, the signature does not match and the webhook is rejected.
 */
function bytesOf(value: unknown): Uint8Array | undefined {
  if (typeof value === 'string') return Buffer.from(value, 'utf8');
  return isUint8Array(value) ? value : undefined;
}

/**
 * Returns whether a value is a plain object of headers. `Headers` and `Map` are refused by their `get` function,
 * because they have no entries of their own.
 */
function isHeaders(value: unknown): boolean {
  if (!isJsonObject(value) || typeof value['get'] === 'function') return false;
  return Object.values(value).every((header) => header === undefined || isText(header) || isTexts(header));
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText);
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isSeconds(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= NOW_MAX_SECS;
}

function calendarOf(timeZone: unknown): BusinessCalendar | undefined {
  if (timeZone === undefined || timeZone === DEFAULT_CALENDAR.timeZone) return DEFAULT_CALENDAR;
  if (typeof timeZone !== 'string') return undefined;
  try {
    return businessCalendar(timeZone);
  } catch {
    return undefined; // the runtime does not know the time zone
  }
}
