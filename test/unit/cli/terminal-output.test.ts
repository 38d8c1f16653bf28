import { expect, jest, test } from '@jest/globals';
import { factText } from '../../../src/cli/fact-text';
import { matchSummary } from '../../../src/cli/match-summary';
import { printSection, printTable } from '../../../src/cli/print-table';
import { createProgressBar } from '../../../src/cli/progress-bar';
import { businessCalendar, businessDate, millimes } from '../../../src/kernel';
import type { MatchFacts, MatchResult } from '../../../src/payout-inference';

function printed(isTerminal: boolean, rows: readonly (readonly (string | undefined)[])[]): string[] {
  const lines: string[] = [];
  const io = { isTerminal, line: (text = '') => void lines.push(text), json: () => undefined };
  printTable(io, ['id', { right: 'amount' }, 'assignee'], rows, `${rows.length} rows`);
  return lines;
}

const ROWS = [
  ['B-1', '1 000,000 DT', 'leila'],
  ['B-22', '5,000 DT', undefined],
];

test('prints headings and a summary on a terminal', () => {
  expect(printed(true, ROWS)).toEqual([
    'ID          AMOUNT  ASSIGNEE',
    'B-1   1 000,000 DT  leila',
    'B-22      5,000 DT  -',
    '2 rows',
  ]);
});

test('prints only the rows in a pipe', () => {
  expect(printed(false, ROWS)).toEqual(['B-1   1 000,000 DT  leila', 'B-22      5,000 DT  -']);
});

test('states an empty list beside the output of a pipe', () => {
  const aside = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    expect(printed(false, [])).toEqual([]);
    expect(aside.mock.calls).toEqual([['0 rows\n']]);
  } finally {
    aside.mockRestore();
  }
});

test.each([
  [true, ['history', '  TIME       AMOUNT', '  09:00    1,000 DT', '  10:00  -20,000 DT']],
  [false, ['history', '  09:00    1,000 DT', '  10:00  -20,000 DT']],
])('prints a list inside an output under its title; on a terminal (%p) with headings', (isTerminal, expected) => {
  const lines: string[] = [];
  const io = { isTerminal, line: (text = '') => void lines.push(text), json: () => undefined };
  printSection(
    io,
    'history',
    ['time', { right: 'amount' }],
    [
      ['09:00', '1,000 DT'],
      ['10:00', '-20,000 DT'],
    ],
  );
  expect(lines).toEqual(expected);
  lines.length = 0;
  printSection(io, '  read', ['time'], []);
  expect(lines).toEqual(['  read', '    none']);
});

test.each([
  ['feeMillimes', 1_500, 'fee: 1,500 DT'],
  ['unexplainedMillimes', '-2769000', 'unexplained: -2 769,000 DT'],
  ['feeBeforeMillimes', null, 'feeBeforeMillimes: null'],
  ['at', '2026-03-02T16:04:59.000Z', 'at: 2026-03-02 17:04:59'],
  ['status', 'a\u001b[2J', 'status: a\\u001b[2J'],
  ['items', ['a', 'b'], 'items: ["a","b"]'],
])('prints the stored fact %s of %p as %s', (name, value, text) => {
  expect(factText(name, value, businessCalendar('Africa/Tunis'))).toBe(text);
});

test('prints only the summary of an empty list', () => {
  expect(printed(true, [])).toEqual(['0 rows']);
  expect(printed(false, [])).toEqual([]);
});

/** A terminal that remembers what was written to it. */
function aStream(isTTY: boolean): { stream: NodeJS.WriteStream; written: string[] } {
  const written: string[] = [];
  const stream = { isTTY, write: (text: string) => written.push(text) > 0 } as unknown as NodeJS.WriteStream;
  return { stream, written };
}

test('draws a progress bar that grows on one line', () => {
  const { stream, written } = aStream(true);
  const bar = createProgressBar('importing', 10_000_000, stream);
  bar.update(0);
  bar.update(5_000_000);
  bar.update(10_000_000);
  expect(written.map((text) => text.trim())).toEqual([
    `importing [${'.'.repeat(30)}] 0 %  0.0 of 10.0 MB`,
    `importing [${'#'.repeat(15)}${'.'.repeat(15)}] 50 %  5.0 of 10.0 MB`,
    `importing [${'#'.repeat(30)}] 100 %  10.0 of 10.0 MB`,
  ]);
  expect(written.every((text) => text.startsWith('\r') && !text.includes('\n'))).toBe(true);
});

test('redraws the bar only if the percentage changes', () => {
  const { stream, written } = aStream(true);
  const bar = createProgressBar('reading', 1_000, stream);
  for (let bytes = 0; bytes <= 1_000; bytes += 1) bar.update(bytes);
  expect(written).toHaveLength(101);
});

test('draws at most a full bar if the file grows while it is read', () => {
  const { stream, written } = aStream(true);
  createProgressBar('reading', 1_000, stream).update(5_000);
  expect(written.join('')).toContain(`[${'#'.repeat(30)}] 100 %`);
});

test('clears the line of the bar and of a longer text', () => {
  const { stream, written } = aStream(true);
  const bar = createProgressBar('reading', 1_000, stream);
  bar.update(1_000);
  bar.update(0);
  const [long = '', short = ''] = written;
  expect(short).toHaveLength(long.length);
  bar.clear();
  expect(written.at(-1)).toMatch(/^\r +\r$/);
  bar.clear();
  expect(written).toHaveLength(3);
});

test.each([
  ['a pipe', false, 1_000],
  ['an empty file', true, 0],
])('draws no bar for %s', (_what, isTTY, totalBytes) => {
  const { stream, written } = aStream(isTTY);
  const bar = createProgressBar('reading', totalBytes, stream);
  bar.update(totalBytes);
  bar.clear();
  expect(written).toEqual([]);
});

const DAY = businessDate('2026-03-02');

/** Breaks of these amounts, and nothing else. */
function breakLines(amounts: readonly number[]): string[] {
  const facts: MatchFacts = {
    items: [],
    observations: [],
    observedItems: [],
    lines: [],
    fees: undefined,
    holidays: undefined,
    warnings: [],
  };
  const breaks = amounts.map((amount) => ({
    breakClass: 'missing_in_book' as const,
    amount: millimes(amount),
    itemIds: [],
    lineIds: [],
    since: DAY,
  }));
  const result: MatchResult = { model: undefined, fees: [], credits: [], items: [], breaks };
  const lines = matchSummary(facts, result, businessCalendar('Africa/Tunis'));
  return lines.slice(lines.findIndex((line) => line.startsWith('breaks')));
}

test('sums amounts beyond the safe integers exactly', () => {
  const largest = Number.MAX_SAFE_INTEGER; // 9 007 199 254 740,991 dinars
  const [, ...kinds] = breakLines([largest, largest, largest, -1, 2]);
  expect(kinds.map((line) => line.replace(/\D+/, '').replaceAll(/\D/g, ''))).toEqual([`5${3n * BigInt(largest) + 1n}`]);
  expect(breakLines([-largest, -largest, largest, largest])[1]).toMatch(/ 4, 0,000 DT$/);
});

test('prints only the count for an empty list', () => {
  expect(breakLines([])).toEqual([expect.stringMatching(/^breaks +0$/)]);
});
