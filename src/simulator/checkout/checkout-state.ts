import type { Instant } from '../../kernel';

export type PaymentVariant = 'standard' | 'binding' | 'preauthorization' | 'split' | 'subscription';
export type PaymentStatus = 'PENDING' | 'SUCCESS' | 'EXPIRED' | 'FAILURE' | 'PREAUTH_SUCCESS' | 'SYSTEM_FAILURE';
export type PaymentType = 'card' | 'wallet' | 'mpayment' | 'NA';

/** A payment of the hosted checkout, or a charge of a subscription. */
export interface SimPayment {
  readonly paymentId: string;
  readonly variant: PaymentVariant;
  readonly amountMillimes: number;
  readonly successLink: string;
  readonly failLink: string;
  readonly webhook: string | null;
  readonly webhookVersion: 1 | 2;
  readonly developerTrackingId: string | null;
  readonly acceptCard: boolean;
  readonly clientId: string | null;
  readonly imageUrl: string | null;
  readonly destination: readonly { readonly amount: number; readonly destination: string }[];
  /** Created with a test application: it moves no money, even if the setting changes later. */
  readonly isTest: boolean;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
  /** The subscription whose charge this is. */
  readonly subscriptionId: string | null;
  status: PaymentStatus;
  type: PaymentType;
  /** When the payment succeeded or finally failed. */
  settledAt: Instant | null;
  /** When its money became or becomes available for a payout; null while it has none. */
  availableAt: Instant | null;
  /** The state of a pre-authorization's reserved amount. */
  hold: 'none' | 'held' | 'captured' | 'cancelled';
  /** The debited amount: less than `amountMillimes` after a partial capture. */
  takenMillimes: number;
  refund: { readonly refundId: string; readonly refundedAt: Instant } | null;
  /** The payment method that the first success of a binding saved. */
  bindingId: string | null;
}

export interface SimBinding {
  readonly bindingId: string;
  readonly clientId: string;
  /** Empty if no card was saved. */
  readonly cardLastFour: string;
  readonly cardBrand: string;
  readonly status: string;
  readonly createdAt: Instant;
}

/** The calls of Verify Payment that its limit needs. */
export interface VerifyCalls {
  /** The admitted calls of the last minute, oldest first. */
  readonly allowedAt: readonly Instant[];
  /** The number of consecutive calls over the limit, each less than a minute after the one before. */
  readonly refused: number;
  readonly lastRefusedAt: Instant | null;
  readonly bannedUntil: Instant | null;
}

export interface CheckoutState {
  payments: Record<string, SimPayment>;
  bindings: Record<string, SimBinding>;
  /**
   * The bindings of each client that a payment named, by `clientKey`. A client whose payments all failed is known but
   * has no bindings.
   */
  bindingIdsOfClients: Record<string, readonly string[]>;
  verifyCalls: VerifyCalls;
}

export const NO_VERIFY_CALLS: VerifyCalls = { allowedAt: [], refused: 0, lastRefusedAt: null, bannedUntil: null };

export function emptyCheckoutState(): CheckoutState {
  return { payments: {}, bindings: {}, bindingIdsOfClients: {}, verifyCalls: NO_VERIFY_CALLS };
}

/** Returns a key that no object inherits: callers choose `client_id`, and may choose `__proto__`. */
export function clientKey(clientId: string): string {
  return `client:${clientId}`;
}

declare module '../core/world' {
  interface World {
    readonly checkout: CheckoutState;
  }
}
