import type { Instant } from '../../kernel';

export type PaymentVariant = 'standard' | 'binding' | 'preauthorization' | 'split' | 'subscription';
export type PaymentStatus = 'PENDING' | 'SUCCESS' | 'EXPIRED' | 'FAILURE' | 'PREAUTH_SUCCESS' | 'SYSTEM_FAILURE';
export type PaymentType = 'card' | 'wallet' | 'mpayment' | 'NA';

/** A payment of the hosted checkout; a charge of a subscription is one too. */
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
  /** Made with a test application: no money moves, whatever the setting says later. */
  readonly isTest: boolean;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
  /** The subscription that it is a charge of. */
  readonly subscriptionId: string | null;
  status: PaymentStatus;
  type: PaymentType;
  /** When it was paid, or failed for good. */
  settledAt: Instant | null;
  /** When its money became, or becomes, the merchant's to be paid out; null while there is none. */
  availableAt: Instant | null;
  /** Of a pre-authorization: what became of the hold. */
  hold: 'none' | 'held' | 'captured' | 'cancelled';
  /** The amount that was debited: less than `amountMillimes` after a partial capture. */
  takenMillimes: number;
  refund: { readonly refundId: string; readonly refundedAt: Instant } | null;
  /** The payment method that the first success of a binding saved. */
  bindingId: string | null;
}

export interface SimBinding {
  readonly bindingId: string;
  readonly clientId: string;
  /** Empty when no card was saved. */
  readonly cardLastFour: string;
  readonly cardBrand: string;
  readonly status: string;
  readonly createdAt: Instant;
}

/** How often Verify Payment was called, as far as its limit needs to know. */
export interface VerifyCalls {
  /** The calls of the last minute that were let through, the oldest first. */
  readonly allowedAt: readonly Instant[];
  /** The calls over the limit, with less than a minute between one and the next. */
  readonly refused: number;
  readonly lastRefusedAt: Instant | null;
  readonly bannedUntil: Instant | null;
}

export interface CheckoutState {
  payments: Record<string, SimPayment>;
  bindings: Record<string, SimBinding>;
  /**
   * The bindings of each client that a payment named, by `clientKey`: a client whose payments all failed has none, and
   * is known all the same.
   */
  bindingIdsOfClients: Record<string, readonly string[]>;
  verifyCalls: VerifyCalls;
}

export const NO_VERIFY_CALLS: VerifyCalls = { allowedAt: [], refused: 0, lastRefusedAt: null, bannedUntil: null };

export function emptyCheckoutState(): CheckoutState {
  return { payments: {}, bindings: {}, bindingIdsOfClients: {}, verifyCalls: NO_VERIFY_CALLS };
}

/** A key that no object has of its own accord: callers choose `client_id`, and may choose `__proto__`. */
export function clientKey(clientId: string): string {
  return `client:${clientId}`;
}

declare module '../core/world' {
  interface World {
    readonly checkout: CheckoutState;
  }
}
