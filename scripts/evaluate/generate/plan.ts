import type { Millimes } from '../../../src/kernel';
import type { Channel, PayoutModel } from '../../../src/payout-inference';
import type { PayoutPlan, SeededRandom } from '../../../src/simulator';
import type { Period } from './period';
import type { Weighted } from './weighted';

export type AmountStyle = 'mixed' | 'whole_dinars' | 'hundreds' | 'odd_millimes' | 'price_points';

/** When the gateway cuts, on working days unless stated otherwise. Omitted values are drawn from the seed. */
export type Schedule =
  | { readonly kind: 'daily'; readonly cutsPerDay: 1 | 2 }
  /** Between two minutes of the day, at another one each day. */
  | { readonly kind: 'daily_between'; readonly minutes: MinuteRange }
  | { readonly kind: 'daily_at'; readonly minuteOfDay: number }
  /** Daily, at an hour that moves evenly by hours over the period. */
  | { readonly kind: 'drifting' }
  | { readonly kind: 'weekly' }
  /** At any hour; some days have no cut and some have two. */
  | { readonly kind: 'irregular' }
  /** Daily, and from the middle on weekly, or daily at another hour. */
  | { readonly kind: 'change' }
  /** By hand, one to six days apart, on any day. */
  | { readonly kind: 'on_demand' }
  /** A job runs during the day and pays as soon as what is open reaches a sum. */
  | { readonly kind: 'threshold' };

/** Minutes of the day, both included. */
export type MinuteRange = readonly [from: number, to: number];

/** The channels that one transfer pays together, with a clock of their own. */
export interface ChannelGroup {
  readonly channels: readonly Channel[];
  readonly schedule: Schedule;
}

/** Payments that repeat every day, each by its own payer. */
export interface RegularPayment {
  readonly channel: Channel;
  readonly payers: number;
  /** Whether all payers pay one price, or each pays a price of its own, both drawn from the seed; or this price. */
  readonly price: 'one' | 'of_each_payer' | Millimes;
  readonly minutes: MinuteRange;
  /** Of each payment: it is left out. */
  readonly skippedPpm: number;
}

/** A fee rule of the simulated gateway, in a form that the engine accepts. */
export type FeeRule = PayoutPlan['fees'][number];

/** The rates of faults, in millionths of payouts, cuts or items. */
export interface FaultPlan {
  /** Of each cut: one available item waits for the next cut. */
  readonly lateItemPpm: number;
  /** Of each payout: the files state one of its items hours too late, after its cut. */
  readonly lateRecordPpm: number;
  /** Of each cut: it is announced and called off, so its items are AVAILABLE again. */
  readonly cancelledCutPpm: number;
  /** Of each payment: the gateway pays it although the files do not list it. */
  readonly unknownItemPpm: number;
  /** Of each card payment: it stays PROCESSING. */
  readonly stuckCardPpm: number;
  /** Of each refund after its payout: the gateway never deducts it. */
  readonly forgottenRefundPpm: number;
  /** Of each payout. At most one of these faults affects one payout. */
  readonly surpriseFeePpm: number;
  readonly returnedPpm: number;
  readonly mergedPpm: number;
  readonly splitPpm: number;
  readonly missingLinePpm: number;
  /** Of each working day. */
  readonly unrelatedCreditPpm: number;
  /** Of each credit: an invented one is beside it, with its text. */
  readonly lookAlikePpm: number;
}

export interface WorldPlan {
  readonly channels: readonly Weighted<Channel>[];
  readonly amounts: AmountStyle;
  readonly model: Exclude<PayoutModel, 'sweep-by-group'>;
  readonly schedule: Schedule;
  /** Replaces model and schedule: one transfer for each group. No group pays the channels that are in none. */
  readonly groups: ((random: SeededRandom) => readonly ChannelGroup[]) | undefined;
  readonly regulars: readonly RegularPayment[];
  /** When the payments that do not repeat happen; `never`: all payments repeat. */
  readonly others: 'all_day' | 'morning' | 'never';
  /** How many times the payments of a usual day there are on one day in the middle. */
  readonly salaryDayTimes: number;
  /** Working days from the cut to the line. `steady`: always the same number, drawn from the seed. */
  readonly bookingLags: readonly Weighted<number>[] | 'steady';
  /** `batch`: at an hour that is drawn from the seed. `drifting`: the hour moves evenly over the period. */
  readonly cards: CardRule | 'batch' | 'drifting';
  readonly fees: (random: SeededRandom, period: Period) => readonly FeeRule[];
  readonly feesGiven: boolean;
  readonly clawbackFee: 'kept' | 'returned';
  /** Of each refundable payment: its refund comes within hours instead of days. */
  readonly refundsSoonPpm: number;
  readonly refundsLatePpm: number;
  /** The minutes between two status checks of a card payment. `never`: no payment is checked. */
  readonly pollEveryMinutes: readonly [min: number, max: number] | 'never';
  /** The number of pauses of two to four days without any status check. */
  readonly pollOutages: number;
  /** The limit by which Millime's clock drifts from the gateway's, in either direction. */
  readonly clockSkewMaxMs: number;
  /** Whether the files state the interval in which an item became available. */
  readonly intervalsGiven: boolean;
  /** Days of business before the first line of the files. */
  readonly daysBefore: number;
  /** Where the statement begins: with the items, or at a day in the middle of the period. */
  readonly statementFrom: 'start' | 'middle';
  /** Whether the gateway pays nothing to this account. */
  readonly nothingPaid: boolean;
  readonly faults: FaultPlan;
  /** What a surprise fee keeps: any sum, one sum that is drawn from the seed, or this one. */
  readonly surprise: 'any' | 'one' | Millimes;
}

/**
 * When a card payment may be paid out on the next working day: in one batch, or at the clock time of the payment. The
 * batch begins later (or, below 0, earlier) each day by a number of milliseconds.
 */
export type CardRule =
  | {
      readonly kind: 'batch';
      readonly fromMinute: number;
      readonly widthMinutes: number;
      readonly driftMsPerDay?: number;
    }
  | { readonly kind: 'rolling' };

export const NO_FAULTS: FaultPlan = {
  lateItemPpm: 0,
  lateRecordPpm: 0,
  cancelledCutPpm: 0,
  unknownItemPpm: 0,
  stuckCardPpm: 0,
  forgottenRefundPpm: 0,
  surpriseFeePpm: 0,
  returnedPpm: 0,
  mergedPpm: 0,
  splitPpm: 0,
  missingLinePpm: 0,
  unrelatedCreditPpm: 0,
  lookAlikePpm: 0,
};

export const NO_FEES: WorldPlan['fees'] = () => [];

/** A gateway that sweeps once a day, without fees and faults. Each scenario states its differences from it. */
export const CLEAN_PLAN: WorldPlan = {
  channels: [
    ['card', 40],
    ['wallet', 15],
    ['agent', 12],
    ['mpayment', 10],
    ['pos', 10],
    ['qr', 8],
    ['subscription', 5],
  ],
  amounts: 'mixed',
  model: 'sweep-all',
  schedule: { kind: 'daily', cutsPerDay: 1 },
  groups: undefined,
  regulars: [],
  others: 'all_day',
  salaryDayTimes: 1,
  bookingLags: 'steady',
  cards: 'batch',
  fees: NO_FEES,
  feesGiven: false,
  clawbackFee: 'kept',
  refundsSoonPpm: 0,
  refundsLatePpm: 0,
  pollEveryMinutes: [120, 360],
  pollOutages: 0,
  clockSkewMaxMs: 0,
  intervalsGiven: false,
  daysBefore: 0,
  statementFrom: 'start',
  nothingPaid: false,
  faults: NO_FAULTS,
  surprise: 'any',
};
