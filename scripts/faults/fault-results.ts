// What the tests of each numbered fault came to in one run of `npm run test:faults`.
import { inColumns } from './columns';
import { type ListedFault, numbersIn } from './fault-list';

/** A part of what `jest --json` writes. */
export interface JestReport {
  readonly testResults: readonly { readonly assertionResults: readonly JestTest[] }[];
}

interface JestTest {
  readonly fullName: string;
  /** `passed`, `failed`, or another word for a test that did not run. */
  readonly status: string;
}

/**
 * `not run`: it should have run and no test of it did, because none names it or all were skipped.
 * `not asked for`: the arguments exclude it.
 */
export type FaultResult = 'passed' | 'failed' | 'not run' | 'not asked for';

export interface FaultOutcome {
  readonly number: string;
  readonly fault: string;
  readonly result: FaultResult;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** On which tests passed or figures were recorded, as far as names and figures state it. */
  readonly databases: readonly string[];
}

/** Returns one outcome for each fault of the list, in its order. `figures` are those that the tests recorded. */
export function faultOutcomes(
  list: readonly ListedFault[],
  reports: readonly JestReport[],
  figures: readonly { readonly fault: string; readonly database: string }[],
  isAskedFor: (number: string) => boolean,
): FaultOutcome[] {
  const tests = reports.flatMap(({ testResults }) => testResults.flatMap(({ assertionResults }) => assertionResults));
  const named = tests.map((test) => ({ ...test, numbers: numbersIn(test.fullName) }));
  return list.map(({ number, fault }) => {
    const own = named.filter(({ numbers }) => numbers.includes(number));
    const passedTests = own.filter(({ status }) => status === 'passed');
    const passed = passedTests.length;
    const failed = own.filter(({ status }) => status === 'failed').length;
    const result = resultOf(passed, failed, isAskedFor(number));
    // A run of one number skips the others in its files, which says nothing about them.
    const skipped = result === 'not asked for' ? 0 : own.length - passed - failed;
    const databases = ['sqlite', 'mariadb'].filter(
      (name) =>
        passedTests.some(({ fullName }) => fullName.includes(` on ${name}`)) ||
        figures.some(({ fault: recorded, database }) => recorded === number && database === name),
    );
    return { number, fault, result, passed, failed, skipped, databases };
  });
}

function resultOf(passed: number, failed: number, isAskedFor: boolean): FaultResult {
  if (!isAskedFor) return 'not asked for';
  if (failed > 0) return 'failed';
  return passed > 0 ? 'passed' : 'not run';
}

const HEAD = ['number', 'fault', 'result', 'databases', 'passed', 'failed', 'skipped'];
const NUMBERS_FROM = 4;

export function outcomeTable(outcomes: readonly FaultOutcome[]): string {
  const rows = outcomes.map(({ number, fault, result, databases, passed, failed, skipped }) => [
    ...[number, fault, result, databases.join(', ')],
    ...[passed, failed, skipped].map(String),
  ]);
  return inColumns(HEAD, rows, NUMBERS_FROM);
}
