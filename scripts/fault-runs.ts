// Selects the tests of `npm run test:faults`, and formats their results.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

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
  /** Runs only the files that contain this fault. */
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
  const { only, json = false, galera = false, help = false } = values;
  const seed = wholeNumber(values.seed ?? String(SEED_DEFAULT), 0, SEED_MAX);
  const length = wholeNumber(values.length ?? '1', 1, LENGTH_MAX);
  if (seed === undefined) return `--seed must be a whole number from 0 to ${SEED_MAX}`;
  if (length === undefined) return `--length must be a whole number from 1 to ${LENGTH_MAX}`;
  return { seed, length, only, json, galera, help };
}

/**
 * Finds the test files of fault runs, so that a new one needs no list. They import the module that records a row, has a
 * full form or depends on the seed, or they call the function for one database, and run on both. With `only`: those
 * whose text names that fault.
 */
export function faultRunFiles(testFolder: string, only?: string): string[] {
  const names = readdirSync(testFolder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.test.ts'),
  );
  return names
    .map((name) => join(testFolder, name))
    .filter((file) => {
      const text = readFileSync(file, 'utf8');
      const isLonger = HAS_FULL_FORM.test(text) || HAS_A_SECOND_DATABASE.test(text);
      return isLonger && (only === undefined || text.includes(`fault: '${only}'`));
    })
    .sort();
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
    .sort((a, b) => compare(rank(a), rank(b)) || compare(a.database, b.database) || compare(a.what, b.what));
}

const HEAD = ['fault', 'what', 'database', 'rounds', 'acknowledged', 'lost', 'doubled', 'longest answer (ms)'];
const NUMBERS_FROM = 3;

export function faultTable(rows: readonly FaultRow[]): string {
  const cells = [
    HEAD,
    ...rows.map(({ fault, what, database, rounds, acknowledged, lost, doubled, longestMs }) => [
      fault,
      what,
      database,
      ...[rounds, acknowledged, lost, doubled, Math.round(longestMs)].map(String),
    ]),
  ];
  const widths = HEAD.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) =>
        column < NUMBERS_FROM ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd();
  return cells.map(line).join('\n');
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

/** Sorts `F3` before `F10`, and faults without a number last. */
function rank({ fault }: FaultRow): string {
  const number = /^F(\d+)$/.exec(fault)?.[1];
  return number === undefined ? `~${fault}` : number.padStart(4, '0');
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
