import type { BreakClass, Direction, NewBreak } from '../breaks';
import type { BusinessDate, Millimes } from '../kernel';

/** The fields of a subscription that must equal the request; they identify its breaks. */
export const MATCHED_FIELDS = [
  'amount',
  'currency',
  'interval',
  'interval_count',
  'max_cycles',
  'developer_tracking_id',
  'subscription_id',
] as const;
export type MatchedField = (typeof MATCHED_FIELDS)[number];

const FACT_CHARACTERS_MAX = 200;

type Said = string | number | null | undefined;

export function mismatchFingerprint(trackingId: string, field: MatchedField): string {
  return `webhook_mismatch:${trackingId}:${field}`;
}

/** Returns the fingerprint of a single charge's mismatch, which prevents posting only that charge. */
export function chargeMismatchFingerprint(paymentId: string): string {
  return `webhook_mismatch:${paymentId}:amount`;
}

/**
 * Returns the break of a subscription that differs from its request. While the gateway answers so, none of its charges
 * is posted.
 */
export function mismatchBreak(
  trackingId: string,
  { field, ours, theirs }: { readonly field: MatchedField; readonly ours: Said; readonly theirs: Said },
  since: BusinessDate,
): NewBreak {
  return {
    fingerprint: mismatchFingerprint(trackingId, field),
    breakClass: 'webhook_mismatch',
    since,
    amount: undefined,
    direction: 'may_have_moved',
    subject: { itemIds: [], lineIds: [], facts: { trackingId, field, ours: fact(ours), theirs: fact(theirs) } },
  };
}

export interface ChargeBreak {
  readonly breakClass: BreakClass;
  readonly fingerprint: string;
  readonly trackingId: string;
  readonly paymentIds: readonly string[];
  readonly amount: Millimes | undefined;
  /** By default `may_have_moved`. */
  readonly direction?: Direction;
  readonly since: BusinessDate;
  readonly facts?: Readonly<Record<string, Said>>;
}

export function chargeBreak({
  breakClass,
  fingerprint,
  trackingId,
  paymentIds,
  amount,
  direction = 'may_have_moved',
  since,
  facts = {},
}: ChargeBreak): NewBreak {
  const said = Object.entries(facts).map(([name, value]) => [name, fact(value)] as const);
  const itemIds = paymentIds.map((paymentId) => `payment:${paymentId}`);
  const subject = { itemIds, lineIds: [], facts: { trackingId, ...Object.fromEntries(said) } };
  return { fingerprint, breakClass, since, amount, direction, subject };
}

/** Shortens a gateway word, which may have any length. */
function fact(value: Said): string | number {
  if (typeof value === 'number') return value;
  return (value ?? 'none').slice(0, FACT_CHARACTERS_MAX).toWellFormed();
}
