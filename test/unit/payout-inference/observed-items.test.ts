// Goal: an observation belongs to the item of its id, whatever position the request states.
// Method: random items and observations, with correct positions, with wrong ones, with some, and with none.
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Item, Observation } from '../../../src/payout-inference';
import { NO_ITEM, observedItems } from '../../../src/payout-inference/testing';
import { anItem, FIRST_AT } from './a-stream';

const ID = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');

function observe(itemId: string): Observation {
  return { itemId, observedAt: FIRST_AT, status: 'SUCCESS', settlementStatus: 'AVAILABLE' };
}

function items(ids: readonly string[]): Item[] {
  return ids.map((id) => anItem(id, 1, 1_000));
}

test('places items by their ids and ignores a wrong given place', () => {
  const places = fc.option(fc.array(fc.integer({ min: -2, max: 8 }), { maxLength: 14 }), { nil: undefined });
  fc.assert(
    fc.property(fc.uniqueArray(ID), fc.array(ID, { maxLength: 12 }), places, (ids, seen, given) => {
      const request = { items: items(ids), observations: seen.map(observe), observedItems: given };
      expect([...observedItems(request)]).toEqual(seen.map((id) => ids.indexOf(id)));
    }),
  );
});

test('keeps right given places, even of two observations of one item', () => {
  const request = { items: items(['a', 'b', 'c']), observations: ['c', 'x', 'a', 'c'].map(observe) };
  const places = [2, NO_ITEM, 0, 2];
  expect([...observedItems({ ...request, observedItems: places })]).toEqual(places);
  expect([...observedItems(request)]).toEqual(places);
});
