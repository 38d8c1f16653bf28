// Goal: where the same agents pay the same dues each evening, only what the file decides is resolved.
// Method: generated files with five payments of one price each evening, alone, in one sweep with cards, or beside them.
import { expect, test } from '@jest/globals';
import { answerTo, type FilePlan, paidFile } from './paid-file';

const CARDS: Partial<FilePlan> = { channels: [['card', 1]], itemsPerDay: 20 };
const MIXED: Partial<FilePlan> = {
  channels: [
    ['card', 3],
    ['agent', 1],
  ],
  itemsPerDay: 20,
};

function answerFor(
  hour: number,
  transfers: readonly FilePlan['transfers'][number]['channels'][],
  more: Partial<FilePlan>,
) {
  return answerTo(
    paidFile({
      ...{ seed: 1, days: 30, itemsPerDay: 0, channels: [['agent', 1]], amounts: 'dinars', lag: 1, isObserved: true },
      evening: { channel: 'agent', count: 5, millimes: 9_900 },
      transfers: transfers.map((channels) => ({ channels, cut: { kind: 'daily', hour } })),
      ...more,
    }),
  );
}

test.each([18, 20.5, 22])('refuses dues of one price without any other payment (cut at %d)', (hour) => {
  expect(answerFor(hour, [['agent']], {})).toMatchObject({ exact: 0, wrong: [] });
});

test('resolves dues in one sweep with cards, whose sums show the cut', () => {
  const { exact, wrong, payouts, model } = answerFor(22, [['agent', 'card']], CARDS);
  expect({ wrong, model }).toEqual({ wrong: [], model: 'sweep-all' });
  expect(exact).toBeGreaterThan(0.75 * payouts);
});

test.each([18, 20.5, 22])('resolves the cards beside dues that have a sweep of their own (cut at %d)', (hour) => {
  const { exact, wrong, payouts } = answerFor(hour, [['agent'], ['card']], CARDS);
  expect(wrong).toEqual([]);
  expect(exact).toBeGreaterThanOrEqual(0.4 * payouts);
});

test.each([18, 20.5, 22])('resolves dues among other payments of the agents (cut at %d)', (hour) => {
  const { exact, wrong, payouts, streams } = answerFor(hour, [['agent'], ['card']], MIXED);
  expect({ wrong, streams }).toEqual({ wrong: [], streams: ['agent', 'card'] });
  expect(exact).toBeGreaterThan(0.5 * payouts);
});
