// Goal: a credit in manual review becomes a proposal, and every other credit keeps the engine's result.
// Method: the engine's result on a generated file, with one of its resolved credits in manual review.
import { describe, expect, test } from '@jest/globals';
import { scenarioNamed } from '../../../scripts/evaluate/score/make-world';
import { businessCalendar, WorkingDays } from '../../../src/kernel';
import { inferPayouts, judgeInference, type MatchRequest } from '../../../src/payout-inference';
import { routeToReview } from '../../../src/reconciliation/route-to-review';

describe('a credit under manual review', () => {
  const request = aRequest();
  const inference = inferPayouts(request);
  const resolved = inference.credits.filter(({ outcome }) => outcome === 'resolved');
  const taken = resolved[3]?.lineId ?? '';
  const unmatched = new Map([[taken, 'unmatched_before'] as const]);

  test('becomes a proposal, and its items stay unpaid', () => {
    const left = routeToReview(inference, unmatched);
    expect(left.credits.find(({ lineId }) => lineId === taken)).toMatchObject({
      outcome: 'ambiguous',
      itemIds: [],
      proposal: resolved[3]?.itemIds,
      candidates: [{ itemIds: resolved[3]?.itemIds, difference: 0, against: [{ code: 'unmatched_before' }] }],
    });
    expect(left.items.filter(({ lineId }) => lineId === taken)).toEqual([]);
    expect(left.items.map(({ available }) => available)).toEqual(inference.items.map(({ available }) => available));
  });

  test('is judged like any other', () => {
    const horizon = request.lines.at(-1)?.bookingDate;
    const { credits } = judgeInference(request, routeToReview(inference, unmatched), { horizon });
    expect(credits.filter(({ outcome }) => outcome === 'resolved')).toHaveLength(resolved.length - 1);
  });
});

function aRequest(): MatchRequest {
  const world = scenarioNamed('clean-daily')?.generate(1, { items: 200, days: 12 });
  if (world === undefined) throw new Error('there is no such scenario');
  const { items, observations, lines, fees, holidays } = world.files;
  const calendar = businessCalendar('Africa/Tunis');
  return { items, observations, lines, fees, calendar, workingDays: new WorkingDays(holidays), maxError: 1e-3 };
}
