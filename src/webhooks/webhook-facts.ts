import { column } from '../db';
import { assert, type Instant, isJsonObject, isOutsideId, type Millimes, toMillimes } from '../kernel';

/** The facts that a signed webhook reports, in one form for all three families. */
export interface WebhookFacts {
  /** False for an event of an unknown name: it is stored and never acted on (open point 112). */
  readonly isKnown: boolean;
  /** The missing or unreadable fields, with the interface's names; if any, only the ids are used. */
  readonly unreadable: readonly string[];
  /** Ids that no column can contain are undefined. */
  readonly paymentId: string | undefined;
  readonly subscriptionId: string | undefined;
  readonly trackingId: string | undefined;
  readonly succeeded: boolean;
  readonly occurredAt: Instant | undefined;
  readonly amount: Millimes | undefined;
  readonly currency: string | undefined;
}

/** The facts of a stored webhook. Undefined in rows of versions that did not store them, and for hints. */
export const FACTS_COLUMN = column.optional(column.json('facts', decodeFacts));

function decodeFacts(stored: unknown): WebhookFacts {
  assert(isJsonObject(stored), 'the facts of a webhook are stored as an object');
  const { isKnown, unreadable, succeeded, occurredAt, amount, currency } = stored;
  assert(typeof isKnown === 'boolean' && typeof succeeded === 'boolean', 'stored facts have their flags');
  assert(Array.isArray(unreadable) && unreadable.every((name) => typeof name === 'string'), 'fields have names');
  assert(occurredAt === undefined || Number.isSafeInteger(occurredAt), 'a stored instant is in milliseconds');
  assert(currency === undefined || typeof currency === 'string', 'a stored currency is text');
  return {
    isKnown,
    unreadable,
    paymentId: idIn(stored, 'paymentId'),
    subscriptionId: idIn(stored, 'subscriptionId'),
    trackingId: idIn(stored, 'trackingId'),
    succeeded,
    occurredAt: occurredAt as Instant | undefined,
    amount: amount === undefined ? undefined : toMillimes(amount),
    currency,
  };
}

function idIn(stored: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const id = stored[name];
  if (id === undefined) return undefined;
  assert(typeof id === 'string' && isOutsideId(id), 'a stored id is one that a column can hold');
  return id;
}
