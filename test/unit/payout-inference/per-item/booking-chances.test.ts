// Goal: the probability that an item is booked on a day is the same, whether its days are computed together or one by
// one.
// Method: random waits under learned habits, against the sum over all days of the cut.
import { expect, test } from '@jest/globals';
import { DAY_MS, HOUR_MS } from '../../../../src/kernel';
import { bookingChances } from '../../../../src/payout-inference/per-item/booking-chances';
import { learnHazard, noExposure, type PayoutHazard } from '../../../../src/payout-inference/per-item/payout-hazard';
import { takenBetween, type Wait } from '../../../../src/payout-inference/per-item/wait-of-item';
import { type Random, randomFrom } from '../../../support/random';
import { aGrid, FIRST_AT } from '../a-stream';

const GRID = aGrid({ days: 30 });
const WAITS = 80;

test.each([1, 2, 3])('gives the same chances for days together as one by one (seed %i)', (seed) => {
  const random = randomFrom(seed);
  const hazard = someHazard(random);
  const waits = Array.from({ length: WAITS }, () => someWait(random));
  const days = waits.map(({ until }) => GRID.dayOf(until)).flatMap((day) => [day, day + 1, day + 3, day + 7]);
  const chances = bookingChances(
    { waits, begin: Int32Array.from({ length: WAITS + 1 }, (_, place) => place * 4), days: Int32Array.from(days) },
    hazard,
    GRID,
  );
  expect(chances.filter((chance) => chance > 0.01).length).toBeGreaterThan(WAITS);
  waits.forEach((wait, index) => {
    for (let place = index * 4; place < index * 4 + 4; place += 1) {
      expect(chances[place]).toBeCloseTo(oneByOne(wait, hazard, days[place] ?? 0), 12);
    }
  });
});

function oneByOne(wait: Wait, hazard: PayoutHazard, bookingDay: number): number {
  const open = Math.max(wait.from, wait.seenOpen);
  const close = Math.min(wait.to, wait.seenTaken);
  let chance = 0;
  for (let day = 0; day <= bookingDay; day += 1) {
    const from = Math.max(open, GRID.startAt[day] ?? 0);
    const to = Math.min(close, GRID.startAt[day + 1] ?? 0);
    chance += hazard.lag(GRID.lag(day, bookingDay)) * takenBetween(wait, hazard, from, to);
  }
  const isSeen = wait.seenOpen > -Infinity || wait.seenTaken < Infinity;
  return Math.min(1, chance / (isSeen ? takenBetween(wait, hazard, wait.seenOpen, wait.seenTaken) : 1));
}

/** Known to the instant or to some hours, seen by polls or not, under fees that end or do not. */
function someWait(random: Random): Wait {
  const until = FIRST_AT + random.below(15 * DAY_MS);
  const isObserved = random.onceIn(3);
  return {
    after: until - (random.onceIn(2) ? 1 : random.below(5 * HOUR_MS)),
    until,
    from: -Infinity,
    to: random.onceIn(4) ? until + random.below(5 * DAY_MS) + HOUR_MS : Infinity,
    seenOpen: isObserved ? until + random.below(6 * HOUR_MS) : -Infinity,
    seenTaken: isObserved ? until + 2 * DAY_MS : Infinity,
  };
}

function someHazard(random: Random): PayoutHazard {
  const counts = noExposure();
  for (let place = 0; place < counts.taken.length; place += 1) {
    counts.atRisk[place] = 10;
    if (random.onceIn(100)) counts.taken[place] = random.below(8);
  }
  [4, 9, 3, 1].forEach((count, lag) => (counts.lag[lag] = count));
  return learnHazard(GRID, counts);
}
