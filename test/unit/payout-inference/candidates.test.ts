// Goal: a credit that is not resolved states its best explanations: sums that add up, probabilities, the
// objections to each, and the items in which they differ; the truth is among them in these files.
// Method: generated worlds, whose truth the engine never receives, each with one cause.
import { describe, expect, test } from '@jest/globals';
import { scenarioNamed } from '../../../scripts/evaluate/score/make-world';
import type { World } from '../../../scripts/evaluate/world';
import { businessCalendar, WorkingDays } from '../../../src/kernel';
import {
  type Candidate,
  creditJson,
  inferPayouts,
  type InferredCredit,
  objectionText,
} from '../../../src/payout-inference';

describe('the candidates of a credit', () => {
  test.each([
    ['surprise-fee', 2, { items: 300, days: 20 }],
    ['split-credits', 3, { items: 300, days: 12 }],
    ['per-item', 1, { items: 200, days: 15 }],
    ['price-points', 1, { items: 300, days: 20 }],
  ])('add up, and hold what the credits of %s paid', (name, seed, size) => {
    const world = aWorld(name, seed, size);
    const open = inferred(world).filter(({ outcome }) => outcome !== 'resolved');
    expect(open.length).toBeGreaterThan(0);
    for (const credit of open) {
      const { candidates = [] } = credit;
      const [first] = candidates;
      expect(candidates.length).toBeLessThanOrEqual(3);
      expect(candidates.reduce((sum, { probability = 0 }) => sum + probability, 0)).toBeLessThanOrEqual(1);
      for (const candidate of candidates) {
        const { gross, fee, tva, difference, against, itemIds, itemCount } = candidate;
        expect(gross - fee - tva + difference).toBe(amountOf(world, credit));
        expect(against.map(objectionText)).not.toEqual([]);
        expect(itemCount).toBe(itemIds.length);
        expect([...itemIds].sort()).toEqual([...withDifferences(first, candidate)].sort());
      }
    }
    const found = open.filter((credit) => credit.candidates?.some((each) => isTrue(world, credit, each)));
    expect(found.length).toBeGreaterThanOrEqual(0.9 * open.length);
  });

  test('state the difference of a credit whose items are clear and whose amount is not', () => {
    const credits = inferred(aWorld('surprise-fee', 2, { items: 300, days: 20 }));
    const less = credits.find(({ cause }) => cause === 'unknown_amount');
    expect(less?.candidates).toMatchObject([
      {
        kind: 'nearest',
        probability: undefined,
        difference: -15_300,
        against: [{ code: 'unknown_amount', amount: -15_300 }],
      },
    ]);
  });

  test('name a part of a payout as such, with the rest of the payout as its difference', () => {
    const world = aWorld('split-credits', 3, { items: 300, days: 12 });
    const [part, other] = inferred(world).filter(({ cause }) => cause === 'split');
    expect(part?.candidates?.[0]).toMatchObject({ kind: 'part', against: expect.anything() });
    expect(part?.candidates?.[0]?.against.map(({ code }) => code)).toContain('part_of_payout');
    if (part === undefined || other === undefined) throw new Error('no payout came in two credits');
    expect(part.candidates?.[0]?.difference).toBe(-amountOf(world, other));
  });

  test('differ by one item where two payments are as likely, and each names the other', () => {
    const twins = inferred(aWorld('per-item', 1, { items: 200, days: 15 })).find(
      ({ candidates = [] }) => candidates.length > 1,
    );
    const [first, second] = twins?.candidates ?? [];
    expect(second).toMatchObject({ adds: { count: 1 }, lacks: { count: 1, itemIds: first?.itemIds } });
    expect(second?.probability).toBeLessThanOrEqual(first?.probability ?? 0);
    for (const each of [first, second]) expect(each?.against[0]?.code).toBe('another_explanation');
  });

  test('are there before anything proves the model, without a probability', () => {
    const world = aWorld('whole-dinars', 3, { items: 150, days: 7 });
    const credits = inferred(world);
    expect(credits.map(({ outcome }) => outcome)).toEqual(['unexplained', 'unexplained']);
    for (const credit of credits) {
      expect(credit.candidates).toMatchObject([{ kind: 'run', probability: undefined, difference: 0 }]);
      expect(credit.candidates?.[0]?.against.map(({ code }) => code)).toContain('not_proven');
      expect(credit.candidates?.filter((each) => isTrue(world, credit, each))).toHaveLength(1);
    }
  });

  test('are as JSON with the items of the first one, and of the others only those in which they differ', () => {
    const twins = inferred(aWorld('per-item', 1, { items: 200, days: 15 })).find(
      ({ candidates = [] }) => candidates.length > 1,
    );
    if (twins === undefined) throw new Error('no credit has two candidates');
    const [first, second] = twins.candidates ?? [];
    expect(creditJson(twins).candidates).toMatchObject([
      {
        items: 1,
        item_ids: first?.itemIds,
        difference_millimes: 0,
        against: expect.arrayContaining([
          { code: 'another_explanation', probability: expect.any(Number), text: expect.any(String) },
        ]),
      },
      { item_ids: null, adds: { items: 1, item_ids: second?.itemIds }, lacks: { items: 1, item_ids: first?.itemIds } },
    ]);
  });
});

function aWorld(name: string, seed: number, size: { readonly items: number; readonly days: number }): World {
  const world = scenarioNamed(name)?.generate(seed, size);
  if (world === undefined) throw new Error(`no scenario ${name}`);
  return world;
}

function inferred({ files }: World): readonly InferredCredit[] {
  const { items, observations, lines, fees, holidays } = files;
  const calendar = businessCalendar('Africa/Tunis');
  const request = { items, observations, lines, fees, calendar, workingDays: new WorkingDays(holidays) };
  return inferPayouts({ ...request, maxError: 1e-3 }).credits;
}

function amountOf({ files }: World, { lineId }: InferredCredit): number {
  return files.lines.find((line) => line.lineId === lineId)?.amount ?? 0;
}

function isTrue({ truth }: World, { lineId }: InferredCredit, { itemIds }: Candidate): boolean {
  const paid = truth.lines.find((line) => line.lineId === lineId)?.itemIds ?? [];
  return [...paid].sort().join() === itemIds.join();
}

function withDifferences(first: Candidate | undefined, { adds, lacks }: Candidate): Set<string> {
  const ids = new Set(first?.itemIds);
  for (const itemId of lacks.itemIds) ids.delete(itemId);
  for (const itemId of adds.itemIds) ids.add(itemId);
  return ids;
}
