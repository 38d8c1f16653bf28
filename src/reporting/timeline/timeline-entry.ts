import type { BusinessDate, Instant, Millimes } from '../../kernel';

/** The kinds of entries, in the order of entries of one instant. */
const TIMELINE_KINDS = [
  'requested',
  'sent',
  'confirmed',
  'confirm_refused',
  'paid',
  'listed',
  'status_observed',
  'webhook_received',
  'operation_requested',
  'operation_ended',
  'posted',
  'expected_at_bank',
  'matched',
  'unmatched',
  'break_opened',
  'break_reopened',
  'break_resolved',
  'day_closed',
  'day_reopened',
] as const;
export type TimelineKind = (typeof TIMELINE_KINDS)[number];

/** The facts of each kind. Amounts are in millimes. */
interface Facts {
  /** An attempt was stored. */
  readonly requested: {
    readonly attemptKind: string;
    readonly reference: string | undefined;
    readonly amount: Millimes;
    readonly requestedBy: string;
  };
  /** The request left. No instant is stored of its answer, which is the state of the request now. */
  readonly sent: {
    readonly requestState: string;
    readonly gatewayId: string | undefined;
    readonly error: string | undefined;
    readonly sessionEndsAt: Instant | undefined;
  };
  readonly confirmed: { readonly agentId: string; readonly amount: Millimes };
  /** A call with the transactionId of the payment that was not stored. */
  readonly confirm_refused: { readonly reason: string; readonly times: number; readonly lastAt: Instant };
  /** The customer paid, at the latest now. */
  readonly paid: { readonly notBefore: Instant | undefined; readonly amount: Millimes };
  /** The gateway listed a charge or a payment of a QR code for the first time. */
  readonly listed: {
    readonly status: string | undefined;
    readonly method: string | undefined;
    readonly amount: Millimes;
  };
  readonly status_observed: {
    readonly call: string;
    readonly status: string;
    readonly settlementStatus: string | undefined;
    readonly method: string | undefined;
    readonly amount: Millimes | undefined;
  };
  readonly webhook_received: {
    readonly family: string;
    readonly event: string;
    readonly proof: string;
    readonly times: number;
    readonly lastReceivedAt: Instant;
    readonly state: string;
    readonly outcome: string | undefined;
  };
  readonly operation_requested: {
    readonly operation: string;
    readonly amount: Millimes | undefined;
    readonly requestedBy: string;
  };
  readonly operation_ended: {
    readonly operation: string;
    readonly state: string;
    readonly refundId: string | undefined;
    readonly error: string | undefined;
  };
  readonly posted: {
    readonly code: string;
    readonly reference: string;
    /** The sum of the postings, above 0. */
    readonly amount: bigint;
    /** The instant by which reports count it. */
    readonly occurredAt: Instant;
    readonly recordedBy: string;
  };
  /** The days on which the bank should book the money, as runs compute them. */
  readonly expected_at_bank: {
    readonly usuallyOn: BusinessDate | undefined;
    readonly latestOn: BusinessDate;
    readonly isLate: boolean;
  };
  readonly matched: {
    readonly itemId: string;
    readonly creditId: string;
    readonly account: string;
    readonly bookedOn: BusinessDate;
    readonly runId: string | undefined;
    readonly matchKind: string;
    readonly evidence: string;
    readonly amount: Millimes;
    readonly fee: Millimes;
    readonly tva: Millimes;
    readonly recordedBy: string;
    readonly approvedBy: string | undefined;
  };
  readonly unmatched: {
    readonly creditId: string;
    readonly unmatchKind: string;
    readonly runId: string | undefined;
    readonly reason: string;
    readonly recordedBy: string;
  };
  readonly break_opened: { readonly breakClass: string; readonly actor: string };
  readonly break_reopened: { readonly breakClass: string; readonly actor: string };
  readonly break_resolved: { readonly breakClass: string; readonly actor: string; readonly resolution: string };
  readonly day_closed: { readonly day: BusinessDate; readonly recordedBy: string };
  readonly day_reopened: { readonly day: BusinessDate; readonly recordedBy: string };
}

/** What happened to a payment at an instant. `from` is the id of the row that states it. */
export type TimelineEntry = {
  readonly [Kind in TimelineKind]: Facts[Kind] & {
    readonly kind: Kind;
    readonly at: Instant;
    readonly from: string;
    /** Distinguishes entries of one kind and instant. */
    readonly id: string;
  };
}[TimelineKind];

/** The position of an entry: its instant, the rank of its kind, and its id. */
export type TimelineKey = readonly [at: Instant, rank: number, id: string];

/** Returns the rank of a kind among entries of one instant. */
export function rankOf(kind: TimelineKind): number {
  return TIMELINE_KINDS.indexOf(kind);
}

export function timelineKeyOf({ at, kind, id }: TimelineEntry): TimelineKey {
  return [at, rankOf(kind), id];
}
