import type { Scenario, WorldSize } from '../world';
import { faults, scenario } from './a-scenario';
import { FAULT_SCENARIOS } from './fault-scenarios';
import { cardFee, changedFee, commonFee, feePerPayout, feesByChannel } from './fee-plans';
import type { WorldPlan } from './plan';
import { REPEATING_SCENARIOS } from './repeating-scenarios';
import { STREAM_SCENARIOS } from './stream-scenarios';

const USUAL: WorldSize = { items: 1_500, days: 45 };
const LONG: WorldSize = { items: 2_400, days: 60 };
const SMALL: WorldSize = { items: 800, days: 40 };
const LARGE: WorldSize = { items: 15_000, days: 60 };
const LARGEST: WorldSize = { items: 25_000, days: 60 };
const TINY: WorldSize = { items: 200, days: 60 };

const ONE_CLOCK_SKEW_MS = 90_000;

/** All worlds in which the engine is tested. The text of each states how it differs from the clean plan. */
export const SCENARIOS: readonly Scenario[] = [
  scenario('clean-daily', 'One sweep of everything each working day.', USUAL, {}),
  scenario('clean-daily-large', 'The same with hundreds of items in each payout.', LARGEST, {}),
  scenario('clean-weekly', 'One sweep a week.', LONG, { schedule: { kind: 'weekly' } }),
  scenario('irregular', 'Cuts at any hour, some days none and some days two; bookings lag.', USUAL, {
    schedule: { kind: 'irregular' },
    bookingLags: [
      [0, 1],
      [1, 7],
      [2, 2],
    ],
  }),
  scenario('irregular-large', 'The same with hundreds of items in each payout.', LARGE, {
    schedule: { kind: 'irregular' },
    bookingLags: [
      [0, 1],
      [1, 7],
      [2, 2],
    ],
  }),
  scenario('twice-a-day', 'Two sweeps each working day.', USUAL, { schedule: { kind: 'daily', cutsPerDay: 2 } }),
  scenario('schedule-change', 'Daily, then weekly or at another hour.', LONG, { schedule: { kind: 'change' } }),
  scenario('whole-dinars', 'All amounts are whole dinars.', USUAL, { amounts: 'whole_dinars' }),
  scenario('odd-millimes', 'All amounts end in odd millimes.', USUAL, { amounts: 'odd_millimes' }),
  scenario('price-points', 'Eight prices only.', USUAL, { amounts: 'price_points' }),
  scenario('tiny-shop', 'A few payments a day.', TINY, {}),
  scenario('per-channel', 'One sweep for each channel.', LONG, { model: 'sweep-per-channel' }),
  scenario('per-channel-thin', 'One sweep for each channel, some with a payment now and then.', SMALL, {
    model: 'sweep-per-channel',
    channels: [
      ['card', 60],
      ['wallet', 25],
      ['agent', 8],
      ['qr', 4],
      ['pos', 3],
    ],
  }),
  scenario('card-only', 'Only card money is paid into this account.', USUAL, { model: 'sweep-card-only' }),
  scenario('per-item', 'One transfer for each item.', SMALL, { model: 'per-item' }),
  scenario('fees-given', 'A common fee, known.', USUAL, { fees: commonFee, feesGiven: true }),
  scenario('fees-learned', 'A common fee, to be learned.', USUAL, { fees: commonFee }),
  scenario('fees-learned-large', 'The same with hundreds of items in each payout.', LARGE, { fees: commonFee }),
  scenario('fees-by-channel', 'Each channel at its own terms, known.', USUAL, { fees: feesByChannel, feesGiven: true }),
  scenario('fees-by-channel-learned', 'One sweep for each channel; card costs, to be learned.', LONG, {
    model: 'sweep-per-channel',
    fees: cardFee,
  }),
  scenario('fees-changed', 'A common fee whose rate changes, to be learned.', LONG, { fees: changedFee }),
  scenario('fees-per-payout', 'A fee on each payout, known.', USUAL, { fees: feePerPayout, feesGiven: true }),
  scenario('fees-per-payout-learned', 'A fee on each payout, to be learned.', USUAL, { fees: feePerPayout }),
  scenario('refunds-before', 'Refunds within hours: most pairs leave before a payout.', USUAL, {
    refundsSoonPpm: 50_000,
  }),
  scenario('refunds-after-kept', 'Refunds days after the payout; the fee is kept.', USUAL, {
    refundsLatePpm: 40_000,
    fees: commonFee,
    feesGiven: true,
  }),
  scenario('refunds-after-returned', 'Refunds days after the payout; the fee is given back.', USUAL, {
    refundsLatePpm: 40_000,
    fees: commonFee,
    feesGiven: true,
    clawbackFee: 'returned',
  }),
  scenario('refunds-after-returned-learned', 'The same, with the fee to be learned.', USUAL, {
    refundsLatePpm: 40_000,
    fees: commonFee,
    clawbackFee: 'returned',
  }),
  scenario('refund-forgotten', 'Some refunds are never taken back.', USUAL, {
    refundsLatePpm: 40_000,
    faults: faults({ forgottenRefundPpm: 80_000 }),
  }),
  scenario('unknown-item', 'Some payouts hold an amount that the files do not know.', USUAL, {
    faults: faults({ unknownItemPpm: 3_000 }),
  }),
  scenario('late-item', 'Now and then a cut passes an item over.', USUAL, { faults: faults({ lateItemPpm: 30_000 }) }),
  scenario('surprise-fee', 'Now and then the gateway keeps something beyond its schedule.', USUAL, {
    faults: faults({ surpriseFeePpm: 60_000 }),
  }),
  scenario('returned-payout', 'Some payouts are debited back, most of them paid again.', USUAL, {
    faults: faults({ returnedPpm: 80_000 }),
  }),
  scenario('merged-credits', 'Some credits hold two payouts.', USUAL, { faults: faults({ mergedPpm: 80_000 }) }),
  scenario('split-credits', 'Some payouts come in two credits.', USUAL, { faults: faults({ splitPpm: 80_000 }) }),
  scenario('missing-line', 'Some payouts never come to the bank.', USUAL, {
    faults: faults({ missingLinePpm: 60_000 }),
  }),
  scenario('unrelated-credits', 'Credits of other payers.', USUAL, { faults: faults({ unrelatedCreditPpm: 250_000 }) }),
  scenario('look-alike-credits', 'Invented credits beside real ones, with the last three digits kept.', USUAL, {
    faults: faults({ lookAlikePpm: 200_000 }),
  }),
  scenario('nothing-paid', 'Every credit is another merchant’s payout.', USUAL, { nothingPaid: true }),
  scenario('poll-outage', 'For days no status check saw an item.', USUAL, { pollOutages: 3 }),
  scenario('rolling-settlement', 'Card money at the same clock time of the next working day.', USUAL, {
    cards: { kind: 'rolling' },
  }),
  scenario('tight-cut', 'The cut lies in the minutes in which cards become available.', USUAL, {
    schedule: { kind: 'daily_at', minuteOfDay: 6 * 60 + 18 },
    cards: { kind: 'batch', fromMinute: 6 * 60, widthMinutes: 40 },
  }),
  scenario('clock-skew', 'The clock of the status checks is up to 90 seconds off.', USUAL, {
    clockSkewMaxMs: ONE_CLOCK_SKEW_MS,
  }),
  scenario('cold-start', 'The first credits pay what was before the files.', USUAL, { daysBefore: 10 }),
  scenario('cancelled-cut', 'Some cuts are announced and called off.', USUAL, {
    faults: faults({ cancelledCutPpm: 80_000 }),
  }),
  scenario('booked-out-of-order', 'Bookings overtake each other.', USUAL, {
    bookingLags: [
      [0, 1],
      [1, 4],
      [2, 3],
      [3, 1],
    ],
  }),
  scenario('intervals-given', 'The files say in which interval each item became available.', USUAL, {
    intervalsGiven: true,
  }),
  scenario('stuck-cards', 'Some card payments never leave PROCESSING.', USUAL, {
    faults: faults({ stuckCardPpm: 8_000 }),
  }),
  scenario('everything', 'Many faults at low rates together.', LONG, everything(200)),
  scenario('everything-large', 'The same with hundreds of items in each payout.', LARGE, everything(60)),
  ...STREAM_SCENARIOS,
  ...FAULT_SCENARIOS,
  ...REPEATING_SCENARIOS,
];

function everything(unknownItemPpm: number): Partial<WorldPlan> {
  return {
    bookingLags: [
      [0, 1],
      [1, 12],
      [2, 2],
    ],
    fees: commonFee,
    feesGiven: true,
    refundsSoonPpm: 8_000,
    refundsLatePpm: 8_000,
    pollOutages: 1,
    clockSkewMaxMs: ONE_CLOCK_SKEW_MS / 3,
    faults: faults({
      lateItemPpm: 15_000,
      cancelledCutPpm: 10_000,
      unknownItemPpm,
      stuckCardPpm: 300,
      forgottenRefundPpm: 10_000,
      surpriseFeePpm: 10_000,
      returnedPpm: 15_000,
      mergedPpm: 15_000,
      splitPpm: 10_000,
      missingLinePpm: 10_000,
      unrelatedCreditPpm: 30_000,
      lookAlikePpm: 30_000,
    }),
  };
}
