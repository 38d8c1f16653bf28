import { millimes } from '../../../src/kernel';
import type { Scenario, WorldSize } from '../world';
import { faults, guard, scenario } from './a-scenario';
import { commonFee } from './fee-plans';
import type { Schedule, WorldPlan } from './plan';

const USUAL: WorldSize = { items: 1_500, days: 45 };
const TINY: WorldSize = { items: 250, days: 60 };
const CHARGE_MILLIMES = millimes(5_000);
const VARYING: Schedule = { kind: 'daily_between', minutes: [8 * 60, 9 * 60 + 45] };
const LATE: Partial<WorldPlan> = { faults: faults({ lateItemPpm: 100_000, lateRecordPpm: 100_000 }) };
const PRICES_WITH_FAULTS: Partial<WorldPlan> = {
  amounts: 'price_points',
  bookingLags: [
    [0, 1],
    [1, 8],
    [2, 2],
  ],
  refundsSoonPpm: 10_000,
  refundsLatePpm: 15_000,
  faults: faults({ lateItemPpm: 30_000, missingLinePpm: 40_000, lookAlikePpm: 150_000 }),
};
const ALL_FORGOTTEN = faults({ forgottenRefundPpm: 1_000_000 });
const CHARGED = faults({ surpriseFeePpm: 250_000 });

/** Worlds in which one kind of fault is frequent, or amounts are equal. */
export const FAULT_SCENARIOS: readonly Scenario[] = [
  scenario('bank-charge', 'One credit in four is 5 DT short.', USUAL, { faults: CHARGED, surprise: CHARGE_MILLIMES }),
  scenario('bank-charge-other', 'One credit in four is short by another sum, always the same.', USUAL, {
    faults: CHARGED,
    surprise: 'one',
  }),
  scenario('bank-charge-any', 'One credit in four is short by any sum.', USUAL, { faults: CHARGED }),
  scenario('late-often', 'One payout in five misses an item, or holds one that is stated hours too late.', USUAL, LATE),
  scenario('late-often-varying', 'The same at an hour that varies by hours from day to day.', USUAL, {
    ...LATE,
    schedule: VARYING,
  }),
  scenario('refunds-ignored', 'Refunds are never taken back.', USUAL, {
    refundsLatePpm: 20_000,
    faults: ALL_FORGOTTEN,
  }),
  scenario('refunds-ignored-many', 'One payment in ten is refunded, and no refund is ever taken back.', USUAL, {
    refundsLatePpm: 100_000,
    faults: ALL_FORGOTTEN,
  }),
  scenario(
    'price-points-faults',
    'Eight prices only, with refunds, late items, lags and invented credits.',
    USUAL,
    PRICES_WITH_FAULTS,
  ),
  scenario('price-points-faults-varying', 'The same at an hour that varies by hours from day to day.', USUAL, {
    ...PRICES_WITH_FAULTS,
    schedule: VARYING,
  }),
  scenario('prices-fees', 'Eight prices only, and a common fee to be learned.', USUAL, {
    amounts: 'price_points',
    fees: commonFee,
  }),
  scenario('late-out-of-order', 'Bookings overtake each other, and some cuts pass an item over.', USUAL, {
    bookingLags: [
      [0, 1],
      [1, 4],
      [2, 3],
    ],
    faults: faults({ lateItemPpm: 60_000 }),
  }),
  guard('prices-returned', 'A few payments a day at eight prices: payouts are equal, and some are returned.', TINY, {
    amounts: 'price_points',
    refundsSoonPpm: 30_000,
    faults: faults({ returnedPpm: 120_000, unrelatedCreditPpm: 60_000, lookAlikePpm: 60_000 }),
  }),
  guard('prices-refunds', 'The same with refunds, of which some are never taken back.', TINY, {
    amounts: 'price_points',
    refundsLatePpm: 80_000,
    faults: faults({ forgottenRefundPpm: 300_000 }),
  }),
  guard('nothing-paid-round', 'Whole dinars, and every credit is another merchant’s payout.', TINY, {
    amounts: 'whole_dinars',
    nothingPaid: true,
  }),
];
