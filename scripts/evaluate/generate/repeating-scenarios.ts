import type { Channel } from '../../../src/payout-inference';
import type { SeededRandom } from '../../../src/simulator';
import type { Scenario, WorldSize } from '../world';
import { guard, scenario } from './a-scenario';
import { commonFee } from './fee-plans';
import type { ChannelGroup, MinuteRange, RegularPayment, Schedule, WorldPlan } from './plan';
import { drawPrice } from './regular-payments';

type Habit = (random: SeededRandom) => Partial<WorldPlan>;

const FEW: WorldSize = { items: 300, days: 60 };
const NONE: WorldSize = { items: 0, days: 60 };
const SOME: WorldSize = { items: 900, days: 45 };
const LONG: WorldSize = { items: 1_500, days: 150 };
const DAILY: Schedule = { kind: 'daily', cutsPerDay: 1 };
const EVENING = [18 * 60, 21 * 60 + 30] as const;
const MORNING = [8 * 60, 10 * 60] as const;
/** Before everything of a day, between morning and evening, and after everything. */
const CLEAR_HOURS: readonly [MinuteRange, ...MinuteRange[]] = [
  [7 * 60 + 30, 7 * 60 + 40],
  [15 * 60, 15 * 60 + 10],
  [22 * 60 + 30, 22 * 60 + 40],
];

const EVENING_PAYMENT: RegularPayment = {
  channel: 'agent',
  payers: 1,
  price: 'one',
  minutes: EVENING,
  skippedPpm: 0,
};
const EVENING_DUES: RegularPayment = { ...EVENING_PAYMENT, payers: 6 };
const EVENING_CARD: RegularPayment = { ...EVENING_PAYMENT, channel: 'card' };

/** Nothing lies between the hours at which a cut takes the evening payment with its own day or with the next one. */
const TWO_HOURS: Habit = (random) => ({
  regulars: [EVENING_PAYMENT],
  others: 'morning',
  channels: [
    ['wallet', 2],
    ['agent', 1],
  ],
  schedule: clearHour(random),
});

/** Worlds in which the same payments repeat every day. Where nothing shows the hour of the cuts, they are guards. */
export const REPEATING_SCENARIOS: readonly Scenario[] = [
  guard('evening-price', 'One payment of one price each evening, and nothing else.', NONE, (random) => ({
    ...drawnClock(random),
    regulars: [{ ...EVENING_PAYMENT, ...drawnHabit(random) }],
    others: 'never',
  })),
  scenario('evening-price-among', 'One payment of one price each evening, among others.', FEW, {
    regulars: [EVENING_PAYMENT],
  }),
  guard('evening-dues', 'The same agents pay the same dues each evening, and nothing else.', NONE, (random) => ({
    ...drawnClock(random),
    regulars: [
      { ...EVENING_DUES, ...drawnHabit(random), channel: 'agent', price: random.pick(['one', 'of_each_payer']) },
    ],
    others: 'never',
  })),
  scenario('evening-dues-cards', 'The same agents pay the same dues each evening; cards beside them.', SOME, {
    regulars: [EVENING_DUES],
    channels: [['card', 1]],
  }),
  guard(
    'two-hours',
    'Payments in the morning, one of one price in the evening: two hours of the cut fit.',
    SOME,
    TWO_HOURS,
  ),
  guard('two-hours-long', 'The same in a long file.', LONG, TWO_HOURS),
  guard('two-hours-middle', 'The same with a statement that begins in the middle.', SOME, (random) => ({
    ...TWO_HOURS(random),
    statementFrom: 'middle',
  })),
  guard(
    'evening-unseen-middle',
    'One card payment of one price each evening, among others; none is checked, and the statement begins later.',
    FEW,
    (random) => ({
      ...drawnClock(random),
      regulars: [random.chance(700_000) ? EVENING_CARD : EVENING_PAYMENT],
      others: random.pick(['all_day', 'morning', 'never']),
      pollEveryMinutes: 'never',
      statementFrom: 'middle',
    }),
  ),
  guard('two-hours-every-day', 'The same prices in the morning and in the evening of every day.', NONE, (random) => ({
    regulars: [
      { ...EVENING_DUES, payers: random.int(1, 3), price: 'of_each_payer' },
      { ...EVENING_DUES, payers: random.int(1, 3), price: 'of_each_payer', minutes: MORNING },
    ],
    others: 'never',
    schedule: clearHour(random),
  })),
  guard('two-models', 'Cards and agents pay one price each day, and only one of the two is paid.', NONE, twoModels),
  guard(
    'evening-price-per-item',
    'A few payments of one price a day, each in a transfer of its own.',
    NONE,
    (random) => ({
      regulars: [{ ...EVENING_PAYMENT, ...drawnHabit(random), payers: random.int(1, 3) }],
      others: 'never',
      model: 'per-item',
    }),
  ),
  guard('habits', 'Something that repeats, with one to three other habits.', FEW, drawnHabits),
];

/** Each credit is the payment of either channel. */
function twoModels(random: SeededRandom): Partial<WorldPlan> {
  const price = drawPrice(random);
  const paid = random.pick<Channel>(['card', 'agent']);
  return {
    regulars: [
      { ...EVENING_PAYMENT, price },
      { ...EVENING_CARD, price, minutes: random.chance(500_000) ? EVENING : MORNING },
    ],
    others: 'never',
    groups: () => [{ channels: [paid], schedule: DAILY }],
    pollEveryMinutes: random.chance(500_000) ? 'never' : [120, 360],
  };
}

/** The channel of a single habit, and how often a day has no payment. */
function drawnHabit(random: SeededRandom): Pick<RegularPayment, 'channel' | 'skippedPpm'> {
  return { channel: random.pick(['agent', 'card', 'wallet']), skippedPpm: random.pick([0, 50_000]) };
}

/** Any usual hour, or one that no payment shows; cards in a batch or rolling. */
function drawnClock(random: SeededRandom): Partial<WorldPlan> {
  const schedule = random.chance(500_000) ? DAILY : clearHour(random);
  return { schedule, cards: random.chance(700_000) ? 'batch' : { kind: 'rolling' } };
}

function clearHour(random: SeededRandom): Schedule {
  return { kind: 'daily_between', minutes: random.pick(CLEAR_HOURS) };
}

/** What repeats. */
const REPEATS: readonly [Habit, ...Habit[]] = [
  (random) => ({ regulars: [{ ...EVENING_PAYMENT, ...drawnHabit(random) }] }),
  (random) => ({ regulars: [{ ...EVENING_PAYMENT, ...drawnHabit(random) }], others: 'never' }),
  (random) => ({ regulars: [{ ...EVENING_PAYMENT, ...drawnHabit(random) }], others: 'morning' }),
  () => ({ regulars: [EVENING_DUES], channels: [['card', 1]] }),
  () => ({ regulars: [EVENING_DUES, { ...EVENING_CARD, payers: 2 }], others: 'never' }),
  (random) => ({ regulars: [{ ...EVENING_DUES, ...drawnHabit(random), price: 'of_each_payer' }], others: 'never' }),
  () => ({ amounts: 'price_points' }),
];

/** What else is not usual. */
const OTHER_HABITS: readonly Habit[] = [
  () => ({ pollEveryMinutes: 'never' }),
  () => ({ statementFrom: 'middle' }),
  () => ({ groups: hoursApart }),
  drawnClock,
  () => ({ schedule: { kind: 'daily', cutsPerDay: 2 }, cards: { kind: 'rolling' }, fees: commonFee }),
  () => ({ schedule: { kind: 'weekly' } }),
  () => ({ model: 'sweep-per-channel' }),
];
const OTHER_HABITS_MAX = 3;

/** Draws a plan of two to four habits. */
function drawnHabits(random: SeededRandom): Partial<WorldPlan> {
  const repeats = random.pick(REPEATS)(random);
  const others = OTHER_HABITS.map((habit) => ({ habit, rank: random.int(0, 1_000_000) }))
    .sort((a, b) => a.rank - b.rank)
    .slice(0, random.int(1, OTHER_HABITS_MAX))
    .map(({ habit }) => habit(random));
  return Object.assign({}, repeats, ...others) as Partial<WorldPlan>;
}

/** Cards, agents and wallets, each at an hour of its own; all other channels, if any, in one sweep. */
function hoursApart(): readonly ChannelGroup[] {
  return [
    { channels: ['card'], schedule: DAILY },
    { channels: ['agent'], schedule: DAILY },
    { channels: ['wallet'], schedule: DAILY },
    { channels: ['mpayment', 'pos', 'qr', 'subscription'], schedule: DAILY },
  ];
}
