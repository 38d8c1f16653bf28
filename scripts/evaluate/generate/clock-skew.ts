import type { Instant } from '../../../src/kernel';
import type { Channel } from '../../../src/payout-inference';
import type { SeededRandom } from '../../../src/simulator';
import type { Period } from './period';

/** The channels whose instants are Millime's. For the others the gateway states the time. */
const STAMPED_BY_US: ReadonlySet<Channel> = new Set(['agent', 'wallet', 'mpayment', 'pos']);

/** Returns the time of Millime's clock at an instant of the gateway's clock. */
export interface OurClock {
  readonly shown: (instant: Instant) => Instant;
  readonly succeededAt: (channel: Channel, instant: Instant) => Instant;
}

/** Creates a clock that drifts evenly from one error to another over the period. */
export function makeOurClock(random: SeededRandom, { filesFrom, filesUntil }: Period, skewMaxMs: number): OurClock {
  const first = random.int(-skewMaxMs, skewMaxMs);
  const last = random.int(-skewMaxMs, skewMaxMs);
  const shown = (instant: Instant): Instant =>
    instant + first + Math.round(((last - first) * (instant - filesFrom)) / (filesUntil - filesFrom));
  return {
    shown,
    succeededAt: (channel, instant) => (STAMPED_BY_US.has(channel) ? shown(instant) : instant),
  };
}
