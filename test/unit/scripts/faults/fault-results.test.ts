import { expect, test } from '@jest/globals';
import { faultOutcomes, type JestReport, outcomeTable } from '../../../../scripts/faults/fault-results';

const LIST = ['F1', 'F2', 'F5', 'S1', 'S2'].map((number) => ({
  number,
  fault: `fault ${number}`,
  expected: 'nothing',
}));

function reportOf(...tests: readonly [fullName: string, status: string][]): JestReport {
  return { testResults: [{ assertionResults: tests.map(([fullName, status]) => ({ fullName, status })) }] };
}

test('the outcomes count the tests of each number over all reports', () => {
  const reports = [
    reportOf(
      ['a suite on sqlite F1: lasts', 'passed'],
      ['a suite on mariadb F1: lasts', 'passed'],
      ['no number', 'failed'],
    ),
    reportOf(['S1, S2: refuses', 'passed'], ['S2: refuses on mariadb', 'failed'], ['F2: is skipped', 'pending']),
  ];
  const figures = ['mariadb', 'none'].map((database) => ({ fault: 'S1', database }));
  const outcomes = faultOutcomes(LIST, reports, figures, (number) => number !== 'F5');
  expect(outcomeTable(outcomes).split('\n')).toEqual([
    'number  fault     result         databases        passed  failed  skipped',
    'F1      fault F1  passed         sqlite, mariadb       2       0        0',
    'F2      fault F2  not run                              0       0        1',
    'F5      fault F5  not asked for                        0       0        0',
    'S1      fault S1  passed         mariadb               1       0        0',
    'S2      fault S2  failed                               1       1        0',
  ]);
});
