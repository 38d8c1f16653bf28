import { millimes } from '../../../src/kernel';
import { CHANNELS } from '../../../src/payout-inference';
import type { SeededRandom } from '../../../src/simulator';
import type { FeeRule, WorldPlan } from './plan';
import { pickWeighted, type Weighted } from './weighted';

const RATE_STEP_PPM = 500;
const RATE_STEPS = [10, 50] as const;
const FIXED_STEP_MILLIMES = 10;
const FIXED_STEPS = [5, 30] as const;
/** Nearly always the general rate. */
const TVA_PPM: readonly Weighted<number>[] = [
  [190_000, 9],
  [130_000, 1],
  [70_000, 1],
  [0, 1],
];
const HAS_FIXED_PART_PPM = 300_000;

type Terms = Omit<FeeRule, 'channel' | 'basis' | 'from'>;

/** All channels have the same terms, on each item. */
export const commonFee: WorldPlan['fees'] = (random) => {
  const terms = makeTerms(random);
  return CHANNELS.map((channel) => ({ channel, ...terms, basis: 'item' }));
};

/** All channels together, on the sum of a payout. */
export const feePerPayout: WorldPlan['fees'] = (random) => {
  const terms = makeTerms(random);
  return CHANNELS.map((channel) => ({ channel, ...terms, basis: 'payout' }));
};

/** Each channel has its own terms. */
export const feesByChannel: WorldPlan['fees'] = (random) =>
  CHANNELS.map((channel) => ({ channel, ...makeTerms(random), basis: 'item' }));

/** Only cards have a fee. */
export const cardFee: WorldPlan['fees'] = (random) => [{ channel: 'card', ...makeTerms(random), basis: 'item' }];

/** All channels have the same terms; from a day in the middle on, the rate changes. */
export const changedFee: WorldPlan['fees'] = (random, { days, lastDay }) => {
  const terms = makeTerms(random);
  const changeIndex = Math.floor(days.length / 2) + random.int(-5, 5);
  const from = days[changeIndex]?.date ?? lastDay;
  const steps = random.pick([-8, -4, 3, 5, 10]);
  const ratePpm = terms.ratePpm + steps * RATE_STEP_PPM;
  return CHANNELS.flatMap((channel): FeeRule[] => [
    { channel, ...terms, basis: 'item' },
    { channel, ...terms, ratePpm, basis: 'item', from },
  ]);
};

function makeTerms(random: SeededRandom): Terms {
  const ratePpm = random.int(...RATE_STEPS) * RATE_STEP_PPM;
  const fixed = random.int(...FIXED_STEPS) * FIXED_STEP_MILLIMES;
  const hasFixedPart = random.chance(HAS_FIXED_PART_PPM);
  const rounding = pickWeighted<FeeRule['rounding']>(random, [
    ['half_up', 8],
    ['half_down', 1],
    ['half_even', 1],
  ]);
  return {
    ratePpm,
    fixedMillimes: millimes(hasFixedPart ? fixed : 0),
    tvaPpm: pickWeighted(random, TVA_PPM),
    rounding,
  };
}
