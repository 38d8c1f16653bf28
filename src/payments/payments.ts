import type { Database } from '../db';
import type {
  GatewayClient,
  InitiatedLink,
  QrTransaction,
  SplitDestination,
  WalletBalance,
  WalletOperation,
  WalletSession,
} from '../gateway';
import type { Actor } from '../identity';
import type { BusinessCalendar, Clock, Instant, Millimes, WorkingDays } from '../kernel';
import type { Logger } from '../logging';
import type { Payment, PaymentObservation, PaymentOperation } from './payment';
import type { PaymentFilter } from './payment-store';

/** How this installation takes money. */
export interface PaymentSettings {
  /** Our address as the gateway sees it; without it no webhook is asked for, and status checks alone find out. */
  readonly publicUrl: string | undefined;
  /** The unguessable part of the path of unsigned webhooks. */
  readonly hintToken: string | undefined;
  /** Where customers go after paying, or not, unless a payment says otherwise. */
  readonly successLink: string | undefined;
  readonly failLink: string | undefined;
  /** The credential is marked test: nothing of it is ever posted (open point 127). */
  readonly isTest: boolean;
  /** Whose purchases the QR history lists. */
  readonly merchantId: number | undefined;
}

export interface PaymentsDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly calendar: BusinessCalendar;
  readonly workingDays: WorkingDays;
  readonly logger: Logger;
  /** Undefined when its variables are not set: then everything that needs it is off, and says so. */
  readonly gateway: GatewayClient | undefined;
  readonly settings: PaymentSettings;
}

export interface ActOptions {
  readonly actor: Actor;
  /** Check everything, send nothing and keep nothing. */
  readonly dryRun: boolean;
}

/** A hosted-checkout payment that somebody asks for. Amounts in millimes. */
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
  /** Of a split only. */
  readonly destination?: readonly SplitDestination[] | undefined;
}

export type CreateOutcome =
  /** A new session. */
  | { readonly kind: 'created'; readonly payment: Payment }
  /** The session of the same reference and terms that may still be paid. */
  | { readonly kind: 'existing'; readonly payment: Payment }
  /** The gateway has none, and said why; another try is a new attempt. */
  | { readonly kind: 'refused'; readonly payment: Payment; readonly reason: string }
  /** Nobody knows; a webhook or time will tell (open point 129). */
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
  /** The customer's, a uuid that linking his account gave. */
  readonly trackingId: string;
  readonly amountMillimes: number;
  readonly product: string;
  readonly reference?: string | undefined;
}

/** What became of a capture, a cancel or a refund. */
export interface OperationOutcome {
  readonly kind: 'done' | 'refused' | 'unknown' | 'checked';
  readonly payment: Payment;
  /** Undefined when it was only checked. */
  readonly operation: PaymentOperation | undefined;
  readonly reason: string | undefined;
  /** Of a refusal: the gateway itself said no, so that the payment is checked soon. Else it never left. */
  readonly isCheckedAgain?: boolean;
}

export type StatusCheckOutcome =
  /** The gateway answered, or had answered since `notBefore`; `payment` is as it is now. */
  | { readonly kind: 'looked'; readonly payment: Payment }
  /**
   * It may not be asked now, or did not answer; the next status check is planned. `everybody`: nor about any other
   * payment.
   */
  | { readonly kind: 'later'; readonly retryAfterMs: number; readonly everybody: boolean; readonly reason: string }
  /** There is nothing to ask about: the gateway never had it, or its outcome is not known. */
  | { readonly kind: 'nothing_to_ask'; readonly payment: Payment };

/** What a signed webhook says of a payment. It triggers a status check; only the check changes the state. */
export interface PaymentWebhookEvent {
  readonly gatewayId: string | undefined;
  readonly trackingId: string | undefined;
  readonly succeeded: boolean;
  /** When the gateway says that it happened; version 1 does not. */
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

export interface PollResult {
  /** Requests of the gateway that were answered. */
  readonly checked: number;
  readonly failed: number;
  /** What is still due, because the budget or the page ended. */
  readonly left: number;
}

export interface QueueResult {
  readonly sent: number;
  readonly refused: number;
  readonly unknown: number;
  /** Requested rows that still wait. */
  readonly left: number;
}

export interface PlanResult {
  readonly added: number;
  /** References that are in the queue or were sent already, with the same content. */
  readonly unchanged: number;
}

export interface PaymentDetails {
  readonly payment: Payment;
  readonly observations: readonly PaymentObservation[];
  readonly operations: readonly PaymentOperation[];
}

/** Every gateway transaction of every channel: made, followed, captured, refunded, and put in the books. */
export interface Payments {
  /**
   * @throws AppError `bad_input`, `conflict` (the reference is live with other terms), `misconfigured`, `forbidden`.
   */
  create(request: PaymentRequest, options: ActOptions): Promise<CreateOutcome>;
  /** Writes a file of payments down, to be sent by `sendRequested`. A file with one bad row stores nothing. */
  importPlan(file: Uint8Array, options: ActOptions): Promise<PlanResult>;
  /** Sends what was requested, the oldest first, at most a minute's worth. */
  sendRequested(signal?: AbortSignal): Promise<QueueResult>;
  /** Ends what a dead process left in transit, and abandons what nobody can pay any more. */
  resolveStaleRequests(): Promise<void>;
  /**
   * Applies what signed webhooks of one event id report, then checks the status of the payment that they name; an answer
   * since `notBefore` will do.
   */
  processWebhookEvents(
    events: readonly PaymentWebhookEvent[],
    options: { readonly notBefore: Instant },
  ): Promise<WebhookEventsOutcome>;
  /** Asks the gateway about one payment, and applies what it says; an answer since `notBefore` will do. */
  checkStatus(trackingId: string, options?: { readonly notBefore?: Instant }): Promise<StatusCheckOutcome>;
  /** Checks what is due, within the budget. */
  poll(signal?: AbortSignal): Promise<PollResult>;
  /** Makes a status check of POS, wallet or all due payments of a kind happen at once: an unsigned hint. */
  hint(kind: 'pos' | 'wallet', receivedAt: Instant): Promise<number>;
  capture(trackingId: string, amountMillimes: number | undefined, options: ActOptions): Promise<OperationOutcome>;
  cancel(trackingId: string, options: ActOptions): Promise<OperationOutcome>;
  refund(trackingId: string, options: ActOptions): Promise<OperationOutcome>;
  startPos(request: StartPosRequest, options: ActOptions): Promise<CreateOutcome>;
  createQr(request: CreateQrRequest, options: ActOptions): Promise<CreateOutcome>;
  /** A merchant's purchases as the gateway lists them; changes nothing. */
  qrHistory(query: { readonly from: Instant; readonly until: Instant }): Promise<readonly QrTransaction[]>;
  /** Takes in what the merchant's history has of `[from, until)` and we were not told of. Gives how many were new. */
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
  /** By our tracking id, or the gateway's id, or the newest of a reference. @throws AppError `not_found`. */
  show(id: string): Promise<PaymentDetails>;
}
