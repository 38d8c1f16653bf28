// Goal: the polls determine when card money becomes available, and a few deviating polls do not change it.
import { describe, expect, test } from '@jest/globals';
import { addDays, HOUR_MS } from '../../../src/kernel';
import type { Item, Observation } from '../../../src/payout-inference';
import {
  type CardRule,
  learnCardRules,
  observedItems,
  readObservationBounds,
} from '../../../src/payout-inference/testing';
import { aGrid, anItem, FIRST_AT, FIRST_DATE } from './a-stream';

const GRID = aGrid({ days: 40, holidays: [addDays(FIRST_DATE, 8)] });
const CARDS = 60;

interface Card {
  readonly item: Item;
  readonly observations: readonly Observation[];
}

describe('cards of which all become available in one batch', () => {
  const cards = cardsThat((card) => batchAt(card, 6.5));

  test('get that hour as their rule', () => {
    expectBatch(rulesOf(cards)[0], 6.5);
  });

  test('keep that rule even if some were late', () => {
    expectBatch(rulesOf(cardsThat((card) => batchAt(card, card % 20 === 0 ? 20 : 6.5)))[0], 6.5);
  });

  test('get the same rule in any order of the files', () => {
    expect(rulesOf([...cards].reverse())).toEqual(rulesOf(cards));
  });
});

test('learns a rule as wide as a batch that takes half an hour', () => {
  const [rule] = rulesOf(cardsThat((card) => batchAt(card, 6 + (card % 10) / 20)));
  if (rule?.kind !== 'batch') throw new Error('a batch');
  expect(rule.fromMs).toBeLessThanOrEqual(6.1 * HOUR_MS);
  expect(rule.offsetMs).toBeGreaterThanOrEqual(6.35 * HOUR_MS);
  expect(rule.offsetMs - rule.fromMs).toBeLessThan(HOUR_MS);
});

test('leaves the plain rules open if the only card that shows both sides was not checked for days', () => {
  const [card] = cardsThat((each) => batchAt(each, 0));
  if (card === undefined) throw new Error('a card');
  const { itemId } = card.item;
  const observations = [
    observe(itemId, startOfNext(0) - 10, 'PROCESSING'),
    observe(itemId, startOfNext(0) + 73, 'PAID'),
  ];
  const hours = rulesOf([{ ...card, observations }]).flatMap((rule) =>
    rule.kind === 'batch' ? [rule.offsetMs / HOUR_MS] : [],
  );
  expect(hours).toEqual([0, 9]);
});

test('puts the rolling rule first when cards become available at their own clock time', () => {
  const rules = rulesOf(cardsThat((card) => startOfNext(card) + (hourOf(card) % 24)));
  expect(rules[0]?.kind).toBe('rolling');
});

test('leaves all plain rules open for cards without observations', () => {
  const kinds = rulesOf(cardsThat((card) => batchAt(card, 6.5)).map((card) => ({ ...card, observations: [] }))).map(
    ({ kind }) => kind,
  );
  expect(new Set(kinds)).toEqual(new Set(['batch', 'rolling']));
});

test('learns nothing about cards from other channels and refunds', () => {
  const cards = cardsThat((card) => batchAt(card, 6.5));
  const others = cardsThat((card) => batchAt(card, 15)).map(({ item, observations }): Card => ({
    item: { ...item, itemId: `other-${item.itemId}`, channel: 'wallet' },
    observations: observations.map((each) => ({ ...each, itemId: `other-${each.itemId}` })),
  }));
  expect(rulesOf([...cards, ...others, ...others])).toEqual(rulesOf(cards));
});

/** Cards paid at odd hours on working days and not; looked at shortly before and after they become available. */
function cardsThat(availableAt: (card: number) => number): Card[] {
  return Array.from({ length: CARDS }, (_, card): Card => {
    const itemId = `card-${card}`;
    const at = availableAt(card);
    return {
      item: anItem(itemId, hourOf(card), 1_000, { channel: 'card' }),
      observations: [
        observe(itemId, at - 0.1 - (card % 7) / 10, 'PROCESSING'),
        observe(itemId, at + 0.1 + (card % 5) / 10, 'AVAILABLE'),
      ],
    };
  });
}

function hourOf(card: number): number {
  return card * 11.3 + 0.4;
}

function startOfNext(card: number): number {
  const day = GRID.dayOf(FIRST_AT + hourOf(card) * HOUR_MS);
  return ((GRID.startAt[GRID.nextWorking(day)] ?? 0) - FIRST_AT) / HOUR_MS;
}

function batchAt(card: number, hour: number): number {
  return startOfNext(card) + hour;
}

function observe(itemId: string, hours: number, settlementStatus: string): Observation {
  return { itemId, observedAt: FIRST_AT + Math.round(hours * HOUR_MS), status: 'SUCCESS', settlementStatus };
}

function rulesOf(cards: readonly Card[]): readonly CardRule[] {
  const items = cards.map(({ item }) => item);
  const observations = cards.flatMap((card) => card.observations);
  return learnCardRules(
    items,
    readObservationBounds(items, observations, observedItems({ items, observations })),
    GRID,
  );
}

function expectBatch(rule: CardRule | undefined, hour: number): void {
  if (rule?.kind !== 'batch') throw new Error('a batch');
  expect(Math.abs(rule.offsetMs - hour * HOUR_MS)).toBeLessThanOrEqual(0.2 * HOUR_MS);
}
