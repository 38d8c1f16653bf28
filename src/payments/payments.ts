import type { ActOptions, CollectingDeps, PlanResult, PollResult, QueueResult } from '../attempts';
import type { SplitDestination } from '../gateway';
import type { Instant, Millimes } from '../kernel';
import type { ChannelAnswer, ChannelQuestion } from './channel';
import type { CheckoutKind, Payment, PaymentObservation, PaymentOperation } from './payment';
import type { PaymentFilter } from './payment-store';

export interface PaymentsDeps extends CollectingDeps {
  /**
   * Asks the gateway about a payment of a channel without sessions.
   *
   * @throws GatewayError when it does not answer.
   */
  readonly observeChannel: (question: ChannelQuestion) => Promise<ChannelAnswer>;
}

/** A request for a hosted-checkout payment. Amounts in millimes. */
export interface PaymentRequest {
  readonly kind: CheckoutKind;
  readonly amountMillimes: number;
  readonly reference?: string | undefined;
  readonly agentId?: string | undefined;
  readonly successLink?: string | undefined;
  readonly failLink?: string | undefined;
  readonly acceptCard?: boolean | undefined;
  readonly sessionTimeoutSecs?: number | undefined;
  readonly clientId?: string | undefined;
  readonly imageUrl?: string | undefined;
  /** Only for a split. */
  readonly destination?: readonly SplitDestination[] | undefined;
}

export type CreateOutcome =
  /** A new session. */
  | { readonly kind: 'created'; readonly payment: Payment }
  /** The live session of the same reference and terms. */
  | { readonly kind: 'existing'; readonly payment: Payment }
  /** The gateway refused with a reason; another try is a new attempt. */
  | { readonly kind: 'refused'; readonly payment: Payment; readonly reason: string }
  /** Unknown until a webhook arrives or time passes (open point 129). */
  | {
      readonly kind: 'unknown';
      readonly payment: Payment;
      readonly reason: string;
      /** From when on the reference may have a new session; undefined for a channel that can be checked. */
      readonly newSessionFrom?: Instant | undefined;
    }
  | { readonly kind: 'checked' };

/** The outcome of a capture, a cancel or a refund. */
export interface OperationOutcome {
  readonly kind: 'done' | 'refused' | 'unknown' | 'checked';
  readonly payment: Payment;
  /** Undefined if the command only checked. */
  readonly operation: PaymentOperation | undefined;
  readonly reason: string | undefined;
  /**
   * For a refusal: true if the gateway itself refused, so that the payment is checked soon; otherwise nothing was sent.
   */
  readonly isCheckedAgain?: boolean;
}

export type StatusCheckOutcome =
  /** The gateway answered, or had answered since `notBefore`; `payment` has the new state. */
  | { readonly kind: 'looked'; readonly payment: Payment }
  /**
   * The gateway did not answer, or may not be asked now; the next status check is planned. `affectsAll`: the same is
   * true for every other payment.
   */
  | { readonly kind: 'later'; readonly retryAfterMs: number; readonly affectsAll: boolean; readonly reason: string }
  /** Nothing can be checked: the gateway never had the payment, or its outcome is unknown. */
  | { readonly kind: 'nothing_to_ask'; readonly payment: Payment };

/** A signed webhook about a payment. It triggers a status check; only the check changes the state. */
export interface PaymentWebhookEvent {
  readonly gatewayId: string | undefined;
  readonly trackingId: string | undefined;
  readonly succeeded: boolean;
  /** The gateway's time of the event; version 1 has none. */
  readonly occurredAt: Instant | undefined;
  readonly amount: Millimes | undefined;
  readonly currency: string | undefined;
  readonly receivedAt: Instant;
}

export type WebhookEventOutcome =
  | { readonly kind: 'unknown_payment' }
  | { readonly kind: 'known'; readonly trackingId: string; readonly mismatch: boolean };

export type WebhookEventsOutcome =
  | { readonly kind: 'unknown_payment' }
  | { readonly kind: 'known'; readonly mismatch: boolean; readonly check: StatusCheckOutcome };

export interface PaymentDetails {
  readonly payment: Payment;
  readonly observations: readonly PaymentObservation[];
  readonly operations: readonly PaymentOperation[];
}

/** The payments of every channel. Creates hosted checkouts, checks, captures, refunds and posts payments. */
export interface Payments {
  /**
   * Creates a payment, or returns the live one of its reference.
   *
   * @throws AppError `bad_input`, `reference_live` (with other terms), `misconfigured`, `forbidden`.
   */
  create(request: PaymentRequest, options: ActOptions): Promise<CreateOutcome>;
  /** Imports a file of payments for `sendRequested`. A file with one bad row stores nothing. */
  importPlan(file: Uint8Array, options: ActOptions): Promise<PlanResult>;
  /** Sends requested payments, oldest first, at most one minute's worth. */
  sendRequested(signal?: AbortSignal): Promise<QueueResult>;
  /**
   * Marks requests that a crashed process left in transit as unknown, and abandons sessions that can no longer be paid.
   */
  resolveStaleRequests(): Promise<void>;
  /**
   * Applies the signed webhooks of one event id, then checks the status of their payment. An answer since `notBefore`
   * suffices.
   */
  processWebhookEvents(
    events: readonly PaymentWebhookEvent[],
    options: { readonly notBefore: Instant },
  ): Promise<WebhookEventsOutcome>;
  /** Checks one payment at the gateway, and applies the answer. An answer since `notBefore` suffices. */
  checkStatus(trackingId: string, options?: { readonly notBefore?: Instant }): Promise<StatusCheckOutcome>;
  /** Checks due payments, within the budget. */
  poll(signal?: AbortSignal): Promise<PollResult>;
  /** Makes the status checks of a kind due immediately, for an unsigned hint. Returns their number. */
  hint(kind: 'pos' | 'wallet', receivedAt: Instant): Promise<number>;
  capture(trackingId: string, amountMillimes: number | undefined, options: ActOptions): Promise<OperationOutcome>;
  cancel(trackingId: string, options: ActOptions): Promise<OperationOutcome>;
  refund(trackingId: string, options: ActOptions): Promise<OperationOutcome>;
  list(filter: PaymentFilter): Promise<Payment[]>;
  /**
   * Finds a payment by tracking id, by the gateway's id, or the newest of a reference.
   *
   * @throws AppError `not_found`.
   */
  show(id: string): Promise<PaymentDetails>;
}
