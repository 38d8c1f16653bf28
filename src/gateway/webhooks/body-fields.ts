import { type BusinessDate, isJsonObject, type Millimes, ownValue, parseBusinessDate } from '../../kernel';
import { decodeJson } from '../codec/decode-json';
import { decodeMillimes } from '../codec/decode-millimes';

/** A decoded JSON object, with all its fields, known or not (open point 125). */
export type WebhookBody = Readonly<Record<string, unknown>>;

/** The objects of section 6 are flat; a field that we do not know yet may be deeper. */
const DEPTH_MAX = 16;

/**
 * Reads the signed bytes: one JSON object in UTF-8. Of a key that is named twice the last one counts (open point 132).
 */
export function decodeBody(bytes: Uint8Array): WebhookBody | undefined {
  const value = decodeJson(bytes, DEPTH_MAX);
  return isJsonObject(value) ? value : undefined;
}

// Each reader gives undefined for what it cannot read. `null` is the interface's own word for "none", and a field that
// may be null may be absent too.

export function readText(body: WebhookBody, name: string): string | undefined {
  const value = ownValue(body, name);
  return typeof value === 'string' ? value : undefined;
}

/** A text that names something, so that the empty one names nothing. */
export function readId(body: WebhookBody, name: string): string | undefined {
  return readText(body, name) || undefined;
}

export function readNullable<T>(
  read: (body: WebhookBody, name: string) => T | undefined,
  body: WebhookBody,
  name: string,
): T | null | undefined {
  return (ownValue(body, name) ?? null) === null ? null : read(body, name);
}

/** An amount; never negative. */
export function readMillimes(body: WebhookBody, name: string): Millimes | undefined {
  return decodeMillimes(ownValue(body, name));
}

export function readCount(body: WebhookBody, name: string): number | undefined {
  const value = ownValue(body, name);
  return isCount(value) ? value : undefined;
}

export function readDate(body: WebhookBody, name: string): BusinessDate | undefined {
  const value = ownValue(body, name);
  return typeof value === 'string' ? parseBusinessDate(value) : undefined;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
