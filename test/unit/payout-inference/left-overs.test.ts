// Goal: what earlier runs left over is explained as it would be beside the payouts that they settled.
// Method: a file of daily payouts, of which one or two are open; the others are history.
import { expect, test } from '@jest/globals';
import { millimes } from '../../../src/kernel';
import { inferPayouts, type InferredCredit, type PastPayout } from '../../../src/payout-inference';
import { paidFile, settledPayout } from './paid-file';

const TWIN = millimes(20_000);
const FILE = paidFile({
  seed: 5,
  days: 26,
  itemsPerDay: 8,
  channels: [['agent', 1]],
  transfers: [{ channels: ['agent'], cut: { kind: 'daily', hour: 23 } }],
  amounts: 'millimes',
  lag: 1,
});

/** Asks about some payouts, by how much their credits were changed. The tenth one has two items of 20 DT. */
function askAbout(changes: ReadonlyMap<number, number>): readonly InferredCredit[] {
  const { request, truth } = FILE;
  const lines = [];
  const payouts: PastPayout[] = [];
  const open = new Map<string, boolean>();
  for (const [place, line] of request.lines.entries()) {
    const itemIds = truth.get(line.lineId) ?? [];
    const paid = request.items.filter(({ itemId }) => itemIds.includes(itemId));
    const change = changes.get(place);
    if (change === undefined) {
      payouts.push(settledPayout(FILE, line));
      continue;
    }
    itemIds.forEach((itemId, at) => open.set(itemId, place === 9 && (at === 2 || at === 5)));
    const total = paid.reduce((sum, { itemId, amount }) => sum + (open.get(itemId) === true ? TWIN : amount), 0);
    lines.push({ ...line, amount: millimes(total + change) });
  }
  const items = request.items
    .filter(({ itemId }) => open.has(itemId))
    .map((item) => (open.get(item.itemId) === true ? { ...item, amount: TWIN } : item));
  return inferPayouts({ ...request, items, lines, history: { model: 'sweep-all', payouts } }).credits;
}

test('an item and its twin, one of which was paid later, are equally likely: both are candidates', () => {
  const credits = askAbout(
    new Map([
      [9, -TWIN],
      [10, TWIN],
    ]),
  );
  expect(credits.map(({ outcome }) => outcome)).toEqual(['ambiguous', 'ambiguous']);
  for (const { candidates = [] } of credits) {
    expect(candidates.map(({ probability = 0 }) => Math.round(100 * probability))).toEqual([50, 50]);
  }
});

test('a payout that lacks an amount has its run as the nearest candidate', () => {
  const [credit] = askAbout(new Map([[9, -5_000]]));
  expect(credit?.candidates?.map(({ kind, difference }) => [kind, difference])).toEqual([['nearest', -5_000]]);
});

test('nothing is resolved by amounts that no open items have', () => {
  const credits = askAbout(
    new Map([
      [9, 3_210_987],
      [10, 4_321_987],
    ]),
  );
  expect(credits.map(({ outcome }) => outcome)).not.toContain('resolved');
});
