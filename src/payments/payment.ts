import type { Instant, Millimes } from '../kernel';
import type { Attempt } from './attempts/attempt';

/** How a payment is collected. The first four are variants of the hosted checkout. */
export const PAYMENT_KINDS = ['standard', 'binding', 'preauthorization', 'split', 'pos', 'qr', 'wallet'] as const;
export type PaymentKind = (typeof PAYMENT_KINDS)[number];

/**
 * What became of the request that makes it (open points 53 and 129).
 *
 * - `requested`: written down, to be sent by the queue.
 * - `sending`: in transit, or its process died meanwhile.
 * - `made`: the gateway has it.
 * - `refused`: the gateway has it not, and it said why, or it never left.
 * - `unknown`: nobody knows whether the gateway has it.
 * - `abandoned`: unknown for longer than it could have been paid.
 */
export const REQUEST_STATES = ['requested', 'sending', 'made', 'refused', 'unknown', 'abandoned'] as const;
export type RequestState = (typeof REQUEST_STATES)[number];

/** One attempt to collect money through the gateway, and what we know of it. */
export interface Payment extends Attempt {
  readonly kind: PaymentKind;
  /** The amount less what a split gives to other merchants. */
  readonly ourShare: Millimes;
  readonly requestState: RequestState;
  /** The gateway's: `payment_id`, `service_transaction_id`, `operation_uuid` or `blockchain_ref`. */
  readonly gatewayId: string | undefined;
  readonly settlementStatus: string | undefined;
  /** `card`, `wallet`, `mpayment`, `nfc`, …, as last seen. */
  readonly method: string | undefined;
  /** What was taken of a pre-authorization. */
  readonly captured: Millimes | undefined;
  /** It succeeded in `(succeededAfter, succeededUntil]`; both are the same where the gateway told the time. */
  readonly succeededAfter: Instant | undefined;
  readonly succeededUntil: Instant | undefined;
  /** Under which item its money is in the books; undefined while it is not. A QR code's payments have their own. */
  readonly itemId: string | undefined;
}

/** The operation that reported an observation. */
export const OBSERVATION_SOURCES = [
  'verify',
  'pos_status',
  'qr_verify',
  'qr_history',
  'wallet_history',
  'capture',
  'cancel',
  'refund',
] as const;
export type ObservationSource = (typeof OBSERVATION_SOURCES)[number];

/** What the gateway said about a payment, and when. Appended, never changed. */
export interface PaymentObservation {
  readonly trackingId: string;
  readonly source: ObservationSource;
  readonly observedAt: Instant;
  readonly status: string;
  readonly settlementStatus: string | undefined;
  readonly method: string | undefined;
  readonly amount: Millimes | undefined;
  /** The decoded body as JSON, or empty when it is that of the observation before. Personal data. */
  readonly detail: string;
}

export const OPERATION_KINDS = ['capture', 'cancel', 'refund'] as const;
export type PaymentOperationKind = (typeof OPERATION_KINDS)[number];

export const OPERATION_STATES = ['sending', 'done', 'refused', 'unknown'] as const;

/** A capture, a cancel or a refund: class D, sent once. */
export interface PaymentOperation {
  readonly id: string;
  readonly trackingId: string;
  readonly kind: PaymentOperationKind;
  readonly state: (typeof OPERATION_STATES)[number];
  readonly amount: Millimes | undefined;
  readonly refundId: string | undefined;
  readonly error: string | undefined;
  readonly requestedAt: Instant;
  readonly endedAt: Instant | undefined;
  /** When an unknown outcome is to be asked about next (open point 129). */
  readonly nextCheckAt: Instant | undefined;
  readonly checks: number;
  readonly requestedBy: string;
}
