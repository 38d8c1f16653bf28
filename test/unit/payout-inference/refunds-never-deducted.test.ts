// Goal: a gateway that never takes refunds back is recognized, and each of its refunds is reported.
// Method: daily payouts of payments, of which one in ten is refunded two days later at full price in no payout.
import { describe, expect, test } from '@jest/globals';
import { HOUR_MS, type Millimes } from '../../../src/kernel';
import { type Item, matchPayouts, type MatchRequest } from '../../../src/payout-inference';
import { type PaidFile, paidFile, settledPayout } from './paid-file';

const REFUNDED_AFTER_MS = 50 * HOUR_MS;

function fileWithRefunds(seed: number): PaidFile {
  const { request, truth } = paidFile({
    seed,
    days: 30,
    itemsPerDay: 30,
    channels: [['agent', 1]],
    transfers: [{ channels: ['agent'], cut: { kind: 'daily', hour: 18 } }],
    amounts: 'millimes',
    lag: 1,
  });
  const refunds = request.items
    .filter((_, place) => place % 10 === 3)
    .map((item): Item => ({
      ...item,
      itemId: `refund-${item.itemId}`,
      amount: -item.amount as Millimes,
      succeededAt: item.succeededAt + REFUNDED_AFTER_MS,
      refundOf: item.itemId,
    }));
  return { request: { ...request, items: [...request.items, ...refunds] }, truth };
}

function judge(request: MatchRequest, truth: PaidFile['truth']) {
  const { credits, breaks } = matchPayouts(request);
  const resolved = credits.filter(({ outcome }) => outcome === 'resolved');
  const isRight = (lineId: string, itemIds: readonly string[]): boolean =>
    [...itemIds].sort().join() === [...(truth.get(lineId) ?? [])].sort().join();
  return {
    share: resolved.length / credits.length,
    wrong: resolved.filter(({ lineId, itemIds }) => !isRight(lineId, itemIds)).map(({ lineId }) => lineId),
    breaks,
  };
}

describe.each([1, 2])('a gateway that never takes a refund back, seed %i', (seed) => {
  const { request, truth } = fileWithRefunds(seed);

  test('is known by its payouts, and owes nothing for the refunds', () => {
    const { share, wrong, breaks } = judge(request, truth);
    expect(wrong).toEqual([]);
    expect(share).toBeGreaterThan(0.95);
    expect(new Set(breaks.map(({ breakClass }) => breakClass))).toEqual(new Set(['refund_not_reflected']));
    const refunds = request.items.filter(({ refundOf }) => refundOf !== undefined);
    // The last ones could still be taken back.
    expect(breaks.length).toBeGreaterThan(0.85 * refunds.length);
  });

  test('is still known after payouts that earlier runs settled', () => {
    const inOrder = [...request.lines].sort((a, b) => (a.bookingDate < b.bookingDate ? -1 : 1));
    const [settled, lines] = [inOrder.slice(0, 12), inOrder.slice(12)];
    const paid = new Set(settled.flatMap(({ lineId }) => truth.get(lineId) ?? []));
    const payouts = settled.map((line) => settledPayout({ request, truth }, line));
    const items = request.items.filter(({ itemId }) => !paid.has(itemId));
    const { share, wrong } = judge({ ...request, items, lines, history: { model: 'sweep-all', payouts } }, truth);
    expect(wrong).toEqual([]);
    expect(share).toBeGreaterThan(0.95);
  });
});
