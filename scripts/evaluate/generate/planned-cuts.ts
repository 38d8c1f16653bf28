import { type Instant, type Millimes, millimes, ZERO_MILLIMES } from '../../../src/kernel';
import type { Channel } from '../../../src/payout-inference';
import type { PayableItem, Payout, SeededRandom } from '../../../src/simulator';
import type { TrueStream } from '../world';
import type { MadeItems } from './make-items';
import type { Period } from './period';
import type { Schedule, WorldPlan } from './plan';
import { planCuts } from './plan-cuts';

/** A threshold in days of the mean income, in tenths. */
const THRESHOLD_DAYS = [6, 25] as const;
const THRESHOLD_STEP_MILLIMES = 500_000;

/** A payout of the simulator, with the stream of this world's groups. */
export type CutPayout = Omit<Payout, 'stream'> & { readonly stream: TrueStream };

/** The items that a cut may take. */
export interface PaidGroup {
  /** Undefined: the channels and streams of the plan's model. */
  readonly only: { readonly channels: ReadonlySet<Channel>; readonly stream: TrueStream } | undefined;
  /** Below it, everything waits for the next cut. */
  readonly minimumMillimes: Millimes;
}

export interface PlannedCut extends PaidGroup {
  /** On the gateway's clock. */
  readonly cutAt: Instant;
}

export interface CutsRequest {
  readonly random: SeededRandom;
  readonly plan: WorldPlan;
  readonly period: Period;
  readonly made: MadeItems;
}

/** Returns the cuts of all groups of a world, in order. A cut below its minimum pays nothing. */
export function plannedCuts({ random, plan, period, made }: CutsRequest): PlannedCut[] {
  const cutsOf = (chance: SeededRandom, schedule: Schedule, only: PaidGroup['only']): PlannedCut[] => {
    const items = made.items.filter(({ channel }) => only?.channels.has(channel) ?? true);
    const minimumMillimes = schedule.kind === 'threshold' ? thresholdOf(chance, items, period) : ZERO_MILLIMES;
    return planCuts(chance, schedule, period).map((cutAt) => ({ cutAt, only, minimumMillimes }));
  };
  if (plan.groups === undefined) return cutsOf(random, plan.schedule, undefined);
  return plan
    .groups(random.fork('groups'))
    .flatMap(({ channels, schedule }) => {
      const stream = streamName(channels);
      return cutsOf(random.fork(`cuts of ${stream}`), schedule, { channels: new Set(channels), stream });
    })
    .sort((a, b) => a.cutAt - b.cutAt);
}

/** Returns the stream of each channel that a plan pays to this account. */
export function streamsOf(
  random: SeededRandom,
  plan: WorldPlan,
  channels: readonly Channel[],
): Map<Channel, TrueStream> {
  if (plan.nothingPaid) return new Map();
  const groups = plan.groups?.(random.fork('groups'));
  if (groups !== undefined) {
    return new Map(groups.flatMap((group) => group.channels.map((channel) => [channel, streamName(group.channels)])));
  }
  switch (plan.model) {
    case 'sweep-all':
      return new Map(channels.map((channel) => [channel, 'all']));
    case 'sweep-per-channel':
      return new Map(channels.map((channel) => [channel, channel]));
    case 'sweep-card-only':
      return new Map([['card', 'card']]);
    case 'per-item':
      return new Map(channels.map((channel) => [channel, 'item']));
  }
}

function streamName(channels: readonly Channel[]): TrueStream {
  return [...channels].sort().join('+');
}

function thresholdOf(random: SeededRandom, items: readonly PayableItem[], { days }: Period): Millimes {
  const total = items.reduce((sum, { amountMillimes }) => sum + Math.max(0, amountMillimes), 0);
  const wanted = ((total / days.length) * random.fork('threshold').int(...THRESHOLD_DAYS)) / 10;
  return millimes(Math.max(1, Math.round(wanted / THRESHOLD_STEP_MILLIMES)) * THRESHOLD_STEP_MILLIMES);
}
