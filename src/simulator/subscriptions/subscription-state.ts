import type { BusinessDate, Instant } from '../../kernel';
import type { PaymentStatus } from '../checkout/checkout-state';
import type { BillingCycle } from './billing-cycle';

export type SubscriptionStatus = 'incomplete' | 'incomplete_expired' | 'active' | 'past_due' | 'unpaid' | 'canceled';
export type BillingReason = 'subscription_create' | 'subscription_cycle' | 'subscription_retry';
export type CancellationInitiator = 'merchant' | 'customer' | 'system';
export type CancellationReason = 'completed' | 'dunning_exhausted' | 'customer_wallet_closed' | 'at_period_end';

/** The terms given at the creation (interface section 4.2). */
export interface SubscriptionTerms extends BillingCycle {
  readonly amountMillimes: number;
  readonly name: string;
  readonly description: string;
  readonly developerTrackingId: string;
  readonly successLink: string;
  readonly failLink: string;
  readonly webhook: string | null;
  readonly sessionTimeoutSecs: number;
  readonly clientId: string | null;
  readonly maxCycles: number | null;
  readonly acceptCard: boolean;
}

/** One charge. The payment with the same id has its status and times. */
export interface SimCharge {
  readonly paymentId: string;
  readonly billingReason: BillingReason;
  /** 0 for the first attempt of a period, then the number of the retry. */
  readonly attempt: number;
  /** The number of the paid period: 0 begins with the activation. */
  readonly period: number;
  /** For the first charge, the day of its creation (open point 28). */
  readonly periodStart: BusinessDate;
  readonly periodEnd: BusinessDate | null;
  readonly createdAt: Instant;
  /** The last payment status that the subscription has processed; null before the first one. */
  movedBy: PaymentStatus | null;
  /** Null until the gateway has computed them. */
  fee: { readonly feeMillimes: number; readonly tvaMillimes: number } | null;
}

export interface SimSubscription {
  readonly subscriptionId: string;
  readonly terms: SubscriptionTerms;
  readonly isTest: boolean;
  readonly createdAt: Instant;
  status: SubscriptionStatus;
  activatedAt: Instant | null;
  currentPeriodStart: Instant | null;
  currentPeriodEnd: Instant | null;
  /** When the next debit happens; null while one is in flight, and when none will follow. */
  nextChargeAt: Instant | null;
  /** The period and the attempt of the next debit. */
  nextPeriod: number;
  nextAttempt: number;
  cyclesCompleted: number;
  /** The party that ends it with its period; null while it continues. */
  endsWithPeriodBy: CancellationInitiator | null;
  canceledAt: Instant | null;
  cancellationInitiator: CancellationInitiator | null;
  cancellationReason: CancellationReason | null;
  /** The oldest first. */
  charges: SimCharge[];
  /** How many of the next debits fail by order. */
  debitsToFail: number;
}

export interface SubscriptionState {
  byId: Record<string, SimSubscription>;
  /** By `trackingKey`. */
  idOfTrackingId: Record<string, string>;
  idOfPayment: Record<string, string>;
  /** When the creations of the last minute were requested, oldest first. */
  creationsAt: readonly Instant[];
}

export function emptySubscriptionState(): SubscriptionState {
  return { byId: {}, idOfTrackingId: {}, idOfPayment: {}, creationsAt: [] };
}

/** Returns a safe key: callers choose tracking ids, and may choose `__proto__`. */
export function trackingKey(developerTrackingId: string): string {
  return `id:${developerTrackingId}`;
}

declare module '../core/world' {
  interface World {
    readonly subscriptions: SubscriptionState;
  }
}
