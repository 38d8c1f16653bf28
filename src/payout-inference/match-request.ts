import type { BusinessCalendar, BusinessDate, Instant, Millimes, WorkingDays } from '../kernel';

export const CHANNELS = ['agent', 'card', 'wallet', 'mpayment', 'pos', 'qr', 'subscription'] as const;
export type Channel = (typeof CHANNELS)[number];

/** One amount that the gateway owes us, or takes back. */
export interface Item {
  readonly itemId: string;
  readonly channel: Channel;
  /** Negative for a refund, never 0. */
  readonly amount: Millimes;
  readonly succeededAt: Instant;
  /** The item that a refund takes back. */
  readonly refundOf?: string | undefined;
  /** When it became available, as far as is known: in `(availableAfter, availableUntil]`. */
  readonly availableAfter?: Instant | undefined;
  readonly availableUntil?: Instant | undefined;
}

/** What a status read said about an item, and when. */
export interface Observation {
  readonly itemId: string;
  readonly observedAt: Instant;
  /** The payment status, `SUCCESS` say. */
  readonly status: string;
  /** `PROCESSING`, `AVAILABLE`, `IN_PAYOUT`, `PAID`, `NOT_APPLICABLE`, or empty. */
  readonly settlementStatus: string;
}

/** A line of the bank statement that may be a payout of the gateway, or the return of one (a debit). */
export interface BankLine {
  readonly lineId: string;
  readonly bookingDate: BusinessDate;
  readonly valueDate: BusinessDate;
  readonly amount: Millimes;
  readonly counterparty: string;
  readonly remittance: string;
}

/** `down` drops what is less than a millime. */
export const FEE_ROUNDINGS = ['half_up', 'half_down', 'half_even', 'down'] as const;
export type FeeRounding = (typeof FEE_ROUNDINGS)[number];

/** What the gateway keeps of a channel's money, from a day on or since ever. TVA is on the fee. */
export interface FeeRule {
  readonly channel: Channel;
  readonly ratePpm: number;
  readonly fixedMillimes: Millimes;
  readonly tvaPpm: number;
  readonly rounding: FeeRounding;
  /** Of each item, or of the positive items of a payout together (channels with equal terms as one). */
  readonly basis: 'item' | 'payout';
  readonly from?: BusinessDate | undefined;
}

export const PAYOUT_MODELS = ['sweep-all', 'sweep-per-channel', 'sweep-card-only', 'per-item'] as const;
export type PayoutModel = (typeof PAYOUT_MODELS)[number];

/** The items that one model pays in one transfer. */
export type Stream = 'all' | 'item' | Channel;

/** A payout that an earlier run or a person settled: its items are not in the request; its cut and booking are. */
export interface PastPayout {
  readonly stream: Stream;
  readonly cut: { readonly after: Instant; readonly until: Instant };
  readonly bookingDate: BusinessDate;
}

/** What an earlier run learned, so that a short window is judged by a long history. */
export interface History {
  readonly model: PayoutModel;
  /** The latest payouts, a few hundred at most. */
  readonly payouts: readonly PastPayout[];
}

/** All that the inference may know. The same content in any order gives the same answer. */
export interface MatchRequest {
  readonly items: readonly Item[];
  readonly observations: readonly Observation[];
  /**
   * For each observation the place of its item in `items`, where the reader of the files knows it: with a million of each the
   * search by ids takes longer than all the rest. Nothing but time depends on it.
   */
  readonly observedItems?: ArrayLike<number> | undefined;
  /** All lines that may have to do with the gateway, debits too. */
  readonly lines: readonly BankLine[];
  /** Undefined: learn what the gateway keeps. */
  readonly fees: readonly FeeRule[] | undefined;
  readonly calendar: BusinessCalendar;
  readonly workingDays: WorkingDays;
  /** Up to this claimed error a credit is resolved without a person. */
  readonly maxError: number;
  readonly history?: History | undefined;
}
