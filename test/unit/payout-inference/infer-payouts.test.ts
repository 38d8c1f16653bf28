// Goal: resolved credits are correct and add up, invented credits are refused, and the order of the files changes
// nothing.
// Method: small worlds of the evaluation, whose truth the engine never receives. FAULT_LENGTH sets the number of
// orders.
import { beforeAll, describe, expect, test } from '@jest/globals';
import { addDecoys } from '../../../scripts/evaluate/score/add-decoys';
import { answerQuestion } from '../../../scripts/evaluate/score/answer-question';
import { filesOnly } from '../../../scripts/evaluate/score/files-only';
import { judgeCredits } from '../../../scripts/evaluate/score/judge-credits';
import { scenarioNamed } from '../../../scripts/evaluate/score/make-world';
import { resolvableLines } from '../../../scripts/evaluate/score/resolvable';
import { resultDigest } from '../../../scripts/evaluate/score/result-digest';
import { shuffledFiles } from '../../../scripts/evaluate/score/shuffled-files';
import { trueBook } from '../../../scripts/evaluate/score/true-book';
import type { World, WorldFiles } from '../../../scripts/evaluate/world';
import { businessCalendar, WorkingDays } from '../../../src/kernel';
import { DEFAULT_ERROR_MAX, type Inference, inferPayouts, type Stream } from '../../../src/payout-inference';
import { FAULT_LENGTH, sized } from '../../support/faults';

const SEEDS = sized({ short: [1], full: [1, 2] });
const SHUFFLES = sized({ short: 2, full: 8 }) * FAULT_LENGTH;
const GRADES = ['reported', 'inferred_by_tracer', 'inferred_by_cut', 'inferred_by_sum'];

interface Case {
  readonly scenario: string;
  readonly items: number;
  readonly days: number;
  /** Of the credits that can be resolved at all. */
  readonly resolvedMin: number;
  /** Where other models say the same of the account: the streams that are paid. */
  readonly streams?: readonly Stream[];
}

const CASES: readonly Case[] = [
  { scenario: 'clean-daily', items: 250, days: 20, resolvedMin: 0.8 },
  { scenario: 'twice-a-day', items: 250, days: 20, resolvedMin: 0.7 },
  { scenario: 'odd-millimes', items: 250, days: 20, resolvedMin: 0.8 },
  { scenario: 'per-channel', items: 300, days: 15, resolvedMin: 0.5 },
  { scenario: 'card-only', items: 250, days: 20, resolvedMin: 0.7, streams: ['card'] },
  { scenario: 'per-item', items: 120, days: 15, resolvedMin: 0.5 },
  { scenario: 'fees-given', items: 250, days: 20, resolvedMin: 0.8 },
  { scenario: 'fees-learned', items: 250, days: 20, resolvedMin: 0.8 },
  { scenario: 'fees-per-payout', items: 250, days: 20, resolvedMin: 0.8 },
  { scenario: 'refunds-before', items: 250, days: 20, resolvedMin: 0.7 },
  { scenario: 'refunds-after-returned', items: 250, days: 20, resolvedMin: 0.7 },
  { scenario: 'late-item', items: 250, days: 20, resolvedMin: 0.6 },
  { scenario: 'returned-payout', items: 250, days: 20, resolvedMin: 0.6 },
  { scenario: 'unrelated-credits', items: 250, days: 20, resolvedMin: 0.6 },
];

describe.each(CASES)('$scenario', ({ scenario, items, days, resolvedMin, streams }) => {
  describe.each(SEEDS)('of seed %i', (seed) => {
    let world: World;
    let inference: Inference;

    beforeAll(() => {
      world = aWorld(scenario, seed, { items, days });
      inference = infer(world.files);
    });

    test('resolves most of what can be resolved, and nothing wrongly', () => {
      const judged = judgeCredits(inference.credits, trueBook(world));
      expect(
        judged.filter(({ verdict }) => verdict === 'wrong').map(({ credit, why }) => [credit.lineId, why]),
      ).toEqual([]);
      expect(judged.flatMap(({ coreFalse }) => coreFalse)).toEqual([]);
      const exact = new Set(judged.filter(({ verdict }) => verdict === 'exact').map(({ payoutKey }) => payoutKey));
      const resolvable = resolvableLines(world);
      expect(resolvable.size).toBeGreaterThan(5);
      expect(exact.size).toBeGreaterThanOrEqual(resolvedMin * resolvable.size);
    });

    test('states the true model, and fees that come to the same', () => {
      if (streams === undefined) expect(inference.model).toBe(world.truth.model);
      else expect(inference.streams.map(({ stream }) => stream)).toEqual(streams);
      expect(inference.feesLearned).toBe(world.files.fees === undefined && world.truth.fees.length > 0);
      const truth = new Map(world.truth.lines.map((line) => [line.lineId, line]));
      for (const { lineId, outcome, fee, tva } of inference.credits) {
        if (outcome === 'resolved') {
          expect({ fee, tva }).toEqual({ fee: truth.get(lineId)?.feeMillimes, tva: truth.get(lineId)?.tvaMillimes });
        }
      }
    });

    test('accounts for each resolved credit to the millime, pays no item twice, and names the evidence', () => {
      const amountOf = new Map(world.files.lines.map(({ lineId, amount }) => [lineId, amount]));
      const grossOf = new Map(world.files.items.map(({ itemId, amount }) => [itemId, amount]));
      const evidenceOf = new Map(inference.items.map((item) => [item.itemId, item]));
      const paid = new Set<string>();
      for (const { lineId, outcome, itemIds, gross, fee, tva, remainder, claimedError } of inference.credits) {
        if (outcome !== 'resolved') {
          expect(itemIds).toEqual([]);
          continue;
        }
        expect(gross - fee - tva + remainder).toBe(amountOf.get(lineId));
        expect(itemIds.reduce((sum, itemId) => sum + (grossOf.get(itemId) ?? 0), 0)).toBe(gross);
        expect(claimedError).toBeLessThanOrEqual(DEFAULT_ERROR_MAX);
        for (const itemId of itemIds) {
          expect(paid.has(itemId)).toBe(false);
          paid.add(itemId);
          expect(evidenceOf.get(itemId)?.lineId).toBe(lineId);
          expect(GRADES).toContain(evidenceOf.get(itemId)?.evidence);
        }
      }
      for (const { itemId, lineId, evidence } of inference.items) {
        if (!paid.has(itemId)) expect([itemId, lineId, evidence]).toEqual([itemId, undefined, undefined]);
      }
    });

    // A scenario more says more than a seed more.
    if (seed !== SEEDS[0]) return;

    test('resolves no invented credit beside the real ones', () => {
      const decoys = addDecoys(world.files, world.truth.lines, seed);
      expect(decoys.decoyLineIds.size).toBeGreaterThan(0);
      const { credits } = infer(decoys.files);
      expect(
        credits.filter(({ lineId, outcome }) => outcome === 'resolved' && decoys.decoyLineIds.has(lineId)),
      ).toEqual([]);
    });
  });
});

describe('an account that is never paid', () => {
  test.each(SEEDS)('resolves nothing and has no model (seed %i)', (seed) => {
    const { model, credits, items, streams } = infer(aWorld('nothing-paid', seed, { items: 400, days: 25 }).files);
    expect(model).toBeUndefined();
    expect(credits.length).toBeGreaterThan(0);
    expect(credits.filter(({ outcome }) => outcome === 'resolved')).toEqual([]);
    expect(items.filter(({ lineId }) => lineId !== undefined)).toEqual([]);
    expect(streams).toEqual([]);
  });
});

test('does not call a credit unexplained when the budget of the file ran out', () => {
  const { model, credits } = infer(aWorld('nothing-paid', 1, { items: 6_000, days: 25 }).files);
  expect(model).toBeUndefined();
  expect(new Set(credits.map(({ outcome }) => outcome))).toEqual(new Set(['search_cut_short']));
});

describe('the order of the files', () => {
  test.each([
    ['everything', 150],
    ['per-channel', 150],
    ['price-points', 150],
  ])('decides nothing (%s)', (scenario, items) => {
    const files = filesOnly(aWorld(scenario, 3, { items, days: 12 }).files);
    const digestOf = (of: WorldFiles): string =>
      resultDigest(answerQuestion({ files: of, maxError: DEFAULT_ERROR_MAX }).result);
    const shuffled = Array.from({ length: SHUFFLES }, (_, shuffle) => digestOf(shuffledFiles(files, shuffle + 1)));
    expect(new Set([digestOf(files), ...shuffled]).size).toBe(1);
    // The digest tells answers apart.
    expect(digestOf({ ...files, lines: files.lines.slice(1) })).not.toBe(digestOf(files));
  });
});

describe('files in which there is nothing', () => {
  const { files } = aWorld('clean-daily', 1, { items: 40, days: 10 });

  test('give an empty answer', () => {
    const nothing = infer({ ...files, items: [], observations: [], lines: [] });
    expect(nothing).toMatchObject({ model: undefined, credits: [], items: [], returned: [], streams: [] });
  });

  test('leave all credits unexplained where there is no item', () => {
    const { credits } = infer({ ...files, items: [] });
    expect(new Set(credits.map(({ outcome }) => outcome))).toEqual(new Set(['unexplained']));
  });

  test('leave all items unpaid where there is no line', () => {
    const { items, credits } = infer({ ...files, lines: [] });
    expect(credits).toEqual([]);
    expect(items).toHaveLength(files.items.length);
    expect(items.filter(({ lineId }) => lineId !== undefined)).toEqual([]);
  });
});

function aWorld(name: string, seed: number, size: { readonly items: number; readonly days: number }): World {
  const scenario = scenarioNamed(name);
  if (scenario === undefined) throw new Error(`no scenario ${name}`);
  return scenario.generate(seed, size);
}

function infer(files: WorldFiles): Inference {
  const { items, observations, lines, fees, holidays } = filesOnly(files);
  return inferPayouts({
    items,
    observations,
    lines,
    fees,
    calendar: businessCalendar('Africa/Tunis'),
    workingDays: new WorkingDays(holidays),
    maxError: DEFAULT_ERROR_MAX,
  });
}
