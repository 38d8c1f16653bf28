import { describe, expect, test } from '@jest/globals';
import { type Instant, millimes } from '../../../../src/kernel';
import type { FeeRule, Item, MatchRequest } from '../../../../src/payout-inference';
import { prepareFile } from '../../../../src/payout-inference/prepare-file';
import { mayHaveStraddlingItems } from '../../../../src/payout-inference/straddling/has-straddling-items';
import { learnCardRules } from '../../../../src/payout-inference/testing';
import { tightFile } from './tight-file';

const { request } = tightFile({ days: 20, cardsOn: () => 12, isObserved: () => true });

// Goal: the expensive search of straddling items runs only where it can matter.
describe('hasStraddlingItems', () => {
  test('is true where observations see cards wait for nearly all of the day', () => {
    expect(isSuspected(request, [])).toBe(true);
  });

  test('is false without tracers', () => {
    expect(isSuspected({ ...request, observations: [] }, [])).toBe(false);
  });

  test('is true where many items are given with an interval', () => {
    const items = request.items.map((item, index) =>
      index % 4 === 0 ? { ...item, ...around(item.succeededAt) } : item,
    );
    expect(isSuspected({ ...request, items, observations: [] }, [])).toBe(true);
  });

  test('is false under a fee on the whole payout', () => {
    const rule: FeeRule = {
      channel: 'card',
      ratePpm: 10_000,
      fixedMillimes: millimes(0),
      tvaPpm: 190_000,
      rounding: 'half_up',
      basis: 'payout',
    };
    expect(isSuspected(request, [rule])).toBe(false);
  });
});

function around(at: Instant): Pick<Item, 'availableAfter' | 'availableUntil'> {
  return { availableAfter: at - 60_000, availableUntil: at };
}

function isSuspected(of: MatchRequest, rules: readonly FeeRule[]): boolean {
  const file = prepareFile(of);
  const [cardRule] = learnCardRules(of.items, file.bounds, file.grid);
  return mayHaveStraddlingItems(file, { model: 'sweep-all', cardRule, fees: { rules, clawback: 'kept' } });
}
