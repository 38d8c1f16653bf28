import { type Column, column } from '../db';
import { assert, type Instant, isJsonObject, parseInstant } from '../kernel';
import type { Attempt } from './attempt';

/** The maximum length of a gateway word in a column. Millime knows no longer word. */
const WORD_BYTES_MAX = 255;
const WORD_CHARACTERS_KEPT = 60;
const ERROR_CHARACTERS_MAX = 900;

/** The columns shared by the tables of payments and of subscriptions. */
export const ATTEMPT_FIELDS = {
  trackingId: column.text('tracking_id'),
  reference: column.optional(column.text('reference')),
  /** The reference while the attempt is live. Its unique key allows only one live attempt per reference. */
  liveReference: column.optional(column.text('live_reference')),
  agentId: column.optional(column.text('agent_id')),
  amount: column.millimes('amount_millimes'),
  terms: column.json('terms', readTerms),
  isTest: column.flag('is_test'),
  requestError: column.optional(errorText('request_error')),
  requestedAt: column.number('requested_at'),
  sentAt: column.optional(column.number('sent_at')),
  link: column.optional(column.text('link')),
  sessionEndsAt: column.optional(column.number('session_ends_at')),
  status: column.optional(gatewayWord('status')),
  nextCheckAt: column.optional(column.number('next_look_at')),
  triggeredAt: column.optional(column.number('nudged_at')),
  lastCheckAt: column.optional(column.number('last_look_at')),
  checks: column.number('looks'),
  failedChecks: column.number('failed_looks'),
  lastCheckError: column.optional(gatewayWord('last_look_error')),
  recordedBy: column.text('recorded_by'),
} as const;

/** Returns a column for a gateway word. A word longer than any that Millime knows is stored shortened. */
export function gatewayWord(name: string): Column<string> {
  return { ...column.text(name), write: shortWord };
}

/** Returns a column for the sentence of a fault, which is stored shortened. */
export function errorText(name: string): Column<string> {
  return { ...column.text(name), write: (text) => text.slice(0, ERROR_CHARACTERS_MAX) };
}

function shortWord(text: string): string {
  return Buffer.byteLength(text, 'utf8') <= WORD_BYTES_MAX ? text : text.slice(0, WORD_CHARACTERS_KEPT).toWellFormed();
}

function readTerms(value: unknown): Attempt['terms'] {
  assert(isJsonObject(value), 'the terms of an attempt are a JSON object');
  return value;
}

/** Replaces the stored `liveReference` of a row by `isLive`. */
export function withIsLive<Stored extends { readonly liveReference: string | undefined }>({
  liveReference,
  ...stored
}: Stored): Omit<Stored, 'liveReference'> & { readonly isLive: boolean } {
  return { ...stored, isLive: liveReference !== undefined };
}

/** Adds the `liveReference` to store if a change sets whether the attempt is live. */
export function withLiveReference<Change extends { readonly isLive?: boolean }>(
  change: Change,
  reference: string | undefined,
): Change & { readonly liveReference?: string | undefined } {
  if (change.isLive === undefined) return change;
  return { ...change, liveReference: change.isLive ? reference : undefined };
}

/** Returns the instant of a field of the gateway's answer; undefined if the answer lacks it. */
export function instantOf(text: string | null | undefined): Instant | undefined {
  return text === null || text === undefined ? undefined : parseInstant(text);
}
