// Goal: the values learned from a large file are computed once per item and day, not once per pair.
// Method: many items of one amount and many credits that may pay any of them; the test counts the computations.
import { expect, test } from '@jest/globals';
import { findPairs } from '../../../../src/payout-inference/per-item/find-pairs';
import { pairColumns } from '../../../../src/payout-inference/per-item/pair-columns';
import type { Wait } from '../../../../src/payout-inference/per-item/wait-of-item';
import { priceStream } from '../../../../src/payout-inference/testing';
import { aCredit, aGrid, anItem, aStream } from '../a-stream';

const GRID = aGrid({ days: 40 });
const ITEMS = 60;
const CREDITS_PER_DAY = 6;
const DAYS = 30;
const AMOUNT = 25_000;

test('shares the wait among pairs of one item and the chance among pairs of one item and day', () => {
  const items = Array.from({ length: ITEMS }, (_, place) => anItem(`item-${place}`, place * 12, AMOUNT));
  const sequence = aStream(items);
  const waits = items.map(({ succeededAt }): Wait => ({
    after: succeededAt - 1,
    until: succeededAt,
    from: -Infinity,
    to: Infinity,
    seenOpen: -Infinity,
    seenTaken: Infinity,
  }));
  const credits = Array.from({ length: DAYS * CREDITS_PER_DAY }, (_, index) =>
    aCredit(GRID, index, AMOUNT, Math.floor(index / CREDITS_PER_DAY)),
  );
  const priced = priceStream(sequence, { rules: [], clawback: 'kept' }, GRID);
  const found = findPairs({ sequence, waits, cancelled: [] }, priced, credits, GRID);
  const { size, bookings, begin, credit, positions } = pairColumns(found);

  expect(size).toBe(found.pairs.length);
  expect(size).toBeGreaterThan(20 * ITEMS);
  expect(bookings.waits.length).toBeLessThanOrEqual(ITEMS);
  expect(bookings.days.length * CREDITS_PER_DAY).toBe(size);
  found.pairs.forEach((pair, index) => {
    expect(credit[index]).toBe(pair.credit.index);
    expect([...positions.slice(begin[index], begin[index + 1])]).toEqual(pair.positions);
    expect(bookings.days[bookings.ofPair[index] ?? -1]).toBe(pair.credit.bookingDay);
  });
});
