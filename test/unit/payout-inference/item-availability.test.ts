import { describe, expect, test } from '@jest/globals';
import { addDays, HOUR_MS } from '../../../src/kernel';
import type { Item, Observation } from '../../../src/payout-inference';
import { itemAvailability } from '../../../src/payout-inference/item-availability';
import {
  type CardRule,
  learnCardRules,
  type ObservationBounds,
  observedItems,
  readObservationBounds,
} from '../../../src/payout-inference/testing';
import { aGrid, anItem, FIRST_AT, FIRST_DATE } from './a-stream';

/** Friday of the first week is off. */
const GRID = aGrid({ days: 30, holidays: [addDays(FIRST_DATE, 4)] });
const NINE: CardRule = { kind: 'batch', fromMs: 9 * HOUR_MS, offsetMs: 9 * HOUR_MS };
const ROLLING: CardRule = { kind: 'rolling', slackMs: 0 };

describe('when an item became available', () => {
  test('is its own instant where the gateway holds nothing back', () => {
    expect(placed(anItem('a', 10, 1_000))).toEqual([10, 10, 10]);
  });

  test.each([
    ['the next day', 10, 33],
    ['the next working day, over a holiday and a weekend', 3 * 24 + 10, 7 * 24 + 9],
    ['the next working day, of a payment on a Saturday', 5 * 24 + 10, 7 * 24 + 9],
  ])('is the hour of the batch for a card in a batch %s', (_what, paid, hour) => {
    expect(placed(aCard(paid), { rule: NINE })).toEqual([hour, hour, hour]);
  });

  test('is the own clock time on the next working day for a card that settles by the clock', () => {
    expect(placed(aCard(3 * 24 + 10.5), { rule: ROLLING })).toEqual([7 * 24 + 10.5, 7 * 24 + 10.5, 7 * 24 + 10.5]);
  });

  test('is the instant of a refund, even of a card refund', () => {
    expect(placed(aCard(10, -1_000), { rule: NINE })).toEqual([10, 10, 10]);
  });

  test('is what the file states, whatever the rule gives', () => {
    const given = { availableAfter: FIRST_AT + 11 * HOUR_MS, availableUntil: FIRST_AT + 12 * HOUR_MS };
    expect(placed({ ...aCard(10), ...given }, { rule: NINE })).toEqual([11, 12, 12]);
  });

  test('is later than the rule where an observation saw it still processing', () => {
    const observations = [observe(34, 'PROCESSING'), observe(36, 'AVAILABLE')];
    expect(placed(aCard(10), { rule: NINE, observations })).toEqual([34, 36, 36]);
  });

  test('is earlier than the rule where an observation saw it available already', () => {
    expect(
      placed(aCard(10), { rule: NINE, observations: [observe(20, 'PROCESSING'), observe(30, 'AVAILABLE')] }),
    ).toEqual([20, 30, 30]);
  });

  test('stays that of the rule where observations agree with it, so that one batch has one place', () => {
    const observations = [observe(32, 'PROCESSING'), observe(34, 'AVAILABLE')];
    const wide: CardRule = { kind: 'batch', fromMs: 7 * HOUR_MS, offsetMs: 10 * HOUR_MS };
    expect(placed(aCard(10), { rule: wide, observations })).toEqual([32, 34, 34]);
  });
});

/** After, until and key in hours from the first day; `after` to the nearest second, for it is open below. */
function placed(
  item: Item,
  { rule, observations = [] }: { readonly rule?: CardRule; readonly observations?: readonly Observation[] } = {},
): number[] {
  const { after, until, key } = itemAvailability([item], boundsOf([item], observations), rule, GRID);
  return [after, until, key].map(([at = NaN]) => Math.round(((at - FIRST_AT) / HOUR_MS) * 3_600) / 3_600);
}

function aCard(hours: number, amount = 1_000): Item {
  return anItem('card', hours, amount, { channel: 'card' });
}

function observe(hours: number, settlementStatus: string): Observation {
  return { itemId: 'card', observedAt: FIRST_AT + hours * HOUR_MS, status: 'SUCCESS', settlementStatus };
}

function boundsOf(items: readonly Item[], observations: readonly Observation[]): ObservationBounds {
  return readObservationBounds(items, observations, observedItems({ items, observations }));
}

describe('availability without a rule', () => {
  test('counts a card from its own instant', () => {
    expect(placed(aCard(10))).toEqual([10, 10, 10]);
    expect(learnCardRules([aCard(10)], boundsOf([aCard(10)], []), GRID).length).toBeGreaterThan(1);
  });
});
