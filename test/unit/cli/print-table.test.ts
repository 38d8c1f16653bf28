import { expect, test } from '@jest/globals';
import { printTable } from '../../../src/cli/print-table';

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

test('prints the rows alone in a pipe', () => {
  expect(printed(false, ROWS)).toEqual(['B-1   1 000,000 DT  leila', 'B-22      5,000 DT  -']);
});

test('prints only the summary of an empty list', () => {
  expect(printed(true, [])).toEqual(['0 rows']);
  expect(printed(false, [])).toEqual([]);
});
