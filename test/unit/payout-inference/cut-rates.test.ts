// Goal: the rates that weigh explanations are proper: they add up, never fall, and follow the observations.
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { addDays, DAY_MS, HOUR_MS } from '../../../src/kernel';
import {
  addCounts,
  countCut,
  countNothing,
  type CutCounts,
  type CutRates,
  LAGS,
  learnCutRates,
  otherCuts,
  unknownCutRates,
} from '../../../src/payout-inference/cut-rates';
import { aGrid, FIRST_AT, FIRST_DATE } from './a-stream';

const DAYS = 28;
const HOLIDAY = addDays(FIRST_DATE, 9);
const GRID = aGrid({ days: DAYS, holidays: [HOLIDAY] });
const FIRST_DAY = GRID.dayOfDate(FIRST_DATE);
const SPAN = { from: FIRST_DAY, to: FIRST_DAY + DAYS - 1 };
const ANY_RATES: readonly [string, CutRates][] = [
  ['before anything is known', unknownCutRates(GRID, 1)],
  ['after nothing was seen', learnCutRates(GRID, countNothing(SPAN))],
  ['after a month of cuts at six in the evening', learnCutRates(GRID, dailyCuts(18))],
];

describe.each(ANY_RATES)('the cut rates %s', (_name, cutRates) => {
  const hours = fc.integer({ min: -48, max: 24 * (DAYS + 2) }).map((hour) => FIRST_AT + hour * HOUR_MS);

  test('expect as many cuts in two stretches as in both together', () => {
    fc.assert(
      fc.property(fc.tuple(hours, hours, hours), (instants) => {
        const [a = 0, b = 0, c = 0] = [...instants].sort((one, other) => one - other);
        expect(cutRates.expected(a, b) + cutRates.expected(b, c)).toBeCloseTo(cutRates.expected(a, c), 9);
      }),
    );
  });

  test('expect no fewer cuts in more time, and none in no time', () => {
    for (let hour = 0; hour < 24 * 14; hour += 1) {
      const until = FIRST_AT + hour * HOUR_MS;
      expect(cutRates.expected(FIRST_AT, until + HOUR_MS)).toBeGreaterThan(cutRates.expected(FIRST_AT, until));
    }
    expect(cutRates.expected(FIRST_AT, FIRST_AT)).toBe(0);
    expect(cutRates.expected(FIRST_AT + 1, FIRST_AT)).toBe(0);
    expect(cutRates.expected(FIRST_AT, Infinity)).toBeLessThan(Infinity);
  });

  test('give lags whose chances are one together, and none to a booking before its cut', () => {
    const chances = Array.from({ length: LAGS + 5 }, (_, lag) => cutRates.lag(lag));
    expect(chances.reduce((sum, chance) => sum + chance, 0)).toBeCloseTo(1, 9);
    expect(chances.slice(LAGS)).toEqual([0, 0, 0, 0, 0]);
    expect(cutRates.lag(-1)).toBe(0);
  });
});

describe('cut rates learned from cuts', () => {
  const cutRates = learnCutRates(GRID, dailyCuts(18));

  test('expect the next one at the hour of the others', () => {
    const at = (hour: number): number => cutRates.expected(FIRST_AT + hour * HOUR_MS, FIRST_AT + (hour + 1) * HOUR_MS);
    expect(at(18)).toBeGreaterThan(20 * at(10));
    expect(cutRates.widthMs).toBeLessThan(3 * HOUR_MS);
  });

  test('expect hardly one on days off, holidays too', () => {
    const ofDay = (day: number): number => cutRates.expected(FIRST_AT + day * DAY_MS, FIRST_AT + (day + 1) * DAY_MS);
    for (const dayOff of [5, 6, 9]) expect(ofDay(dayOff)).toBeLessThan(ofDay(0) / 5);
  });

  test('keep a chance for every hour and lag that was never seen', () => {
    expect(cutRates.expected(FIRST_AT + 3 * HOUR_MS, FIRST_AT + 4 * HOUR_MS)).toBeGreaterThan(0);
    expect(cutRates.lag(1)).toBeGreaterThan(0.8);
    expect(cutRates.lag(4)).toBeGreaterThan(0);
  });
});

describe('counting a cut', () => {
  test('counts it once, however long the stretch is in which it lies', () => {
    const counts = countNothing(SPAN);
    const from = FIRST_AT + 20 * HOUR_MS;
    const bookingDay = FIRST_DAY + 4;
    countCut(counts, unknownCutRates(GRID, 1), GRID, { from, to: from + 50 * HOUR_MS, bookingDay, share: 0.5 });
    for (const part of [counts.clock, counts.dayKind, counts.lag]) expect(sumOf(part)).toBeCloseTo(0.5, 9);
  });

  test('counts none that would lie behind its booking', () => {
    const counts = countNothing(SPAN);
    const from = FIRST_AT + 20 * HOUR_MS;
    countCut(counts, unknownCutRates(GRID, 1), GRID, { from, to: from + HOUR_MS, bookingDay: FIRST_DAY - 1, share: 1 });
    expect(sumOf(counts.lag)).toBe(0);
  });
});

describe('the rates without a cut', () => {
  const daily = dailyCuts(18);
  const odd = countNothing(SPAN);
  const from = FIRST_AT + DAY_MS + 9 * HOUR_MS;
  countCut(odd, unknownCutRates(GRID, 1), GRID, { from, to: from + HOUR_MS, bookingDay: FIRST_DAY + 6, share: 1 });
  const learned = learnCutRates(GRID, addCounts(daily, odd));
  const without = learned.without(odd);

  test('are those of the other cuts', () => {
    const ofOthers = learnCutRates(GRID, daily);
    for (let lag = 0; lag < LAGS; lag += 1) {
      expect(without.lag(lag, 9 * HOUR_MS)).toBeCloseTo(ofOthers.lag(lag, 9 * HOUR_MS), 9);
    }
    for (let hour = 0; hour < 48; hour += 1) {
      const start = FIRST_AT + hour * HOUR_MS;
      const expected = ofOthers.expected(start, start + HOUR_MS);
      expect(without.expected(start, start + HOUR_MS)).toBeGreaterThan(0.8 * expected);
      expect(without.expected(start, start + HOUR_MS)).toBeLessThan(1.25 * expected);
    }
  });

  test('do not count the hour and the lag that it alone has', () => {
    const lag = GRID.lag(FIRST_DAY + 1, FIRST_DAY + 6);
    expect(without.lag(lag)).toBeLessThan(learned.lag(lag) / 3);
    expect(without.expected(from, from + HOUR_MS)).toBeLessThan(learned.expected(from, from + HOUR_MS) / 3);
  });
});

describe('the counts of other streams', () => {
  test('helps a stream that has seen nothing itself', () => {
    const cutRates = learnCutRates(GRID, countNothing(SPAN), otherCuts([dailyCuts(18)]));
    const hour = (of: number): number => cutRates.expected(FIRST_AT + of * HOUR_MS, FIRST_AT + (of + 1) * HOUR_MS);
    expect(hour(18)).toBeGreaterThan(5 * hour(10));
  });

  test('does not outvote what the stream has seen', () => {
    const crowd = Array.from({ length: 50 }, () => dailyCuts(10));
    const cutRates = learnCutRates(GRID, dailyCuts(18), otherCuts(crowd));
    const hour = (of: number): number => cutRates.expected(FIRST_AT + of * HOUR_MS, FIRST_AT + (of + 1) * HOUR_MS);
    expect(hour(18)).toBeGreaterThan(hour(10));
  });
});

test('adds the counts of two stretches cut by cut', () => {
  const both = addCounts(dailyCuts(18), dailyCuts(10));
  expect(sumOf(both.dayKind)).toBeCloseTo(2 * sumOf(dailyCuts(18).dayKind), 9);
});

/** A cut on each working day in the quarter of an hour before the full one, booked on the next. */
function dailyCuts(hour: number): CutCounts {
  const counts = countNothing(SPAN);
  const cutRates = unknownCutRates(GRID, 1);
  for (let day = SPAN.from; day <= SPAN.to; day += 1) {
    if (GRID.isWorking[day] !== 1) continue;
    const from = (GRID.startAt[day] ?? 0) + hour * HOUR_MS;
    countCut(counts, cutRates, GRID, { from, to: from + HOUR_MS / 4, bookingDay: GRID.nextWorking(day), share: 1 });
  }
  return counts;
}

function sumOf(counts: Float64Array): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
