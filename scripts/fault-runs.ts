// Reads the arguments of `npm run test:faults`, selects its tests, and formats the figures that they record.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { inColumns } from './faults/columns';
import { compareFaults, numbersOfFile, patternOf } from './faults/fault-list';

/** One row as the tests write it (test/support/faults.ts). */
export interface FaultRow {
  readonly fault: string;
  readonly what: string;
  readonly database: string;
  readonly rounds: number;
  readonly acknowledged: number;
  readonly lost: number;
  readonly doubled: number;
  readonly longestMs: number;
}

export interface FaultArguments {
  readonly seed: number;
  readonly length: number;
  /** Runs only the tests that name this number, or the files that record this fault. */
  readonly only: string | undefined;
  readonly json: boolean;
  /** Also runs the suites on three Galera nodes. */
  readonly galera: boolean;
  readonly help: boolean;
}

const SEED_DEFAULT = 20_260_302;
const SEED_MAX = 4_294_967_295;
const LENGTH_MAX = 1_000;
const HAS_A_SECOND_DATABASE = /^describe\w*OnOneDatabase\(/m;
const NEEDS_GALERA = /^describeOnGalera\(/m;
const HAS_FULL_FORM = /^[^']* from '[./a-z]*\/(?:faults|fault-tally)';$/m;

/** Reads the arguments. Returns a text with the fault if they are invalid. */
export function readFaultArguments(args: readonly string[]): FaultArguments | string {
  let values: { seed?: string; length?: string; only?: string; json?: boolean; galera?: boolean; help?: boolean };
  try {
    ({ values } = parseArgs({
      args: [...args],
      options: {
        seed: { type: 'string' },
        length: { type: 'string' },
        only: { type: 'string' },
        json: { type: 'boolean' },
        galera: { type: 'boolean' },
        help: { type: 'boolean' },
      },
    }));
  } catch (error) {
    return String(error instanceof Error ? error.message : error).split(/[\n.]/)[0] ?? '';
  }
  const { json = false, galera = false, help = false } = values;
  const only = values.only?.replace(/^[fs](?=\d+$)/, (letter) => letter.toUpperCase());
  const seed = wholeNumber(values.seed ?? String(SEED_DEFAULT), 0, SEED_MAX);
  const length = wholeNumber(values.length ?? '1', 1, LENGTH_MAX);
  if (seed === undefined) return `--seed must be a whole number from 0 to ${SEED_MAX}`;
  if (length === undefined) return `--length must be a whole number from 1 to ${LENGTH_MAX}`;
  return { seed, length, only, json, galera, help };
}

/** A test file, and what decides whether a run needs it. */
export interface TestFile {
  readonly path: string;
  readonly text: string;
  /** The numbers of the faults that its tests name. */
  readonly numbers: readonly string[];
}

/** One run of jest. With a pattern, of the tests whose names match it alone. */
export interface JestRun {
  readonly files: readonly string[];
  readonly pattern?: string;
}

/** Finds every test file, so that a new one needs no list. */
export function readTestFiles(testFolder: string): TestFile[] {
  return readdirSync(testFolder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .sort()
    .map((name) => {
      const path = join(testFolder, name);
      const text = readFileSync(path, 'utf8');
      return { path, text, numbers: numbersOfFile(text) };
    });
}

/**
 * Whether a file is longer in a fault run: it imports the module that records a row, has a full form or depends on the
 * seed, or it calls the function for one database, and runs on both.
 */
export function hasFullForm({ text }: TestFile): boolean {
  return HAS_FULL_FORM.test(text) || HAS_A_SECOND_DATABASE.test(text);
}

/**
 * Plans the runs: the files with a full form as a whole, and of the others the tests that name a number. With `only`: the
 * tests that name it, or the files that record it.
 */
export function planRuns(files: readonly TestFile[], only: string | undefined): JestRun[] {
  const pathsOf = (isWanted: (file: TestFile) => boolean): string[] => files.filter(isWanted).map(({ path }) => path);
  const named: JestRun = {
    files: pathsOf((file) =>
      only === undefined ? file.numbers.length > 0 && !hasFullForm(file) : file.numbers.includes(only),
    ),
    pattern: patternOf(only),
  };
  const whole: JestRun = {
    files: pathsOf((file) => hasFullForm(file) && (only === undefined || file.text.includes(`fault: '${only}'`))),
  };
  const runs = only !== undefined && named.files.length > 0 ? [named] : [whole, named];
  return runs.filter((run) => run.files.length > 0);
}

/** Returns whether the arguments ask for a number. Three Galera nodes are asked for by `--galera`. */
export function isAskedFor(
  number: string,
  files: readonly TestFile[],
  { only, galera }: Pick<FaultArguments, 'only' | 'galera'>,
): boolean {
  if (only !== undefined && only !== number) return false;
  const naming = files.filter(({ numbers }) => numbers.includes(number));
  return galera || naming.length === 0 || naming.some(({ text }) => !NEEDS_GALERA.test(text));
}

/** Returns the rows of a run in the order of the list of faults. Rounds of one fault are one row. */
export function readFaultRows(lines: string, only?: string): FaultRow[] {
  const rows = new Map<string, FaultRow>();
  for (const line of lines.split('\n').filter((text) => text !== '')) {
    const row = JSON.parse(line) as FaultRow;
    const key = JSON.stringify([row.fault, row.what, row.database]);
    rows.set(key, together(rows.get(key), row));
  }
  return [...rows.values()]
    .filter(({ fault }) => only === undefined || fault === only)
    .sort((a, b) => compareFaults(a.fault, b.fault) || compare(a.database, b.database) || compare(a.what, b.what));
}

const HEAD = ['fault', 'what', 'database', 'rounds', 'acknowledged', 'lost', 'doubled', 'longest answer (ms)'];
const NUMBERS_FROM = 3;

export function faultTable(rows: readonly FaultRow[]): string {
  const cells = rows.map(({ fault, what, database, rounds, acknowledged, lost, doubled, longestMs }) => [
    ...[fault, what, database],
    ...[rounds, acknowledged, lost, doubled].map(String),
    longestMs === 0 ? '-' : String(Math.round(longestMs)), // where nothing is answered, nothing is timed
  ]);
  return inColumns(HEAD, cells, NUMBERS_FROM);
}

function together(before: FaultRow | undefined, row: FaultRow): FaultRow {
  if (before === undefined) return row;
  return {
    ...row,
    rounds: before.rounds + row.rounds,
    acknowledged: before.acknowledged + row.acknowledged,
    lost: before.lost + row.lost,
    doubled: before.doubled + row.doubled,
    longestMs: Math.max(before.longestMs, row.longestMs),
  };
}

function wholeNumber(text: string, least: number, most: number): number | undefined {
  const value = Number(text);
  return /^\d{1,10}$/.test(text) && value >= least && value <= most ? value : undefined;
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
