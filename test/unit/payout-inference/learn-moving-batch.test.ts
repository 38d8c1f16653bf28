// Goal: a batch whose hour moves over the weeks is known day by day; long or disturbed batches do not look like it.
import { describe, expect, test } from '@jest/globals';
import { HOUR_MS } from '../../../src/kernel';
import { inferPayouts } from '../../../src/payout-inference';
import { batchOn, learnMovingBatch, type ObservedCard } from '../../../src/payout-inference/learn-moving-batch';
import { tightFile } from './straddling/tight-file';

const DAYS = 30;
const CARDS = 9;

describe('learnMovingBatch', () => {
  const movingHour = (day: number): number => 4 + day / 4;

  test('learns the hour of each day, also of days without observations', () => {
    const batch = learnMovingBatch(cardsAt(movingHour).filter(({ day }) => day % 5 > 0));
    if (batch === undefined) throw new Error('a moving batch');
    for (let day = 1; day < DAYS; day += 1) {
      const { fromMs, offsetMs } = batchOn(batch, day);
      expect(fromMs).toBeLessThanOrEqual(movingHour(day) * HOUR_MS);
      expect(offsetMs).toBeGreaterThanOrEqual(movingHour(day) * HOUR_MS);
      expect(offsetMs - fromMs).toBeLessThan(2 * HOUR_MS);
    }
  });

  test('learns an hour that jumps from day to day', () => {
    const jumpingHour = (day: number): number => 3 + ((day * 7) % 12);
    const batch = learnMovingBatch(cardsAt(jumpingHour));
    if (batch === undefined) throw new Error('a moving batch');
    for (let day = 0; day < DAYS; day += 1) {
      expect(Math.abs(batchOn(batch, day).offsetMs / HOUR_MS - jumpingHour(day))).toBeLessThan(1);
    }
  });

  test('carries the last hour to later days', () => {
    const batch = learnMovingBatch(cardsAt(movingHour));
    if (batch === undefined) throw new Error('a moving batch');
    expect(batchOn(batch, DAYS + 20)).toEqual(batchOn(batch, DAYS - 1));
  });

  test('gives the same batch for any order of the cards', () => {
    expect(learnMovingBatch(cardsAt(movingHour).reverse())).toEqual(learnMovingBatch(cardsAt(movingHour)));
  });

  test('finds no movement in a batch that takes hours', () => {
    expect(learnMovingBatch(cardsAt((_, card) => 4 + card / 3))).toBeUndefined();
  });

  test('finds no movement in a batch that was late on a few days', () => {
    expect(learnMovingBatch(cardsAt((day) => (day === 9 || day === 20 ? 12 : 6)))).toBeUndefined();
  });
});

test('resolves payouts whose cut a moving batch passes', () => {
  const file = tightFile({
    days: DAYS,
    cardsOn: () => 12,
    isObserved: (day, card) => (day + card) % 3 > 0,
    cutMinute: 9 * 60,
    batchMinute: (day) => 4 * 60 + day * 20,
  });
  const resolved = inferPayouts(file.request).credits.filter(({ outcome }) => outcome === 'resolved');
  expect(resolved.filter(({ lineId, itemIds }) => file.truth.get(lineId)?.join() !== itemIds.join())).toEqual([]);
  expect(resolved.length).toBeGreaterThan(0.8 * file.request.lines.length);
});

/** Each card was seen up to two hours before and after it became available. */
function cardsAt(hour: (day: number, card: number) => number): ObservedCard[] {
  return Array.from({ length: DAYS * CARDS }, (_, index): ObservedCard => {
    const day = Math.floor(index / CARDS);
    const card = index % CARDS;
    const at = hour(day, card) * HOUR_MS;
    return {
      day,
      low: at - (0.1 + ((index * 5) % 19) / 10) * HOUR_MS,
      high: at + (0.1 + ((index * 11) % 17) / 9) * HOUR_MS,
    };
  });
}
