// Goal: with faults in adjacent payouts, each credit and item is still explained as far as the file allows.
// Method: a week of faults among clean payouts that show the habits of the account; breaks and results as people see
// them.
import { describe, expect, test } from '@jest/globals';
import { businessDate, millimes } from '../../../src/kernel';
import { matchPayouts, type MatchResult } from '../../../src/payout-inference';
import { trapFile } from './trap-file';

const ITEMS = [
  'a Wed 09:00 12510',
  'b Wed 11:00 7370',
  'c Wed 14:00 5130',
  'd Thu 09:00 11090',
  'e Thu 12:00 4570',
  'f Thu 15:00 9310',
  'g Fri 09:00 6230',
  'h Fri 13:00 8790',
  'i Fri 15:00 3310',
];
const REFUNDS = ['r Wed 12:00 -2130 2026-03-04-1', 's Thu 10:00 -1790 2026-03-05-2'];

function match(lines: readonly string[], items: readonly string[] = ITEMS): MatchResult {
  return matchPayouts(trapFile({ name: 'faults', items, lines }, 'among clean payouts').request);
}

function said({ credits }: MatchResult, lineId: string): unknown[] {
  const credit = credits.find((each) => each.lineId === lineId);
  return [credit?.outcome, credit?.cause, credit?.remainder];
}

function breaksOf({ breaks }: MatchResult): unknown[][] {
  return breaks.map(({ breakClass, amount, itemIds, lineIds }) => [
    breakClass,
    amount,
    itemIds.join(' '),
    lineIds.join(' '),
  ]);
}

test('resolves adjacent payouts cleanly when nothing goes wrong', () => {
  const result = match(['P Thu 22880', 'Q Fri 23180', 'R Mon 18330'], [...ITEMS, ...REFUNDS]);
  expect(['P', 'Q', 'R'].map((lineId) => said(result, lineId))).toEqual(Array(3).fill(['resolved', 'none', 0]));
  expect(breaksOf(result)).toEqual([]);
});

test('finds a refund left in each of two adjacent payouts and explains the rest of both', () => {
  const result = match(['P Thu 25010', 'Q Fri 24970', 'R Mon 18330'], [...ITEMS, ...REFUNDS]);
  const explained = (lineId: string): readonly string[] => {
    const credit = result.credits.find((each) => each.lineId === lineId);
    return [...(credit?.itemIds ?? []), ...(credit?.proposal ?? [])];
  };
  expect([explained('P'), explained('Q'), explained('R')]).toEqual([
    ['a', 'b', 'c'],
    ['d', 'e', 'f'],
    ['g', 'h', 'i'],
  ]);
  expect(said(result, 'R')).toEqual(['resolved', 'none', 0]);
});

test('reports an unannounced fee when two payouts each lost a little', () => {
  const result = match(['P Thu 24950', 'Q Fri 24890', 'R Mon 18330']);
  expect([said(result, 'P'), said(result, 'Q')]).toEqual([
    ['ambiguous', 'fee_unknown', 24_950],
    ['ambiguous', 'fee_unknown', 24_890],
  ]);
  expect(breaksOf(result)).toEqual([
    ['fee_unexplained', 24_950, '', 'P'],
    ['fee_unexplained', 24_890, '', 'Q'],
  ]);
});

test('reports a missing payout even if the next one holds an unknown amount', () => {
  const result = match(['Q Fri 27470', 'R Mon 18330']);
  expect(said(result, 'Q')).toEqual(['ambiguous', 'unknown_amount', 27_470]);
  expect(breaksOf(result)).toEqual([
    ['missing_in_bank', 25_010, 'a b c', ''],
    ['ambiguous_payout', 27_470, '', 'Q'],
  ]);
});

test('does not take another payer’s credit of another size for a missing payout', () => {
  const result = match(['P Thu 25010', 'A Fri 15500', 'R Mon 18330']);
  expect(said(result, 'A')).toEqual(['unexplained', 'none', 15_500]);
  expect(breaksOf(result)).toEqual([
    ['missing_in_bank', 24_970, 'd e f', ''],
    ['missing_in_book', 15_500, '', 'A'],
  ]);
});

test('leaves both parts of a split payout ambiguous beside one with an unknown amount', () => {
  const result = match(['P Thu 20000', 'Q Thu 5010', 'S Fri 26010', 'R Mon 18330']);
  for (const lineId of ['P', 'Q', 'S']) expect(said(result, lineId)[0]).toBe('ambiguous');
  expect(breaksOf(result).map((each) => each[0])).toEqual(Array(3).fill('ambiguous_payout'));
});

describe('the ends of the file', () => {
  const clean = trapFile({ name: 'nothing', items: [], lines: [] }, 'among clean payouts').request;
  const byDate = [...clean.lines].sort((a, b) => (a.bookingDate < b.bookingDate ? -1 : 1));
  const without40 = (at: number): MatchResult => {
    const changed = byDate.at(at);
    const lines = clean.lines.map((line) =>
      line === changed ? { ...line, amount: millimes(line.amount - 40) } : line,
    );
    return matchPayouts({ ...clean, lines });
  };

  test('tells a fee kept from the first payout from missing money', () => {
    expect(breaksOf(without40(0))).toEqual([['fee_unexplained', 40, '', byDate[0]?.lineId]]);
  });

  test('misses money once that was due by the first booking of the bank file, and each payout after that', () => {
    const lines = byDate.slice(4);
    const missed = (from: number, to: number): number =>
      byDate.slice(from, to).reduce((sum, { amount }) => sum + amount, 0);
    const found = (request: typeof clean): number[] =>
      matchPayouts(request)
        .breaks.filter(({ breakClass }) => breakClass === 'missing_in_bank')
        .map(({ amount }) => amount);
    expect(found({ ...clean, lines })).toEqual([missed(0, 4)]);
    const withoutOne = lines.filter((line) => line !== byDate[6]);
    expect(found({ ...clean, lines: withoutOne })).toEqual([missed(0, 4), missed(6, 7)]);
  });

  test('misses each payout of a bank file that begins earlier', () => {
    const [first] = byDate;
    if (first === undefined) throw new Error('the file has no lines');
    const debit = { ...first, lineId: 'D', bookingDate: businessDate('2026-03-02'), amount: millimes(-5_000) };
    const { breaks } = matchPayouts({ ...clean, lines: [debit, ...byDate.slice(3)] });
    expect(breaks.map(({ amount }) => amount)).toEqual(byDate.slice(0, 3).map(({ amount }) => amount));
  });

  test('leaves the last payout ambiguous when it lost a fee and reports none of its items as missing', () => {
    expect(breaksOf(without40(-1))).toEqual([
      ['ambiguous_payout', (byDate.at(-1)?.amount ?? 0) - 40, '', byDate.at(-1)?.lineId],
    ]);
  });
});

describe('a returned payout', () => {
  test('opens one break for a returned payout and reports its items only once', () => {
    const result = match(['P Thu 25010', 'B Fri -25010 # REJET PAYOUT', 'Q Fri 24970', 'R Mon 18330']);
    expect(breaksOf(result)).toEqual([['returned_payout', 25_010, 'a b c', 'P B']]);
    expect(result.items.filter(({ state }) => state === 'open').map(({ itemId }) => itemId)).toEqual(['a', 'b', 'c']);
  });

  test('does not take a later payout of the same size for the returned one', () => {
    const items = [...ITEMS.slice(0, 8), 'i Fri 15:00 9990'];
    const result = match(['P Thu 25010', 'B Fri -25010 # REJET PAYOUT', 'Q Fri 24970', 'R Mon 25010'], items);
    const stated = result.credits.find(({ lineId }) => lineId === 'R');
    expect([...(stated?.itemIds ?? []), ...(stated?.proposal ?? [])]).not.toContain('a');
    expect(breaksOf(result).filter(([breakClass]) => breakClass === 'missing_in_bank')).toEqual([]);
  });

  test('assigns the items of a returned payout to the next payout that pays them', () => {
    const result = match(['P Thu 25010', 'B Thu -25010 # REJET PAYOUT', 'Q Fri 49980', 'R Mon 18330']);
    expect(said(result, 'Q')).toEqual(['resolved', 'none', 0]);
    expect(said(result, 'P')[0]).not.toBe('resolved');
    expect(breaksOf(result)).toEqual([['returned_payout', 25_010, '', 'P B']]);
  });
});
