import { isJsonObject, type Millimes } from '../../kernel';
import type { Mismatch } from '../channel';
import type { Payment, PaymentOperation } from '../payment';

/** The fields of a Verify Payment answer that decisions use (interface section 2.1). */
export interface CheckoutAnswer {
  readonly status: string;
  readonly type: string | undefined;
  readonly amount: Millimes | undefined;
  readonly settlementStatus: string | undefined;
  readonly developerTrackingId: string | undefined;
  /** `details.destination` unchanged; an empty list has no meaning. */
  readonly destination: unknown;
  readonly observedAt: number;
}

/** The types of Verify Payment that are channels of the ledger. */
export const BOOKED_TYPES = ['card', 'wallet', 'mpayment'] as const;
export type BookedType = (typeof BOOKED_TYPES)[number];

export function bookedType(type: string | undefined): BookedType | undefined {
  return BOOKED_TYPES.find((name) => name === type);
}

const TEXT_CHARACTERS_MAX = 200;

export interface ComparedFields {
  readonly differing: readonly Mismatch[];
  /** Fields that the answer contains and that equal the request. */
  readonly agreeing: readonly string[];
}

/**
 * Compares an answer with the request: always the tracking id, and the amounts once money was paid. A field that the
 * answer lacks neither differs nor agrees. Pure.
 */
export function findMismatches(
  payment: Payment,
  operations: readonly PaymentOperation[],
  answer: CheckoutAnswer,
): ComparedFields {
  const { status, type, amount, developerTrackingId, destination } = answer;
  const pairs: Mismatch[] = [];
  if (developerTrackingId !== undefined) {
    pairs.push({ field: 'tracking_id', ours: payment.trackingId, theirs: shown(developerTrackingId) });
  }
  if (status === 'SUCCESS' || status === 'PREAUTH_SUCCESS') {
    if (amount !== undefined) {
      pairs.push({ field: 'amount', ours: expectedAmount(payment, operations, answer), theirs: amount });
    }
    if (Array.isArray(destination) && destination.length > 0) {
      const ours = splitText(payment.terms['destination'], 'amountMillimes');
      pairs.push({ field: 'destination', ours, theirs: splitText(destination, 'amount') });
    }
  }
  if (status === 'SUCCESS') {
    const expected = bookedType(type) ?? BOOKED_TYPES.join(', ');
    pairs.push({ field: 'type', ours: expected, theirs: shown(type ?? '') });
  }
  return {
    differing: pairs.filter(({ ours, theirs }) => ours !== theirs),
    agreeing: pairs.filter(({ ours, theirs }) => ours === theirs).map(({ field }) => field),
  };
}

/**
 * Returns the expected amount. For a captured pre-authorization it is the captured amount; if another party captured
 * it, at most the reserved amount.
 */
function expectedAmount(
  { kind, amount, captured }: Payment,
  operations: readonly PaymentOperation[],
  answer: CheckoutAnswer,
): Millimes {
  if (kind !== 'preauthorization' || answer.status !== 'SUCCESS') return amount;
  if (captured !== undefined) return captured;
  const capture = operations.find((each) => each.kind === 'capture' && each.state !== 'refused');
  if (capture?.amount !== undefined) return capture.amount;
  const taken = answer.amount;
  return taken !== undefined && taken > 0 && taken < amount ? taken : amount;
}

/** Returns a split as one text with sorted parts, so that two splits can be compared. */
function splitText(parts: unknown, amountName: string): string {
  if (!Array.isArray(parts)) return '';
  const texts = parts.map((part: unknown) =>
    isJsonObject(part) ? `${plain(part['destination'])}:${plain(part[amountName])}` : plain(part),
  );
  return shown(texts.toSorted().join(' '));
}

function plain(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value ?? null);
}

function shown(text: string): string {
  return text.length <= TEXT_CHARACTERS_MAX ? text : `${text.slice(0, TEXT_CHARACTERS_MAX).toWellFormed()}…`;
}
