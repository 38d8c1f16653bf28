import { describe, expect, test } from '@jest/globals';
import { type Millimes, millimes } from '../../../../src/kernel';
import { inferPayouts, type InferredCredit } from '../../../../src/payout-inference';
import { oddAmount, type TightFile, tightFile, type TightPlan } from './tight-file';

const DAYS = 24;
const CARDS = 12;
const ALL_OBSERVED: TightPlan = { days: DAYS, cardsOn: () => CARDS, isObserved: () => true };

// Goal: a cut in the minutes in which cards become available is resolved if tracers and sums leave one answer, and
// stays ambiguous if they leave two.
// Method: a generated file whose truth is known; only the polls and the amounts differ.
describe('a cut inside the batch of cards', () => {
  test('is solved by tracers, each credit with its own items', () => {
    const file = tightFile(ALL_OBSERVED);
    const credits = inferPayouts(file.request).credits;
    expect(resolved(credits).length).toBeGreaterThanOrEqual(credits.length - 1);
    expect(wrong(file, credits)).toEqual([]);
  });

  test('is solved by sums where a few cards were never observed', () => {
    const isObserved = (day: number, card: number): boolean => (card + day) % 6 !== 0;
    const file = tightFile({ ...ALL_OBSERVED, isObserved });
    const credits = inferPayouts(file.request).credits;
    expect(resolved(credits).length).toBeGreaterThan(credits.length / 2);
    expect(wrong(file, credits)).toEqual([]);
  });

  test('leaves open which of two equal cards without observations it took', () => {
    const [early, late] = twinsOf(10);
    const isObserved = (day: number, card: number): boolean => day !== 10 || (card !== early && card !== late);
    const amountOf = (day: number, card: number): number =>
      day === 10 && card === late ? oddAmount(day, early) : oddAmount(day, card);
    const file = tightFile({ ...ALL_OBSERVED, isObserved, amountOf });
    const credits = inferPayouts(file.request).credits;
    const twins = [early, late].map((card) => `card-10-${String(card).padStart(2, '0')}`);
    const concerned = credits.filter(({ lineId }) => file.truth.get(lineId)?.some((itemId) => twins.includes(itemId)));
    expect(concerned.map(({ outcome }) => outcome)).toEqual(['ambiguous', 'ambiguous']);
    expect(concerned.flatMap(({ commonCore }) => commonCore).filter((itemId) => twins.includes(itemId))).toEqual([]);
    expect(resolved(credits).length).toBeGreaterThanOrEqual(credits.length - 3);
    expect(wrong(file, credits)).toEqual([]);
  });

  test('reports a search limit where too many cards are open and continues behind them', () => {
    const busy = 10;
    const file = tightFile({
      days: DAYS,
      cardsOn: (day) => (day === busy ? 80 : CARDS),
      isObserved: (day) => day !== busy,
    });
    const credits = inferPayouts(file.request).credits;
    const concerned = credits.filter(({ lineId }) =>
      file.truth.get(lineId)?.some((itemId) => itemId.startsWith(`card-${busy}-`)),
    );
    expect(concerned.map(({ outcome }) => outcome)).toContain('search_cut_short');
    expect(concerned.map(({ outcome }) => outcome)).not.toContain('unexplained');
    expect(resolved(concerned)).toEqual([]);
    const behind = credits.slice(-6, -1);
    expect(resolved(behind)).toHaveLength(behind.length);
    expect(wrong(file, credits)).toEqual([]);
  });

  test('is solved by tracers on a day with thousands of cards', () => {
    const file = tightFile({ ...ALL_OBSERVED, cardsOn: (day) => (day === 10 ? 2_000 : CARDS) });
    const credits = inferPayouts(file.request).credits;
    expect(resolved(credits).length).toBeGreaterThanOrEqual(credits.length - 2);
    expect(wrong(file, credits)).toEqual([]);
  });

  test('is not found in credits of another payer', () => {
    const { request } = tightFile(ALL_OBSERVED);
    const lines = request.lines.map((line, place) => ({ ...line, amount: oddLine(line.amount, place) }));
    expect(resolved(inferPayouts({ ...request, lines }).credits)).toEqual([]);
  });

  test('gives the same answer for any order of the files', () => {
    const { request } = tightFile(ALL_OBSERVED);
    const turned = {
      ...request,
      items: request.items.toReversed(),
      observations: request.observations.toReversed(),
      lines: request.lines.toReversed(),
    };
    expect(inferPayouts(turned).credits).toEqual(inferPayouts(request).credits);
  });
});

// Goal: a search that cannot finish leaves alone what the runs explain.
describe('a cut hours after the batch of cards', () => {
  test('is resolved by runs, with more cards in each batch than any search of subsets tries', () => {
    const isObserved = (day: number, card: number): boolean => (card + day) % 3 === 0;
    const file = tightFile({ days: DAYS, cardsOn: () => 40, isObserved, cutMinute: 9 * 60 });
    const credits = inferPayouts(file.request).credits;
    expect(credits.filter(({ outcome }) => outcome === 'search_cut_short')).toEqual([]);
    expect(resolved(credits).length).toBeGreaterThanOrEqual(credits.length - 1);
    expect(wrong(file, credits)).toEqual([]);
  });
});

/** A card that the cut of the next day takes, and one that it leaves. */
function twinsOf(day: number): [early: number, late: number] {
  const places = Array.from({ length: CARDS }, (_, card) => (card * 7 + day) % CARDS);
  return [places.indexOf(4), places.indexOf(7)];
}

function oddLine(amount: Millimes, place: number): Millimes {
  return millimes(amount + 13_700 + place * 1_100);
}

function resolved(credits: readonly InferredCredit[]): readonly InferredCredit[] {
  return credits.filter(({ outcome }) => outcome === 'resolved');
}

function wrong({ truth }: TightFile, credits: readonly InferredCredit[]): readonly string[] {
  return resolved(credits)
    .filter(({ lineId, itemIds }) => truth.get(lineId)?.join() !== itemIds.join())
    .map(({ lineId }) => lineId);
}
