// Goal: the memory for a burst of items without observations does not grow with the square of its size.
// Method: a file of one day of cards without polls; the test counts the entries of the slots.
import { expect, test } from '@jest/globals';
import { HOUR_MS } from '../../../../src/kernel';
import { type CutSlot, cutSlots, OPEN_LISTED_MAX } from '../../../../src/payout-inference/straddling/cut-slots';
import { orderStream, readObservationBounds } from '../../../../src/payout-inference/testing';
import { aGrid, anItem } from '../a-stream';

const GRID = aGrid({ days: 10 });

/**
 * So many items that became available at some time in the same two hours. `isBatch`: all in the same hour, at whose end
 * all were seen waiting.
 */
function slotsOfBurst(count: number, isBatch = false): CutSlot[] {
  const items = Array.from({ length: count }, (_, place) =>
    anItem(`item-${String(place).padStart(5, '0')}`, isBatch ? 8 : 8 + place / count, 1_000 + place),
  );
  const after = Float64Array.from(items, ({ succeededAt }) => succeededAt);
  const until = after.map((instant) => instant + HOUR_MS);
  const availability = { after, until, key: until };
  const indexOf = new Map(items.map(({ itemId }, index) => [itemId, index]));
  const members = Int32Array.from(items.keys());
  const { sequence } = orderStream({ stream: 'all', items, availability, members, indexOf });
  const bounds = readObservationBounds(items, [], new Int32Array(0));
  if (isBatch) bounds.lastAvailable.set(until.map((instant) => instant - 1));
  return cutSlots({ sequence, availability, bounds, grid: GRID });
}

test('lists what is open in a slot, up to a number', () => {
  const slots = slotsOfBurst(100);
  expect(Math.max(...slots.map(({ open }) => open.length))).toBeGreaterThan(90);
  expect(slots.filter(({ isCrowded }) => isCrowded)).toEqual([]);
});

test('marks a slot as crowded and lists nothing where more is open than a search can try', () => {
  const count = 4 * OPEN_LISTED_MAX;
  const slots = slotsOfBurst(count);
  const crowded = slots.filter(({ isCrowded }) => isCrowded);
  expect(crowded.length).toBeGreaterThan(count);
  expect(crowded.flatMap(({ open }) => open)).toEqual([]);
  expect(Math.max(...slots.map(({ open }) => open.length))).toBeLessThanOrEqual(OPEN_LISTED_MAX);
  // Before the first and after the last of them, few enough are open to be tried.
  expect(slots.some(({ isCrowded, open }) => !isCrowded && open.length > 0 && open.length < 30)).toBe(true);
});

test('compares slots on a day of thousands of tracers, which together are almost impossible', () => {
  const traced = slotsOfBurst(4_000, true).filter(({ logTraced }) => logTraced !== 0);
  expect(traced.map(({ logTraced }) => Math.round(logTraced))).toEqual(traced.map(() => 0));
});
