// Goal: what people matched stays evidence for the other credits, and a wrong match of a person spoils none of them.
// Method: a generated file of six credits; people match four of them with the true items, or one with others.
import { describe, expect, test } from '@jest/globals';
import { scenarioNamed } from '../../../scripts/evaluate/score/make-world';
import { businessCalendar, WorkingDays } from '../../../src/kernel';
import { type AssertedPayout, inferPayouts, type MatchRequest } from '../../../src/payout-inference';

describe('credits that people matched', () => {
  const { request, paid } = aFile();
  const whole = inferPayouts(request);
  const lineIds = whole.credits.map(({ lineId }) => lineId);
  const byPeople = (left: readonly number[]): MatchRequest =>
    matchedByPeople(
      request,
      lineIds.filter((_, place) => !left.includes(place)),
      paid,
    );

  test.each([[[0, 1]], [[2, 3]], [[4, 5]], [[0, 5]]])(
    'leave the answers about the others, %j, as they were',
    (left) => {
      const asked = byPeople(left);
      const inference = inferPayouts(asked);
      expect(inference.credits).toEqual(left.map((place) => whole.credits[place]));
      expect(inference.credits.map(({ outcome }) => outcome)).toEqual(['resolved', 'resolved']);
      expect(inference.items.map(({ itemId }) => itemId)).toEqual(asked.items.map(({ itemId }) => itemId));
      // Without them, two credits prove nothing.
      const alone = inferPayouts({ ...asked, asserted: [] });
      expect(alone.credits.filter(({ outcome }) => outcome === 'resolved')).toEqual([]);
    },
  );

  test('are left out if their items are no payout of the model, and then matter no more than their absence', () => {
    const [lineId = ''] = lineIds;
    const [, ...others] = paid(lineId);
    const stranger = request.items.map(({ itemId }) => itemId).find((itemId) => !paid(lineId).includes(itemId));
    const wrong = matchedByPeople(request, [lineId], () => [stranger ?? '', ...others]);
    expect(inferPayouts(wrong)).toEqual(inferPayouts({ ...wrong, asserted: [] }));
  });

  test('give the same answer in any order', () => {
    const asked = byPeople([2, 3]);
    const { asserted = [], items } = asked;
    const turned = [...asserted].reverse().map((each) => ({ ...each, items: [...each.items].reverse() }));
    const again = inferPayouts({ ...asked, items: [...items].reverse(), observedItems: undefined, asserted: turned });
    expect(again.credits).toEqual(inferPayouts(asked).credits);
  });
});

/** Takes credits and items out of the request, as matches by people do. */
function matchedByPeople(
  request: MatchRequest,
  lineIds: readonly string[],
  itemsOf: (lineId: string) => readonly string[],
): MatchRequest {
  const asserted = request.lines
    .filter(({ lineId }) => lineIds.includes(lineId))
    .map((line): AssertedPayout => {
      const ids = new Set(itemsOf(line.lineId));
      const items = request.items.filter(({ itemId }) => ids.has(itemId));
      return { line, items, observations: request.observations.filter(({ itemId }) => ids.has(itemId)) };
    });
  const held = new Set(asserted.flatMap(({ items }) => items.map(({ itemId }) => itemId)));
  return {
    ...request,
    items: request.items.filter(({ itemId }) => !held.has(itemId)),
    observations: request.observations.filter(({ itemId }) => !held.has(itemId)),
    lines: request.lines.filter(({ lineId }) => !lineIds.includes(lineId)),
    asserted,
  };
}

function aFile(): { readonly request: MatchRequest; readonly paid: (lineId: string) => readonly string[] } {
  const world = scenarioNamed('odd-millimes')?.generate(3, { items: 250, days: 11 });
  if (world === undefined) throw new Error('there is no such scenario');
  const { items, observations, lines, fees, holidays } = world.files;
  const calendar = businessCalendar('Africa/Tunis');
  return {
    request: { items, observations, lines, fees, calendar, workingDays: new WorkingDays(holidays), maxError: 1e-3 },
    paid: (lineId) => world.truth.lines.find((line) => line.lineId === lineId)?.itemIds ?? [],
  };
}
