import { optionalNumber, optionalText, type Row } from '../../db';
import { toMillimes } from '../../kernel';
import type { Attempt } from './attempt';

/** What the columns of the gateway's words hold. A longer word is not one that we know. */
const WORD_BYTES_MAX = 255;
const WORD_CHARACTERS_KEPT = 60;
const ERROR_CHARACTERS_MAX = 900;

/** The columns that the tables of payments and of subscriptions share. */
export const ATTEMPT_COLUMNS = [
  'tracking_id',
  'reference',
  'live_reference',
  'agent_id',
  'amount_millimes',
  'terms',
  'is_test',
  'request_state',
  'request_error',
  'requested_at',
  'sent_at',
  'link',
  'session_ends_at',
  'status',
  'next_look_at',
  'nudged_at',
  'last_look_at',
  'looks',
  'failed_looks',
  'last_look_error',
  'recorded_by',
] as const;

/** Those that change and are stored as they are, by the field of each. */
export const ATTEMPT_CHANGES = {
  requestState: 'request_state',
  sentAt: 'sent_at',
  link: 'link',
  sessionEndsAt: 'session_ends_at',
  nextCheckAt: 'next_look_at',
  triggeredAt: 'nudged_at',
  lastCheckAt: 'last_look_at',
  checks: 'looks',
  failedChecks: 'failed_looks',
} as const;

/** The gateway's words among them, which may be longer than any that we know. */
export const ATTEMPT_WORDS = { status: 'status', lastCheckError: 'last_look_error' } as const;

type AttemptChange = Partial<Pick<Attempt, 'requestError' | 'isLive' | 'isTest'>>;

/** The gateway's word as a column holds it: cut where it is longer than any word that we know. */
export function word(text: string | undefined): string | null {
  if (text === undefined) return null;
  return Buffer.byteLength(text, 'utf8') <= WORD_BYTES_MAX ? text : text.slice(0, WORD_CHARACTERS_KEPT).toWellFormed();
}

export function toAttempt(row: Row): Attempt {
  return {
    trackingId: row['tracking_id'] as string,
    reference: optionalText(row['reference']),
    isLive: row['live_reference'] !== null,
    agentId: optionalText(row['agent_id']),
    amount: toMillimes(row['amount_millimes']),
    terms: JSON.parse(row['terms'] as string) as Readonly<Record<string, unknown>>,
    isTest: Number(row['is_test']) === 1,
    requestError: optionalText(row['request_error']),
    requestedAt: Number(row['requested_at']),
    sentAt: optionalNumber(row['sent_at']),
    link: optionalText(row['link']),
    sessionEndsAt: optionalNumber(row['session_ends_at']),
    status: optionalText(row['status']),
    nextCheckAt: optionalNumber(row['next_look_at']),
    triggeredAt: optionalNumber(row['nudged_at']),
    lastCheckAt: optionalNumber(row['last_look_at']),
    checks: Number(row['looks']),
    failedChecks: Number(row['failed_looks']),
    lastCheckError: optionalText(row['last_look_error']),
    recordedBy: row['recorded_by'] as string,
  };
}

/** What never changes of an attempt, as a row. */
export function fixedColumns(attempt: Attempt): Record<string, unknown> {
  const { trackingId, reference, agentId, amount, terms, requestedAt, recordedBy } = attempt;
  return {
    tracking_id: trackingId,
    reference: reference ?? null,
    agent_id: agentId ?? null,
    amount_millimes: amount,
    terms: JSON.stringify(terms),
    requested_at: requestedAt,
    recorded_by: recordedBy,
  };
}

/** The columns of the fields that a change names: `undefined` empties one. */
export function changedColumns(
  change: Readonly<Record<string, unknown>> & AttemptChange,
  reference: string | undefined,
  columns: { readonly plain: Readonly<Record<string, string>>; readonly words: Readonly<Record<string, string>> },
): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (const [name, column] of Object.entries(columns.plain)) {
    if (Object.hasOwn(change, name)) row[column] = change[name] ?? null;
  }
  for (const [name, column] of Object.entries(columns.words)) {
    if (Object.hasOwn(change, name)) row[column] = word(change[name] as string | undefined);
  }
  const { requestError, isLive, isTest } = change;
  if (Object.hasOwn(change, 'requestError'))
    row['request_error'] = requestError?.slice(0, ERROR_CHARACTERS_MAX) ?? null;
  if (isLive !== undefined) row['live_reference'] = isLive ? (reference ?? null) : null;
  if (isTest !== undefined) row['is_test'] = isTest ? 1 : 0;
  return row;
}
