// Goal: the worlds of another author, whose habits differ from those of the evaluation, are resolved as far as was promised.
// Method: the files are answered first, and only then compared with the truth.
import { describe, expect, test } from '@jest/globals';
import { hasPayoutWorlds, judgeWorld } from '../../support/payout-worlds';

/** By world: how many credits are resolved at least with a claimed error of at most 0.001. */
const EXACT_MIN = {
  'card-and-agents-71': 79,
  'card-and-agents-72': 78,
  'late-item-71': 34,
  'late-item-72': 32,
  'everything-73': 66,
  'fee-by-channel-learn-72': 268,
  'refund-ignored-71': 37,
  'missing-line-71': 36,
  'price-points-71': 31,
  'per-channel-73': 262,
} as const;

/** Worlds without a promise. Nothing in them may be wrong. */
const OTHERS = [
  'irregular-manual-71',
  'price-points-faults-71',
  'price-points-faults-72',
  'tight-cut-71',
  'tiny-shop-71',
];

(hasPayoutWorlds() ? describe : describe.skip)('worlds of another author', () => {
  test.each(Object.entries(EXACT_MIN))('resolves at least the promised credits of %s (%i)', (world, least) => {
    const { exact, wrong, cutShort } = judgeWorld(world, 0.001);
    expect({ wrong, cutShort }).toEqual({ wrong: [], cutShort: 0 });
    expect(exact).toBeGreaterThanOrEqual(least);
  });

  test.each(OTHERS)('resolves nothing wrongly in %s, at both limits', (world) => {
    for (const maxError of [0.001, 0.005]) {
      expect(judgeWorld(world, maxError)).toMatchObject({ wrong: [], cutShort: 0 });
    }
  });
});
