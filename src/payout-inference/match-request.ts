import type { BusinessCalendar, BusinessDate, Instant, Millimes, WorkingDays } from '../kernel';

export const CHANNELS = ['agent', 'card', 'wallet', 'mpayment', 'pos', 'qr', 'subscription'] as const;
export type Channel = (typeof CHANNELS)[number];

/** One amount that the gateway owes the integrator, or deducts. */
export interface Item {
  readonly itemId: string;
  readonly channel: Channel;
  /** Negative for a refund, never 0. */
  readonly amount: Millimes;
  readonly succeededAt: Instant;
  /** The item that a refund reverses. */
  readonly refundOf?: string | undefined;
  /** When it became available: in `(availableAfter, availableUntil]`, as far as known. */
  readonly availableAfter?: Instant | undefined;
  readonly availableUntil?: Instant | undefined;
}

/** The answer of a status check about an item, with its time. */
export interface Observation {
  readonly itemId: string;
  readonly observedAt: Instant;
  /** The payment status, such as `SUCCESS`. */
  readonly status: string;
  /** `PROCESSING`, `AVAILABLE`, `IN_PAYOUT`, `PAID`, `NOT_APPLICABLE`, or empty. */
  readonly settlementStatus: string;
}

/** A line of the bank statement that may be a payout of the gateway or, as a debit, the return of one. */
export interface BankLine {
  readonly lineId: string;
  readonly bookingDate: BusinessDate;
  readonly valueDate: BusinessDate;
  readonly amount: Millimes;
  readonly counterparty: string;
  readonly remittance: string;
}

/** `down` drops fractions of a millime. */
export const FEE_ROUNDINGS = ['half_up', 'half_down', 'half_even', 'down'] as const;
export type FeeRounding = (typeof FEE_ROUNDINGS)[number];

/** The fee that the gateway keeps of a channel's money, from a day on or without a first day. TVA is on the fee. */
export interface FeeRule {
  readonly channel: Channel;
  readonly ratePpm: number;
  readonly fixedMillimes: Millimes;
  readonly tvaPpm: number;
  readonly rounding: FeeRounding;
  /** Of each item, or of the positive items of a payout together. Channels with equal terms are added up. */
  readonly basis: 'item' | 'payout';
  readonly from?: BusinessDate | undefined;
}

export const PAYOUT_MODELS = [
  'sweep-all',
  'sweep-per-channel',
  'sweep-by-group',
  'sweep-card-only',
  'per-item',
] as const;
export type PayoutModel = (typeof PAYOUT_MODELS)[number];

/** Several channels that one transfer pays, in the order of `CHANNELS`, such as `wallet+mpayment`. */
export type ChannelGroup = `${Channel}+${string}`;
/** The items that one model pays in one transfer. */
export type Stream = 'all' | 'item' | Channel | ChannelGroup;

/** A payout that an earlier run or a person settled. Its items are not in the request; its cut and its booking are. */
export interface PastPayout {
  readonly stream: Stream;
  readonly cut: { readonly after: Instant; readonly until: Instant };
  readonly bookingDate: BusinessDate;
}

/** The results of earlier runs, so that a short window is judged with a long history. */
export interface History {
  readonly model: PayoutModel;
  /** The latest payouts, a few hundred at most. */
  readonly payouts: readonly PastPayout[];
}

/** A credit that a person matched, with its items, which no other credit paid. */
export interface AssertedPayout {
  readonly line: BankLine;
  readonly items: readonly Item[];
  readonly observations: readonly Observation[];
}

/** All facts for the inference. The same content in any order gives the same answer. */
export interface MatchRequest {
  readonly items: readonly Item[];
  readonly observations: readonly Observation[];
  /**
   * For each observation, the index of its item in `items`, if the reader of the files knows it. It only saves time:
   * with a million items and observations, a search by ids takes longer than all other steps.
   */
  readonly observedItems?: ArrayLike<number> | undefined;
  /** All lines that may concern the gateway, debits included. */
  readonly lines: readonly BankLine[];
  /** Undefined: the inference learns the fees. */
  readonly fees: readonly FeeRule[] | undefined;
  readonly calendar: BusinessCalendar;
  readonly workingDays: WorkingDays;
  /** A credit with at most this claimed error is resolved without a person. */
  readonly maxError: number;
  readonly history?: History | undefined;
  /** Beside `items` and `lines`, which do not contain them. The inference is not about them; they are evidence. */
  readonly asserted?: readonly AssertedPayout[] | undefined;
}
