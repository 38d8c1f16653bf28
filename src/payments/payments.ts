import type { ActOptions, CollectingDeps, PlanResult, PollResult, QueueResult } from '../attempts';
import type {
  InitiatedLink,
  QrTransaction,
  SplitDestination,
  WalletBalance,
  WalletOperation,
  WalletSession,
} from '../gateway';
import type { Instant, Millimes } from '../kernel';
import type { Payment, PaymentObservation, PaymentOperation } from './payment';
import type { PaymentFilter } from './payment-store';

export type PaymentsDeps = CollectingDeps;

/** A request for a hosted-checkout payment. Amounts in millimes. */
export interface PaymentRequest {
  readonly kind: 'standard' | 'binding' | 'preauthorization' | 'split';
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
  | { readonly kind: 'unknown'; readonly payment: Payment; readonly reason: string }
  | { readonly kind: 'checked' };

export interface StartPosRequest {
  readonly idTerminal: string;
  readonly serialNumber: string;
  readonly amountMillimes: number;
  readonly paymentMethod: 'NFC' | 'CARD' | 'WALLET' | 'CHECK';
  readonly reference?: string | undefined;
  readonly agentId?: string | undefined;
}

export interface CreateQrRequest {
  readonly amountMillimes: number;
  readonly merchantId?: number | undefined;
  readonly barcode?: boolean | undefined;
  readonly reference?: string | undefined;
  readonly agentId?: string | undefined;
}

export interface WalletPayRequest {
  readonly phoneNumber: string;
  /** The customer's, a uuid from linking the account. */
  readonly trackingId: string;
  readonly amountMillimes: number;
  readonly product: string;
  readonly reference?: string | undefined;
}

/** The outcome of a capture, a cancel or a refund. */
export interface OperationOutcome {
  readonly kind: 'done' | 'refused' | 'unknown' | 'checked';
  readonly payment: Payment;
  /** Undefined when it was only checked. */
  readonly operation: PaymentOperation | undefined;
  readonly reason: string | undefined;
  /** For a refusal: the gateway itself refused, so that the payment is checked soon. Otherwise it never left. */
  readonly isCheckedAgain?: boolean;
}

export type StatusCheckOutcome =
  /** The gateway answered, or had answered since `notBefore`; `payment` has the new state. */
  | { readonly kind: 'looked'; readonly payment: Payment }
  /**
   * The gateway did not answer, or may not be asked now; the next status check is planned. `everybody`: the same holds
   * for every other payment.
   */
  | { readonly kind: 'later'; readonly retryAfterMs: number; readonly everybody: boolean; readonly reason: string }
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

/** Gateway transactions of every channel: creates, checks, captures, refunds and posts them. */
export interface Payments {
  /**
   * @throws AppError `bad_input`, `reference_live` (with other terms), `misconfigured`, `forbidden`.
   */
  create(request: PaymentRequest, options: ActOptions): Promise<CreateOutcome>;
  /** Imports a file of payments for `sendRequested`. A file with one bad row stores nothing. */
  importPlan(file: Uint8Array, options: ActOptions): Promise<PlanResult>;
  /** Sends requested payments, the oldest first, at most one minute's worth. */
  sendRequested(signal?: AbortSignal): Promise<QueueResult>;
  /** Ends requests that a dead process left in transit, and abandons sessions that can no longer be paid. */
  resolveStaleRequests(): Promise<void>;
  /**
   * Applies the signed webhooks of one event id, then checks the status of the payment that they name; an answer since
   * `notBefore` suffices.
   */
  processWebhookEvents(
    events: readonly PaymentWebhookEvent[],
    options: { readonly notBefore: Instant },
  ): Promise<WebhookEventsOutcome>;
  /** Checks one payment at the gateway, and applies the answer; an answer since `notBefore` suffices. */
  checkStatus(trackingId: string, options?: { readonly notBefore?: Instant }): Promise<StatusCheckOutcome>;
  /** Checks due payments, within the budget. */
  poll(signal?: AbortSignal): Promise<PollResult>;
  /** Makes the status checks of a kind due immediately, for an unsigned hint. Returns how many. */
  hint(kind: 'pos' | 'wallet', receivedAt: Instant): Promise<number>;
  capture(trackingId: string, amountMillimes: number | undefined, options: ActOptions): Promise<OperationOutcome>;
  cancel(trackingId: string, options: ActOptions): Promise<OperationOutcome>;
  refund(trackingId: string, options: ActOptions): Promise<OperationOutcome>;
  startPos(request: StartPosRequest, options: ActOptions): Promise<CreateOutcome>;
  createQr(request: CreateQrRequest, options: ActOptions): Promise<CreateOutcome>;
  /** A merchant's purchases as the gateway lists them; changes nothing. */
  qrHistory(query: { readonly from: Instant; readonly until: Instant }): Promise<readonly QrTransaction[]>;
  /** Imports unknown payments of the merchant's history of `[from, until)`. Returns how many were new. */
  readQrHistory(window: { readonly from: Instant; readonly until: Instant }): Promise<number>;
  walletLink(phoneNumber: string): Promise<InitiatedLink>;
  walletSession(account: { readonly phoneNumber: string; readonly trackingId: string }): Promise<WalletSession>;
  walletBalance(account: { readonly phoneNumber: string; readonly trackingId: string }): Promise<WalletBalance>;
  walletHistory(query: {
    readonly phoneNumber: string;
    readonly trackingId: string;
    readonly from?: string | undefined;
    readonly to?: string | undefined;
  }): Promise<readonly WalletOperation[]>;
  payFromWallet(request: WalletPayRequest, options: ActOptions): Promise<CreateOutcome>;
  list(filter: PaymentFilter): Promise<Payment[]>;
  /** By tracking id, by the gateway's id, or the newest of a reference. @throws AppError `not_found`. */
  show(id: string): Promise<PaymentDetails>;
}
