import type { Attempt, RequestState } from '../attempts';
import type { Instant, Millimes } from '../kernel';

/** The variants of the hosted checkout. */
export const CHECKOUT_KINDS = ['standard', 'binding', 'preauthorization', 'split'] as const;
export type CheckoutKind = (typeof CHECKOUT_KINDS)[number];

/** How a payment is collected. */
export const PAYMENT_KINDS = [...CHECKOUT_KINDS, 'pos', 'qr', 'wallet'] as const;
export type PaymentKind = (typeof PAYMENT_KINDS)[number];

export function isCheckout(kind: PaymentKind): kind is CheckoutKind {
  return CHECKOUT_KINDS.some((checkout) => checkout === kind);
}

/** One attempt to collect money through the gateway, and its last known state. */
export interface Payment extends Attempt {
  readonly kind: PaymentKind;
  /** The amount in millimes, less the parts of a split for other merchants. */
  readonly ourShare: Millimes;
  readonly requestState: RequestState;
  /** The gateway's id: `payment_id`, `service_transaction_id`, `operation_uuid` or `blockchain_ref`. */
  readonly gatewayId: string | undefined;
  readonly settlementStatus: string | undefined;
  /** `card`, `wallet`, `mpayment`, `nfc`, …, as last seen. */
  readonly method: string | undefined;
  /** The captured amount of a pre-authorization. */
  readonly captured: Millimes | undefined;
  /** It succeeded in `(succeededAfter, succeededUntil]`; both are equal if the gateway reported the time. */
  readonly succeededAfter: Instant | undefined;
  readonly succeededUntil: Instant | undefined;
  /** The item of its money; undefined until it is posted. The payments of a QR code have their own items. */
  readonly itemId: string | undefined;
}

/** Returns when the payment was sent to the gateway, as far as Millime knows. */
export function startOf({ sentAt, requestedAt }: Pick<Payment, 'sentAt' | 'requestedAt'>): Instant {
  return sentAt ?? requestedAt;
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

/** The gateway's answer about a payment, and its instant. Appended, never changed. */
export interface PaymentObservation {
  readonly trackingId: string;
  readonly source: ObservationSource;
  readonly observedAt: Instant;
  readonly status: string;
  readonly settlementStatus: string | undefined;
  readonly method: string | undefined;
  readonly amount: Millimes | undefined;
  /** The decoded body as JSON, or empty if it repeats the observation before. Personal data. */
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
  /** When an unknown outcome is checked next (open point 129). */
  readonly nextCheckAt: Instant | undefined;
  readonly checks: number;
  readonly requestedBy: string;
}
