import { expect, test } from '@jest/globals';
import { roundTable } from '../../../../scripts/bench/round-table';

test('the table says how fast each was, and the import as a share of the plain inserts of the same rows', () => {
  const round = { fileBytes: 100_000_000, rows: 80_000, importMs: 10_000, plainMs: 7_000, peakBytes: 210_400_000 };
  expect(roundTable([round])).toBe(
    [
      '                 seconds  MB/s  rows/s  import/plain  peak memory (MB)',
      'import 1            10.0  10.0    8000          70 %               210',
      'plain inserts 1      7.0  14.3   11429',
    ].join('\n'),
  );
});
