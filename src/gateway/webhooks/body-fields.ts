import { type BusinessDate, isJsonObject, type Millimes, ownValue, parseBusinessDate } from '../../kernel';
import { decodeJson } from '../codec/decode-json';
import { decodeMillimes } from '../codec/decode-millimes';

/** A decoded JSON object, with all its fields, known or not (open point 125). */
export type WebhookBody = Readonly<Record<string, unknown>>;

/** The objects of section 6 are flat; a future field may be deeper. */
const DEPTH_MAX = 16;

/** Reads the signed bytes: one JSON object in UTF-8. If a key repeats, its last value counts (open point 132). */
export function decodeBody(bytes: Uint8Array): WebhookBody | undefined {
  const value = decodeJson(bytes, DEPTH_MAX);
  return isJsonObject(value) ? value : undefined;
}

// Each reader returns undefined for an unreadable value. The interface writes `null` for "none", and a nullable field
// may be absent.

export function readText(body: WebhookBody, name: string): string | undefined {
  const value = ownValue(body, name);
  return typeof value === 'string' ? value : undefined;
}

/** Reads a text that identifies something, so an empty text counts as absent. */
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

/** Reads an amount; never negative. */
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
