import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import {
  type FaultRow,
  faultRunFiles,
  faultTable,
  readFaultArguments,
  readFaultRows,
} from '../../../scripts/fault-runs';

const TESTS = join(__dirname, '..', '..');
const ROW: FaultRow = {
  fault: 'F7',
  what: 'a COMMIT is cut',
  database: 'mariadb',
  rounds: 4,
  acknowledged: 1_234,
  lost: 0,
  doubled: 0,
  longestMs: 98.6,
};

describe('the arguments of test:faults', () => {
  test('have defaults', () => {
    expect(readFaultArguments([])).toEqual({
      seed: 20_260_302,
      length: 1,
      only: undefined,
      json: false,
      galera: false,
      help: false,
    });
  });

  test('are read', () => {
    const args = ['--seed', '7', '--length=5', '--only', 'F7', '--galera', '--json'];
    expect(readFaultArguments(args)).toEqual({ seed: 7, length: 5, only: 'F7', json: true, galera: true, help: false });
  });

  test.each([
    [['--seed', 'x'], /^--seed must be/],
    [['--seed', '-1'], /'--seed/],
    [['--seed', '4294967296'], /^--seed must be/],
    [['--seed', ''], /^--seed must be/],
    [['--length', '0'], /^--length must be/],
    [['--length', '1.5'], /^--length must be/],
    [['--length', '1e3'], /^--length must be/],
    [['--length', '1001'], /^--length must be/],
    [['--lenght', '3'], /'--lenght'/],
    [['7'], /'7'/],
  ])('%j are refused in one line', (args, problem) => {
    expect(readFaultArguments(args)).toMatch(problem);
    expect(readFaultArguments(args)).not.toContain('\n');
  });
});

describe('the runs of test:faults', () => {
  test('are all tests that record a row, have a full form or a second database, and the helpers serve those that import them', () => {
    const importing = readdirSync(TESTS, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .filter((name) =>
        /import \{[^}]*\b(recordFault|tallyFault|sized|FAULT_LENGTH|FAULT_SEED|MONTH_SIZE|describe\w*OnOneDatabase)\b[^}]*\}/.test(
          readFileSync(join(TESTS, name), 'utf8'),
        ),
      )
      .map((name) => join(TESTS, name))
      .sort();
    const helpers = [
      'api/support/api.ts',
      'console/support/in-a-browser.ts',
      'console/support/visitor.ts',
      'e2e/support/fault-tally.ts',
    ];
    expect(importing.filter((file) => !helpers.includes(relative(TESTS, file)))).toEqual(faultRunFiles(TESTS));
    expect(importing.map((file) => relative(TESTS, file))).toEqual(expect.arrayContaining(helpers));
  });

  test('know the crash tests, one by one', () => {
    for (const fault of ['F1', 'F2', 'F3', 'F7', 'F8', 'F9', 'F10', 'fuzz']) {
      expect([fault, faultRunFiles(TESTS, fault).length]).toEqual([fault, 1]);
    }
    expect(faultRunFiles(TESTS, 'F999')).toEqual([]);
  });
});

describe('the table of test:faults', () => {
  test('has a row per record, in the order of the faults, with numbers to the right', () => {
    const rows = [{ ...ROW, fault: 'fuzz' }, { ...ROW, fault: 'F10', acknowledged: 7 }, ROW];
    const lines = faultTable(readFaultRows(rows.map((row) => `${JSON.stringify(row)}\n`).join(''))).split('\n');
    expect(lines).toEqual([
      'fault  what             database  rounds  acknowledged  lost  doubled  longest answer (ms)',
      'F7     a COMMIT is cut  mariadb        4          1234     0        0                   99',
      'F10    a COMMIT is cut  mariadb        4             7     0        0                   99',
      'fuzz   a COMMIT is cut  mariadb        4          1234     0        0                   99',
    ]);
  });

  test('adds up what was recorded round by round', () => {
    const other = { ...ROW, acknowledged: 6, lost: 1, doubled: 2, longestMs: 5 };
    const lines = [ROW, { ...ROW, database: 'sqlite' }, other].map((row) => JSON.stringify(row)).join('\n');
    expect(readFaultRows(lines)).toEqual([
      { ...ROW, rounds: 8, acknowledged: 1_240, lost: 1, doubled: 2 },
      { ...ROW, database: 'sqlite' },
    ]);
  });

  test('shows one fault alone when only that is asked for', () => {
    const lines = [ROW, { ...ROW, fault: 'F8' }].map((row) => JSON.stringify(row)).join('\n');
    expect(readFaultRows(lines, 'F8')).toEqual([{ ...ROW, fault: 'F8' }]);
    expect(readFaultRows('', 'F8')).toEqual([]);
  });
});
