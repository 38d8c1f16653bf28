import { type Channel, CHANNELS } from '../../../src/payout-inference';
import type { SeededRandom } from '../../../src/simulator';
import type { Scenario, WorldSize } from '../world';
import { scenario } from './a-scenario';
import { commonFee, feesByChannel } from './fee-plans';
import type { ChannelGroup, Schedule, WorldPlan } from './plan';
import { pickWeighted } from './weighted';

const USUAL: WorldSize = { items: 1_500, days: 45 };
const LONG: WorldSize = { items: 2_400, days: 60 };
const SPARSE: WorldSize = { items: 1_500, days: 60 };
const DAILY: Schedule = { kind: 'daily', cutsPerDay: 1 };
const MORNING: Schedule = { kind: 'daily_between', minutes: [8 * 60 + 15, 9 * 60 + 45] };
const LATE_AFTERNOON: Schedule = { kind: 'daily_between', minutes: [15 * 60 + 15, 16 * 60 + 45] };
const FEW_CHANNELS: WorldPlan['channels'] = [
  ['card', 40],
  ['wallet', 20],
  ['agent', 20],
  ['mpayment', 12],
  ['pos', 8],
];

/** Worlds in which channels, hours and sums decide what one transfer pays. */
export const STREAM_SCENARIOS: readonly Scenario[] = [
  scenario('channel-hours', 'One sweep for each channel, each at an hour of its own.', USUAL, {
    channels: FEW_CHANNELS,
    groups: channelsApart,
  }),
  scenario('channel-hours-fees', 'The same with about 200 credits; each channel has fees, to be learned.', SPARSE, {
    channels: FEW_CHANNELS,
    groups: channelsApart,
    fees: feesByChannel,
  }),
  scenario(
    'channel-fees',
    'One sweep for each channel, all at one hour that varies; channels have fees, to be learned.',
    LONG,
    {
      model: 'sweep-per-channel',
      schedule: MORNING,
      fees: feesByChannel,
    },
  ),
  scenario('channel-groups', 'Two or three groups of channels, each in one sweep at an hour of its own.', LONG, {
    groups: drawnGroups,
  }),
  scenario(
    'wallet-with-mpayment',
    'Wallets and mobile payments in one sweep, the other channels each in its own.',
    LONG,
    {
      groups: (random) => {
        const hasOneHour = random.chance(500_000);
        const schedule: Schedule = hasOneHour ? { kind: 'daily_at', minuteOfDay: 15 * random.int(36, 76) } : DAILY;
        const apart = CHANNELS.filter((channel) => channel !== 'wallet' && channel !== 'mpayment');
        return [['wallet', 'mpayment'] as const, ...apart.map((channel) => [channel])].map((channels) => ({
          channels,
          schedule,
        }));
      },
    },
  ),
  scenario(
    'card-and-agents',
    'Cards in the morning and agents’ money in the afternoon; nothing else comes to this account.',
    LONG,
    {
      groups: () => [
        { channels: ['card'], schedule: MORNING },
        { channels: ['agent'], schedule: LATE_AFTERNOON },
      ],
    },
  ),
  scenario('threshold', 'A sweep as soon as the balance reaches a sum.', USUAL, { schedule: { kind: 'threshold' } }),
  scenario('on-demand', 'Payouts by hand, one to six days apart.', LONG, { schedule: { kind: 'on_demand' } }),
  scenario('drifting-cut', 'The hour of the cut moves by hours over the period.', USUAL, {
    schedule: { kind: 'drifting' },
  }),
  scenario('drifting-cards', 'The hour at which cards become available moves by hours over the period.', USUAL, {
    cards: 'drifting',
  }),
  scenario('cards-unseen', 'No payment is ever checked.', USUAL, { pollEveryMinutes: 'never' }),
  scenario('bank-from-middle', 'The statement begins in the middle of the period.', LONG, { statementFrom: 'middle' }),
  scenario('twice-a-day-rolling', 'Two sweeps a day, rolling cards, and a common fee to be learned.', USUAL, {
    schedule: { kind: 'daily', cutsPerDay: 2 },
    cards: { kind: 'rolling' },
    fees: commonFee,
  }),
  scenario('salary-day', 'One day has thousands of payments.', { items: 5_000, days: 45 }, { salaryDayTimes: 60 }),
];

function channelsApart(): readonly ChannelGroup[] {
  return FEW_CHANNELS.map(([channel]) => ({ channels: [channel], schedule: DAILY }));
}

/** Puts each channel into one of two or three groups; cards and agents are always apart. */
function drawnGroups(random: SeededRandom): readonly ChannelGroup[] {
  const groups: Channel[][] = [['card'], ['agent'], ...(random.chance(500_000) ? [[]] : [])];
  for (const channel of CHANNELS) {
    if (channel === 'card' || channel === 'agent') continue;
    groups[
      pickWeighted(
        random,
        groups.map((_, index) => [index, 1]),
      )
    ]?.push(channel);
  }
  return groups.filter((channels) => channels.length > 0).map((channels) => ({ channels, schedule: DAILY }));
}
