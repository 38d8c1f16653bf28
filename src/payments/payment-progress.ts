import type { Instant } from '../kernel';
import type { PaymentDetails } from './payments';

/**
 * How far a payment is, as the gateway last reported it.
 *
 * - `queued`, `sending`, `refused`, `unknown`, `abandoned`: the state of its request, before the gateway has it.
 * - `created`: the gateway has it, and no status is known. `waiting`: the customer has not paid yet.
 * - `held`: the money is reserved, to be captured or cancelled.
 * - `refund_sent`, `refund_failed`: a refund at the point of sale.
 * - `other`: a status of the gateway that Millime does not know.
 */
type ProgressCode =
  | 'queued'
  | 'sending'
  | 'refused'
  | 'unknown'
  | 'abandoned'
  | 'created'
  | 'waiting'
  | 'paid'
  | 'held'
  | 'failed'
  | 'expired'
  | 'refunded'
  | 'refund_sent'
  | 'refund_failed'
  | 'other';

/**
 * Whether the gateway owes the money of a payment that is paid. `refunded_elsewhere`: the gateway refunded it without a
 * refund of Millime. `not_owed`: Millime refunded it.
 */
type Availability =
  'not_yet' | 'available' | 'in_payout' | 'sent_to_bank' | 'refunded_elsewhere' | 'not_owed' | 'other';

export interface PaymentProgress {
  readonly code: ProgressCode;
  /** Undefined unless it is paid and the gateway reported a settlement. */
  readonly availability: Availability | undefined;
  /** When the money was first seen available, in the last uninterrupted period. */
  readonly availableSince: Instant | undefined;
}

// The hosted checkout reports words, terminals report codes (interface sections 3.1 and 3.4).
const CODE_OF_STATUS: ReadonlyMap<string, ProgressCode> = new Map([
  ['PENDING', 'waiting'],
  ['PP', 'waiting'],
  ['SUCCESS', 'paid'],
  ['PS', 'paid'],
  ['FAILURE', 'failed'],
  ['SYSTEM_FAILURE', 'failed'],
  ['PF', 'failed'],
  ['EXPIRED', 'expired'],
  ['PREAUTH_SUCCESS', 'held'],
  ['PA', 'held'],
  ['PR', 'refunded'],
  ['RP', 'refund_sent'],
  ['RF', 'refund_failed'],
]);

const AVAILABILITY_OF_STATUS: ReadonlyMap<string, Availability> = new Map([
  ['PROCESSING', 'not_yet'],
  ['AVAILABLE', 'available'],
  ['IN_PAYOUT', 'in_payout'],
  ['PAID', 'sent_to_bank'],
]);

/** Returns how far a payment is. Pure. */
export function progressOf(details: PaymentDetails): PaymentProgress {
  const code = codeOf(details.payment);
  const availability = code === 'paid' ? availabilityOf(details) : undefined;
  const isAvailable = availability !== undefined && isOwed(availability);
  return { code, availability, availableSince: isAvailable ? availableSince(details.observations) : undefined };
}

function codeOf({ requestState, status }: PaymentDetails['payment']): ProgressCode {
  if (requestState !== 'made') return requestState === 'requested' ? 'queued' : requestState;
  return status === undefined ? 'created' : (CODE_OF_STATUS.get(status) ?? 'other');
}

function availabilityOf({ payment, operations }: PaymentDetails): Availability | undefined {
  const { settlementStatus } = payment;
  // The gateway no longer owes a refunded payment, even if an older status check reports otherwise.
  const refund = operations.find(({ kind, state }) => kind === 'refund' && state !== 'refused');
  if (refund?.state === 'done' || settlementStatus === undefined) return undefined;
  if (settlementStatus === 'NOT_APPLICABLE') return refund === undefined ? 'refunded_elsewhere' : 'not_owed';
  return AVAILABILITY_OF_STATUS.get(settlementStatus) ?? 'other';
}

function isOwed(availability: Availability): boolean {
  return availability === 'available' || availability === 'in_payout' || availability === 'sent_to_bank';
}

function availableSince(observations: PaymentDetails['observations']): Instant | undefined {
  let since: Instant | undefined;
  for (const { settlementStatus, observedAt } of observations) {
    if (settlementStatus === undefined) continue;
    const availability = AVAILABILITY_OF_STATUS.get(settlementStatus);
    since = availability !== undefined && isOwed(availability) ? (since ?? observedAt) : undefined;
  }
  return since;
}
