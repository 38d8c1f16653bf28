import type { ActOptions, Attempt, PlanResult, PollResult, QueueResult } from '../attempts';
import type { BusinessDate, Instant, Millimes, Page } from '../kernel';

export const SUBSCRIPTION_REQUEST_STATES = ['requested', 'sending', 'made', 'refused', 'unknown'] as const;

/**
 * A requested subscription, and the mirror of its state at the gateway (interface section 2.4). Its amount is the
 * amount of each charge.
 */
export interface SubscriptionMirror extends Attempt {
  readonly requestState: (typeof SUBSCRIPTION_REQUEST_STATES)[number];
  readonly subscriptionId: string | undefined;
  readonly firstPaymentId: string | undefined;
  readonly activatedAt: Instant | undefined;
  readonly periodStartAt: Instant | undefined;
  readonly periodEndAt: Instant | undefined;
  readonly nextChargeAt: Instant | undefined;
  readonly cyclesCompleted: number;
  readonly cancelAtPeriodEnd: boolean;
  readonly canceledAt: Instant | undefined;
  readonly cancellationInitiator: string | undefined;
  readonly cancellationReason: string | undefined;
}

/** One payment of a subscription (interface section 2.5), as last seen. */
export interface ChargeMirror {
  readonly paymentId: string;
  readonly trackingId: string;
  readonly status: string;
  readonly method: string;
  readonly billingReason: string;
  readonly attempt: number | undefined;
  readonly periodStart: BusinessDate | undefined;
  readonly periodEnd: BusinessDate | undefined;
  readonly amount: Millimes;
  /** Undefined until the gateway has computed it. */
  readonly fee: Millimes | undefined;
  readonly tva: Millimes | undefined;
  readonly createdAt: Instant | undefined;
  /** When the wallet was debited or the debit failed, so it is never a sign of success. */
  readonly paidAt: Instant | undefined;
  readonly firstSeenAt: Instant;
  readonly lastCheckAt: Instant;
  /** The item of its money; undefined until it is posted. */
  readonly itemId: string | undefined;
}

/** A request for a subscription. Amounts in millimes. */
export interface SubscriptionRequest {
  readonly amountMillimes: number;
  readonly interval: 'day' | 'week' | 'month' | 'year';
  readonly intervalCount?: number | undefined;
  readonly name: string;
  readonly description?: string | undefined;
  readonly reference?: string | undefined;
  readonly agentId?: string | undefined;
  readonly clientId?: string | undefined;
  readonly maxCycles?: number | undefined;
  readonly sessionTimeoutSecs?: number | undefined;
  readonly acceptCard?: boolean | undefined;
  readonly successLink?: string | undefined;
  readonly failLink?: string | undefined;
}

export type CreateSubscriptionOutcome =
  | { readonly kind: 'created' | 'existing'; readonly subscription: SubscriptionMirror }
  | { readonly kind: 'refused' | 'unknown'; readonly subscription: SubscriptionMirror; readonly reason: string }
  | { readonly kind: 'checked' };

/** The tracking id. Tracking ids rise from request to request. */
export type SubscriptionKey = readonly [trackingId: string];

export interface SubscriptionFilter {
  readonly status?: string | undefined;
  readonly requestState?: SubscriptionMirror['requestState'] | undefined;
  readonly reference?: string | undefined;
  readonly after?: SubscriptionKey | undefined;
  readonly limit: number;
}

/** The gateway's creation time of a charge, 0 for a charge without one, and its id. */
export type ChargeKey = readonly [createdAt: Instant, paymentId: string];

export interface ChargeQuery {
  readonly after?: ChargeKey | undefined;
  readonly limit: number;
}

/**
 * A signed webhook about a subscription or one of its charges. It triggers a status check; only the check changes the
 * state.
 */
export interface SubscriptionWebhookEvent {
  readonly subscriptionId: string | undefined;
  readonly trackingId: string | undefined;
  /** The id of a charge. A payment webhook about a charge has no other id. */
  readonly paymentId: string | undefined;
  readonly amount: Millimes | undefined;
  readonly currency: string | undefined;
  readonly receivedAt: Instant;
}

export type SubscriptionWebhookEventOutcome =
  | { readonly kind: 'unknown_subscription' }
  | { readonly kind: 'known'; readonly trackingId: string; readonly mismatch: boolean };

export type SubscriptionCheckOutcome =
  | { readonly kind: 'looked'; readonly subscription: SubscriptionMirror }
  | { readonly kind: 'later'; readonly retryAfterMs: number; readonly reason: string }
  | { readonly kind: 'nothing_to_ask'; readonly subscription: SubscriptionMirror };

/** Creates subscriptions, mirrors them, and posts their charges. */
export interface Subscriptions {
  /**
   * Creates a subscription, or returns the live one of its reference.
   *
   * @throws AppError `bad_input`, `reference_live` (with other terms), `misconfigured`, `forbidden`.
   */
  create(request: SubscriptionRequest, options: ActOptions): Promise<CreateSubscriptionOutcome>;
  /** Imports a file of subscriptions for `sendRequested`. A file with one bad row stores nothing. */
  importPlan(file: Uint8Array, options: ActOptions): Promise<PlanResult>;
  /** Sends requested subscriptions, and repeats unknown ones (which resolves them), at most 60 a minute. */
  sendRequested(signal?: AbortSignal): Promise<QueueResult>;
  applyWebhookEvent(event: SubscriptionWebhookEvent): Promise<SubscriptionWebhookEventOutcome>;
  /** Checks a subscription and its charges, and applies the answer. An answer since `notBefore` suffices. */
  checkStatus(trackingId: string, options?: { readonly notBefore?: Instant }): Promise<SubscriptionCheckOutcome>;
  poll(signal?: AbortSignal): Promise<PollResult>;
  /** Returns a page of subscriptions, newest first. */
  list(filter: SubscriptionFilter): Promise<Page<SubscriptionMirror, SubscriptionKey>>;
  /** Returns a page of the charges of a subscription, newest first. */
  charges(trackingId: string, query: ChargeQuery): Promise<Page<ChargeMirror, ChargeKey>>;
  /**
   * Finds a subscription by tracking id, by the gateway's id, or the newest of a reference.
   *
   * @throws AppError `not_found`.
   */
  show(id: string): Promise<{ readonly subscription: SubscriptionMirror; readonly charges: readonly ChargeMirror[] }>;
}
