// Goal: the fees of a payout are allocated to its items to the millime, or not at all.
import { describe, expect, test } from '@jest/globals';
import { businessDate, millimes } from '../../../src/kernel';
import type { Channel, FeeRule, Item } from '../../../src/payout-inference';
import { allocateFees, feeOfItem } from '../../../src/reconciliation/allocate-fees';

const MONDAY = businessDate('2026-03-02');
const TUESDAY = businessDate('2026-03-03');
const RULE: FeeRule = {
  channel: 'card',
  ratePpm: 15_000,
  fixedMillimes: millimes(0),
  tvaPpm: 190_000,
  rounding: 'half_up',
  basis: 'item',
};
const DEARER: FeeRule = { ...RULE, ratePpm: 20_000, from: TUESDAY };

function item(itemId: string, amount: number, channel: Channel = 'card'): Item {
  return { itemId, channel, amount: millimes(amount), succeededAt: 0 };
}

function shared(items: readonly Item[], fee: number, tva: number, rules: readonly FeeRule[], days = [MONDAY]) {
  const daysOf = days.map((day) => () => day);
  const shares = allocateFees({ items, fee: millimes(fee), tva: millimes(tva), rules, daysOf });
  return shares.map((share) => [share.fee, share.tva]);
}

describe('the fees of a payout', () => {
  test('are those of each item under its channel’s rule', () => {
    const items = [item('a', 200_000), item('b', 1_000), item('c', 5_000, 'wallet')];
    expect(shared(items, 3_015, 573, [RULE])).toEqual([
      [3_000, 570],
      [15, 3],
      [0, 0],
    ]);
  });

  test('are found by whichever day the gateway chooses the rule', () => {
    expect(shared([item('a', 200_000)], 4_000, 760, [RULE, DEARER], [MONDAY, TUESDAY])).toEqual([[4_000, 760]]);
  });

  test('are kept or returned on a refund, as the total requires', () => {
    const items = [item('a', 200_000), item('r', -100_000)];
    expect(shared(items, 3_000, 570, [RULE])).toEqual([
      [3_000, 570],
      [0, 0],
    ]);
    expect(shared(items, 1_500, 285, [RULE])).toEqual([
      [3_000, 570],
      [-1_500, -285],
    ]);
  });

  test('belong to no item if they do not add up, or are charged on the payout', () => {
    expect(shared([item('a', 200_000)], 3_001, 570, [RULE])).toEqual([[0, 0]]);
    expect(shared([item('a', 200_000)], 3_000, 571, [RULE])).toEqual([[0, 0]]);
    expect(shared([item('a', 200_000)], 3_000, 570, [{ ...RULE, basis: 'payout' }])).toEqual([[0, 0]]);
  });

  test('are allocated as far as item rules apply if other channels pay per payout', () => {
    const wallet: FeeRule = { ...RULE, channel: 'wallet', basis: 'payout' };
    expect(shared([item('a', 200_000), item('w', 100_000, 'wallet')], 4_500, 855, [RULE, wallet])).toEqual([
      [3_000, 570],
      [0, 0],
    ]);
  });

  test('are kept on a refund if the fee of the payout leaves room for both', () => {
    const items = [item('a', 200_000), item('r', -100_000)];
    const wallet: FeeRule = { ...RULE, channel: 'wallet', basis: 'payout' };
    expect(shared(items, 3_100, 589, [RULE, wallet])).toEqual([
      [3_000, 570],
      [0, 0],
    ]);
  });

  test('are those of the items if they use up the fee of the payout', () => {
    const wallet: FeeRule = { ...RULE, channel: 'wallet', basis: 'payout' };
    expect(shared([item('a', 200_000)], 3_000, 570, [RULE, wallet])).toEqual([[3_000, 570]]);
    expect(shared([item('a', 200_000)], 3_000, 569, [RULE, wallet])).toEqual([[0, 0]]);
    expect(shared([item('a', 200_000)], 2_999, 570, [RULE, wallet])).toEqual([[0, 0]]);
  });

  test.each([0, -100_000])('are none on an amount of %i, even if the rule has a fixed part', (amount) => {
    const rule = { ...RULE, fixedMillimes: millimes(100) };
    expect(feeOfItem({ channel: 'card', amount: millimes(amount) }, [rule], MONDAY)).toEqual({ fee: 0, tva: 0 });
  });
});
