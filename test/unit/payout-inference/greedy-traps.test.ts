// Goal: a credit that misleads a greedy search, or that no reader can decide, is ambiguous or resolved correctly.
// Method: each trap alone and among clean payouts that make the engine decide; a comment beside it explains it.
import { describe, expect, test } from '@jest/globals';
import { inferPayouts, type InferredCredit, type Item, type MatchRequest } from '../../../src/payout-inference';
import { GREEDY_TRAPS } from './greedy-traps';
import { type Story, type TrapFile, trapFile } from './trap-file';

/** Days beside the trap may share its doubt. */
const CLEAN_UNRESOLVED_MAX = 4;
const CAUGHT_MIN = 14;
const REFUSED_MAX = 10;

describe.each(GREEDY_TRAPS)('$name', (trap) => {
  test('is refused or right among clean payouts, which stay resolved', () => {
    const file = trapFile(trap, 'among clean payouts');
    const { credits } = inferPayouts(file.request);
    expect(faultsOf(credits, file)).toEqual([]);
    const clean = credits.filter(({ lineId, outcome }) => outcome === 'resolved' && file.cleanLineIds.includes(lineId));
    expect(clean.length).toBeGreaterThanOrEqual(file.cleanLineIds.length - CLEAN_UNRESOLVED_MAX);
  });

  test('is refused or right where it is all there is', () => {
    const file = trapFile(trap, 'alone');
    expect(faultsOf(inferPayouts(file.request).credits, file)).toEqual([]);
  });
});

test('catches a reader that takes the first run that fits', () => {
  const caught = GREEDY_TRAPS.filter((trap) => {
    const file = trapFile(trap, 'among clean payouts');
    return faultsOf(takeFirstFit(file.request), file).length > 0;
  });
  expect(caught.length).toBeGreaterThanOrEqual(CAUGHT_MIN);
});

test('resolves most payouts in which all stories agree', () => {
  const refused = GREEDY_TRAPS.filter((trap) => {
    const file = trapFile(trap, 'among clean payouts');
    const { credits } = inferPayouts(file.request);
    const sure = trap.lines
      .map((line) => line.split(' ')[0] ?? '')
      .filter((lineId) => isAgreed(file.stories, lineId) && itemsIn(file.stories[0], lineId).length > 0);
    return sure.some((lineId) => credits.find((credit) => credit.lineId === lineId)?.outcome !== 'resolved');
  });
  expect(refused.length).toBeLessThanOrEqual(REFUSED_MAX);
});

type Said = Pick<InferredCredit, 'lineId' | 'outcome' | 'itemIds' | 'commonCore'>;

/** What is said beyond what all stories of the file say. */
function faultsOf(credits: readonly Said[], file: TrapFile): string[] {
  const paidBy = new Map<string, string>();
  return credits.flatMap(({ lineId, outcome, itemIds, commonCore }) => {
    const faults: string[] = [];
    if (outcome === 'resolved') {
      const isRight = itemsIn(file.stories[0], lineId).join() === [...itemIds].sort().join();
      if (!isRight) faults.push(`${lineId} did not pay ${itemIds.join()}`);
      if (!isAgreed(file.stories, lineId)) faults.push(`${lineId} can be told in two ways`);
    }
    for (const itemId of commonCore) {
      const isInAll = file.stories.every((story) => story.get(lineId)?.includes(itemId) === true);
      if (!isInAll) faults.push(`${itemId} is not in all stories of ${lineId}`);
    }
    for (const itemId of itemIds) {
      if (paidBy.has(itemId)) faults.push(`${itemId} is paid by ${paidBy.get(itemId)} and ${lineId}`);
      paidBy.set(itemId, lineId);
    }
    return faults;
  });
}

function isAgreed(stories: readonly Story[], lineId: string): boolean {
  return new Set(stories.map((story) => itemsIn(story, lineId).join())).size === 1;
}

function itemsIn(story: Story | undefined, lineId: string): string[] {
  return [...(story?.get(lineId) ?? [])].sort();
}

/** The reader that the traps are for: by booking date, the first run of open items that weighs what the credit says. */
function takeFirstFit({ items, lines }: MatchRequest): Said[] {
  let open: readonly Item[] = items;
  return lines
    .filter(({ amount }) => amount > 0)
    .sort((a, b) => (a.bookingDate + a.lineId < b.bookingDate + b.lineId ? -1 : 1))
    .map(({ lineId, amount }): Said => {
      const run = firstRun(open, amount);
      open = open.filter((item) => !run.includes(item));
      const ids = new Set(run.map(({ itemId }) => itemId));
      for (const { itemId, refundOf = '' } of run) if (ids.delete(refundOf)) ids.delete(itemId);
      return { lineId, outcome: run.length > 0 ? 'resolved' : 'unexplained', itemIds: [...ids], commonCore: [] };
    });
}

function firstRun(open: readonly Item[], amount: number): readonly Item[] {
  for (let from = 0; from < open.length; from += 1) {
    let sum = 0;
    for (let to = from; to < open.length; to += 1) {
      sum += open[to]?.amount ?? 0;
      if (sum === amount) return open.slice(from, to + 1);
    }
  }
  return [];
}
