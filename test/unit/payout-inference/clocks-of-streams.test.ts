// Goal: streams with clocks of their own are all found.
// Method: generated files of two channels, one cut in the morning and one in the evening, as if they were one gateway's.
import { expect, test } from '@jest/globals';
import type { Channel } from '../../../src/payout-inference';
import { answerTo, paidFile } from './paid-file';

const CHANNELS: readonly (readonly [Channel, number])[] = [
  ['card', 4],
  ['agent', 3],
  ['wallet', 3],
];

test.each([1, 2])('finds a stream that is cut at another hour than the others (seed %i)', (seed) => {
  const { exact, wrong, payouts, streams } = answerTo(
    paidFile({
      seed,
      days: 40,
      itemsPerDay: 30,
      channels: CHANNELS,
      transfers: [
        { channels: ['card'], cut: { kind: 'daily', hour: 9 } },
        { channels: ['agent'], cut: { kind: 'daily', hour: 17 } },
      ],
      amounts: 'dinars',
      lag: 1,
      isObserved: true,
    }),
  );
  expect(wrong).toEqual([]);
  expect(streams).toEqual(['agent', 'card']);
  expect(exact).toBeGreaterThan(0.8 * payouts);
});
