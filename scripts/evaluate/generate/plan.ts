import type { Channel, PayoutModel } from '../../../src/payout-inference';
import type { PayoutPlan, SeededRandom } from '../../../src/simulator';
import type { Period } from './period';
import type { Weighted } from './weighted';

export type AmountStyle = 'mixed' | 'whole_dinars' | 'hundreds' | 'odd_millimes' | 'price_points';

/** When the gateway cuts, on working days only. Omitted values are drawn from the seed. */
export type Schedule =
  | { readonly kind: 'daily'; readonly cutsPerDay: 1 | 2 }
  | { readonly kind: 'daily_at'; readonly minuteOfDay: number }
  | { readonly kind: 'weekly' }
  /** At any hour; some days have no cut and some have two. */
  | { readonly kind: 'irregular' }
  /** Daily, and from the middle on weekly, or daily at another hour. */
  | { readonly kind: 'change' };

/** A fee rule of the simulated gateway, in a form that the engine accepts. */
export type FeeRule = PayoutPlan['fees'][number];

/** The rates of faults, in millionths of payouts, cuts or items. */
export interface FaultPlan {
  /** Of each cut: one available item waits for the next cut. */
  readonly lateItemPpm: number;
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
  readonly model: PayoutModel;
  readonly schedule: Schedule;
  /** Working days from the cut to the line. `steady`: always the same number, drawn from the seed. */
  readonly bookingLags: readonly Weighted<number>[] | 'steady';
  /** `batch`: at an hour that is drawn from the seed. */
  readonly cards: CardRule | 'batch';
  readonly fees: (random: SeededRandom, period: Period) => readonly FeeRule[];
  readonly feesGiven: boolean;
  readonly clawbackFee: 'kept' | 'returned';
  /** Of each refundable payment: its refund comes within hours instead of days. */
  readonly refundsSoonPpm: number;
  readonly refundsLatePpm: number;
  /** The minutes between two status checks of a card payment. */
  readonly pollEveryMinutes: readonly [min: number, max: number];
  /** The number of pauses of two to four days without any status check. */
  readonly pollOutages: number;
  /** The limit by which Millime's clock drifts from the gateway's, in either direction. */
  readonly clockSkewMaxMs: number;
  /** Whether the files state the interval in which an item became available. */
  readonly intervalsGiven: boolean;
  /** Days of business before the first line of the files. */
  readonly daysBefore: number;
  /** Whether the gateway pays nothing to this account. */
  readonly nothingPaid: boolean;
  readonly faults: FaultPlan;
}

/** When a card payment may be paid out on the next working day: in one batch, or at the clock time of the payment. */
export type CardRule =
  { readonly kind: 'batch'; readonly fromMinute: number; readonly widthMinutes: number } | { readonly kind: 'rolling' };

export const NO_FAULTS: FaultPlan = {
  lateItemPpm: 0,
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
  nothingPaid: false,
  faults: NO_FAULTS,
};
