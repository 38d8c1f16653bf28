import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  type FaultRow,
  faultTable,
  hasFullForm,
  isAskedFor,
  planRuns,
  readFaultArguments,
  readFaultRows,
  readTestFiles,
  type TestFile,
} from '../../../scripts/fault-runs';
import { numbersIn } from '../../../scripts/faults/fault-list';

const TESTS = join(__dirname, '..', '..');
/** Names of tests, and whether they name a number. */
const NAMES: readonly [string, boolean][] = [
  ['a COMMIT whose answer is lost F7: answers 0', true],
  ['F7: answers 0', true],
  ['S2, F7, S4: refuses', true],
  ['F17: is left', true],
  ['the F7 key', false],
  ['a call of F7', false],
  ['F7 without a colon: never', false],
];
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
    const args = ['--seed', '7', '--length=5', '--only', 'f7', '--galera', '--json'];
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
  let files: readonly TestFile[];
  beforeAll(() => {
    files = readTestFiles(TESTS);
  });
  const namesOf = (only?: string): string[][] =>
    planRuns(files, only).map((run) => run.files.map((path) => relative(TESTS, path)));

  test('have as a whole all tests that record a row, have a full form or a second database, and the helpers serve those that import them', () => {
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
      'e2e/support/three-schedulers.ts',
    ];
    const longer = files.filter(hasFullForm).map(({ path }) => path);
    expect(importing.filter((file) => !helpers.includes(relative(TESTS, file)))).toEqual(longer);
    expect(importing.map((file) => relative(TESTS, file))).toEqual(expect.arrayContaining(helpers));
  });

  test('have of the other files that name a number only the tests that name it', () => {
    const [whole, named] = planRuns(files, undefined);
    expect(whole?.pattern).toBeUndefined();
    expect(new Set([...(whole?.files ?? []), ...(named?.files ?? [])]).size).toBe(
      (whole?.files.length ?? 0) + (named?.files.length ?? 0),
    );
    expect(named?.files.map((path) => relative(TESTS, path))).toContain('api/confirm-races.test.ts');
    const pattern = new RegExp(named?.pattern ?? '');
    for (const [name, isNamed] of NAMES) expect([name, pattern.test(name)]).toEqual([name, isNamed]);
  });

  test('of one number are the tests that name it, and of another fault the files that record it', () => {
    expect(namesOf('F7')).toEqual([['e2e/commit-answer-lost.test.ts']]);
    const pattern = new RegExp(planRuns(files, 'F7')[0]?.pattern ?? '');
    for (const [name] of NAMES) expect([name, pattern.test(name)]).toEqual([name, numbersIn(name).includes('F7')]);
    expect(namesOf('fuzz')).toEqual([['integration/simulation/simulation.test.ts']]);
    expect(namesOf('F999')).toEqual([]);
  });

  test('need no Galera unless it is asked for', () => {
    const asked = (number: string, galera: boolean, only?: string): boolean =>
      isAskedFor(number, files, { galera, only });
    expect([asked('F5', false), asked('F5', true), asked('F28', false)]).toEqual([false, true, true]);
    expect([asked('F7', true, 'F8'), asked('F7', false, 'F7')]).toEqual([false, true]);
  });
});

describe('the table of test:faults', () => {
  test('has a row per record, in the order of the faults, with numbers to the right', () => {
    const rows = [
      ...['fuzz', 'S3'].map((fault) => ({ ...ROW, fault })),
      { ...ROW, fault: 'F10', acknowledged: 7, longestMs: 0 },
      ROW,
    ];
    const lines = faultTable(readFaultRows(rows.map((row) => `${JSON.stringify(row)}\n`).join(''))).split('\n');
    expect(lines).toEqual([
      'fault  what             database  rounds  acknowledged  lost  doubled  longest answer (ms)',
      'F7     a COMMIT is cut  mariadb        4          1234     0        0                   99',
      'F10    a COMMIT is cut  mariadb        4             7     0        0                    -',
      'S3     a COMMIT is cut  mariadb        4          1234     0        0                   99',
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
