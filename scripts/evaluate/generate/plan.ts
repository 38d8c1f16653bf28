import type { Channel, PayoutModel } from '../../../src/payout-inference';
import type { PayoutPlan, SeededRandom } from '../../../src/simulator';
import type { Period } from './period';
import type { Weighted } from './weighted';

export type AmountStyle = 'mixed' | 'whole_dinars' | 'hundreds' | 'odd_millimes' | 'price_points';

/** When the gateway cuts. Only on working days; what is not said here is drawn from the seed. */
export type Schedule =
  | { readonly kind: 'daily'; readonly cutsPerDay: 1 | 2 }
  | { readonly kind: 'daily_at'; readonly minuteOfDay: number }
  | { readonly kind: 'weekly' }
  /** Any hour of the day, some days without a cut and some with two. */
  | { readonly kind: 'irregular' }
  /** Daily, then from the middle on weekly or daily at another hour. */
  | { readonly kind: 'change' };

/** As the simulated gateway knows it: a rule that the engine can be told. */
export type FeeRule = PayoutPlan['fees'][number];

/** What goes wrong, in millionths: of each payout, of each cut, or of each item. */
export interface FaultPlan {
  /** Of each cut: one available item waits for the next cut. */
  readonly lateItemPpm: number;
  /** Of each cut: it is announced and called off, so its items go back to AVAILABLE. */
  readonly cancelledCutPpm: number;
  /** Of each payment: the gateway pays it though our files do not know it. */
  readonly unknownItemPpm: number;
  /** Of each card payment: it never leaves PROCESSING. */
  readonly stuckCardPpm: number;
  /** Of each refund that comes after its payout: it is never taken back. */
  readonly forgottenRefundPpm: number;
  /** Of each payout. At most one of them happens to one payout. */
  readonly surpriseFeePpm: number;
  readonly returnedPpm: number;
  readonly mergedPpm: number;
  readonly splitPpm: number;
  readonly missingLinePpm: number;
  /** Of each working day. */
  readonly unrelatedCreditPpm: number;
  /** Of each credit: an invented one beside it, with its text. */
  readonly lookAlikePpm: number;
}

export interface WorldPlan {
  readonly channels: readonly Weighted<Channel>[];
  readonly amounts: AmountStyle;
  readonly model: PayoutModel;
  readonly schedule: Schedule;
  /** Working days from the cut to the line. `steady`: always the same, drawn from the seed. */
  readonly bookingLags: readonly Weighted<number>[] | 'steady';
  /** `batch`: at an hour that is drawn from the seed. */
  readonly cards: CardRule | 'batch';
  readonly fees: (random: SeededRandom, period: Period) => readonly FeeRule[];
  readonly feesGiven: boolean;
  readonly clawbackFee: 'kept' | 'returned';
  /** Of each payment that can be refunded: within hours, or days later. */
  readonly refundsSoonPpm: number;
  readonly refundsLatePpm: number;
  /** Between two looks at a card payment. */
  readonly pollEveryMinutes: readonly [min: number, max: number];
  /** Stretches of two to four days without any look. */
  readonly pollOutages: number;
  /** Our clock drifts beside the gateway's by up to this, to either side. */
  readonly clockSkewMaxMs: number;
  /** The files say in which interval an item became available. */
  readonly intervalsGiven: boolean;
  /** Days of business before the first line of the files. */
  readonly daysBefore: number;
  /** The gateway pays nothing at all into this account. */
  readonly nothingPaid: boolean;
  readonly faults: FaultPlan;
}

/** When a card payment may be paid out: on the next working day, in one batch or at the clock time of the payment. */
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

/** A gateway that sweeps once a day, takes no fee and makes no mistake. Scenarios say what is different. */
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
