import { isJsonObject, type Millimes } from '../../kernel';
import type { Mismatch } from '../channel';
import type { Payment, PaymentOperation } from '../payment';

/** What Verify Payment says of a payment, as far as we decide by it (interface 2.1). */
export interface CheckoutAnswer {
  readonly status: string;
  readonly type: string | undefined;
  readonly amount: Millimes | undefined;
  readonly settlementStatus: string | undefined;
  readonly developerTrackingId: string | undefined;
  /** `details.destination` as it came; an empty list says nothing. */
  readonly destination: unknown;
  readonly observedAt: number;
}

/** The types of Verify that are channels of the books. */
export const BOOKED_TYPES = ['card', 'wallet', 'mpayment'] as const;
export type BookedType = (typeof BOOKED_TYPES)[number];

export function bookedType(type: string | undefined): BookedType | undefined {
  return BOOKED_TYPES.find((name) => name === type);
}

const TEXT_CHARACTERS_MAX = 200;

export interface ComparedFields {
  readonly differing: readonly Mismatch[];
  /** Fields that were told and are what we asked for. */
  readonly agreeing: readonly string[];
}

/**
 * Compares an answer with what we asked for: our tracking id always, the money once there is some. A field that the
 * gateway left out neither differs nor agrees. Pure.
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

/** Of a pre-authorization that was captured what was taken: by us, or by another party at most what is held. */
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

/** A split as one text, in the order of its parts' text, so that two of them compare. */
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
