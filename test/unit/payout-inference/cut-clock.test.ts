// Goal: the hours of the cuts are as wide as the file shows, and a stream takes the others' hours only if they are its own.
import { describe, expect, test } from '@jest/globals';
import { BINS, learnClock, noClockCounts, otherClock, placeOf } from '../../../src/payout-inference/cut-clock';
import { randomFrom } from '../../support/random';

const BINS_PER_HOUR = BINS / 24;

/** Cuts of some days, each within so many bins after an hour. */
function cutsAt(hour: number, bins: number, days = 40): Float64Array {
  const random = randomFrom(hour, bins, days);
  const counts = noClockCounts();
  for (let day = 0; day < days; day += 1) {
    const place = placeOf(day, hour * BINS_PER_HOUR + random.below(bins));
    counts[place] = (counts[place] ?? 0) + 1;
  }
  return counts;
}

function shareOf(shape: Float64Array, fromHour: number, toHour: number): number {
  return shape.subarray(fromHour * BINS_PER_HOUR, toHour * BINS_PER_HOUR).reduce((sum, share) => sum + share, 0);
}

describe('the clock of a stream', () => {
  test('is even before any cut is known', () => {
    const shape = learnClock(noClockCounts(), undefined).shape;
    expect(new Set(shape)).toEqual(new Set([1 / BINS]));
  });

  test.each([1, 2, 20])('has a probability of one over the day, for cuts within %d bins', (bins) => {
    expect(shareOf(learnClock(cutsAt(16, bins), undefined).shape, 0, 24)).toBeCloseTo(1, 9);
  });

  test('is narrow if the cuts are regular', () => {
    const shape = learnClock(cutsAt(16, 1), undefined).shape;
    expect(shareOf(shape, 15.75, 16.25)).toBeGreaterThan(0.95);
  });

  test('is as wide as the cuts lie apart', () => {
    const shape = learnClock(cutsAt(16, 24), undefined).shape;
    expect(shareOf(shape, 15.75, 16.25)).toBeLessThan(0.3);
    expect(shareOf(shape, 15.5, 18.5)).toBeGreaterThan(0.9);
  });

  test('stays open where no cut was seen', () => {
    const shape = learnClock(cutsAt(16, 1), undefined).shape;
    expect(Math.min(...shape)).toBeGreaterThan(1e-5);
  });
});

test('the clock without some cuts is that of the others', () => {
  const some = cutsAt(9, 2, 3);
  const rest = cutsAt(16, 1);
  const all = learnClock(
    rest.map((count, place) => count + (some[place] ?? 0)),
    undefined,
  );
  const ofRest = learnClock(rest, undefined).shape;
  expect(shareOf(all.shape, 8.5, 10)).toBeGreaterThan(0.05);
  expect(shareOf(all.without(some), 8.5, 10)).toBeCloseTo(shareOf(ofRest, 8.5, 10), 3);
  expect(shareOf(all.without(some), 0, 24)).toBeCloseTo(1, 9);
});

describe('the clock of a stream beside others', () => {
  const others = otherClock([cutsAt(10, 1, 200)]);

  test('is half theirs before any of its own cuts is known', () => {
    expect(shareOf(learnClock(noClockCounts(), others).shape, 9.5, 10.5)).toBeCloseTo(0.5, 1);
  });

  test('is theirs if its own cuts agree', () => {
    expect(shareOf(learnClock(cutsAt(10, 1, 12), others).shape, 9.5, 10.5)).toBeGreaterThan(0.9);
  });

  test('stays its own if its cuts are at another hour', () => {
    const shape = learnClock(cutsAt(17, 2), others).shape;
    expect(shareOf(shape, 16.5, 17.5)).toBeGreaterThan(0.85);
    expect(shareOf(shape, 9.5, 10.5)).toBeLessThan(0.03);
  });
});
