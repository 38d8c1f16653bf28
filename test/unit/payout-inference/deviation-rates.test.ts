// Goal: the rates of deviations follow what the streams of a file show, and begin with a prior that the file outvotes.
// Method: counts of streams, with rates computed by hand.
import { describe, expect, test } from '@jest/globals';
import { type CountedDeviations, deviationRates } from '../../../src/payout-inference/deviation-rates';

const NOTHING: CountedDeviations = {
  payouts: 0,
  heldBack: 0,
  takenEarly: 0,
  refundLeft: 0,
  merged: 0,
  split: 0,
};

describe('the rates of moved items', () => {
  test('are the same in both directions before any item moved', () => {
    const { heldBack, takenEarly } = deviationRates([{ ...NOTHING, payouts: 40 }]);
    expect(heldBack).toBeCloseTo(0.06 / 100, 12);
    expect(takenEarly).toBe(heldBack);
  });
  test('follow the direction of the items that moved, in all streams together', () => {
    const moved = { ...NOTHING, payouts: 20, heldBack: 2 };
    const { heldBack, takenEarly } = deviationRates([moved, { ...moved, heldBack: 3 }]);
    expect(heldBack + takenEarly).toBeCloseTo(5.12 / 100, 12);
    expect(heldBack / takenEarly).toBeCloseTo(5.5 / 0.5, 12);
  });
});
