// npm run test:faults -- [--seed 7] [--length 5] [--only F7] [--galera] [--json]
// Prints the outcome of each numbered fault (docs/RELIABILITY.md) and the figures of the runs to stdout, progress to
// stderr. The exit code is that of the tests, 1 if a number that was asked for did not run, or 2 for bad arguments.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import {
  type FaultArguments,
  faultTable,
  isAskedFor,
  type JestRun,
  planRuns,
  readFaultArguments,
  readFaultRows,
  readTestFiles,
} from './fault-runs';
import { readFaultList } from './faults/fault-list';
import { faultOutcomes, type JestReport, outcomeTable } from './faults/fault-results';

const ROOT = resolve(__dirname, '..');
const FIGURES = 'figures.jsonl';
const HELP = `npm run test:faults -- [options]
  --seed <n>     what chance depends on (the one of npm test when it is not given)
  --length <n>   how many times longer than in npm test, from 1 to 1000 (1)
  --only <name>  the tests of one number, such as F7, or the files that record a fault, such as fuzz
  --galera       also the suites on three Galera nodes on this machine; without it they are skipped
  --json         both tables as JSON`;

process.exitCode = main(process.argv.slice(2));

function main(args: readonly string[]): number {
  const given = readFaultArguments(args);
  if (typeof given === 'string') return wrongUse(given);
  if (given.help) {
    console.log(HELP);
    return 0;
  }
  const files = readTestFiles(join(ROOT, 'test'));
  const runs = planRuns(files, given.only);
  if (runs.length === 0) return wrongUse(`--only: no test names or records the fault ${JSON.stringify(given.only)}`);
  if (given.only !== undefined && !isAskedFor(given.only, files, given)) {
    return wrongUse(`--only: ${given.only} needs three Galera nodes; add --galera`);
  }
  const built = run(['npm', 'run', 'build']);
  if (built !== 0) return built;
  const folder = mkdtempSync(join(tmpdir(), 'millime-faults-'));
  try {
    const codes = runs.map((each, index) => runJest(each, given, folder, index));
    const reports = runs.flatMap((_, index) => readReport(reportIn(folder, index)));
    const list = readFaultList(readFileSync(join(ROOT, 'docs', 'RELIABILITY.md'), 'utf8'));
    const figures = readFaultRows(textOf(join(folder, FIGURES)) ?? '', given.only);
    const all = faultOutcomes(list, reports, figures, (number) => isAskedFor(number, files, given));
    const faults = given.only === undefined ? all : all.filter(({ result }) => result !== 'not asked for');
    const tables = [faults.length === 0 ? '' : outcomeTable(faults), figures.length === 0 ? '' : faultTable(figures)];
    console.log(given.json ? JSON.stringify({ faults, figures }, undefined, 2) : tables.filter(Boolean).join('\n\n'));
    const isComplete = faults.every(({ result }) => result !== 'not run');
    return codes.find((code) => code !== 0) ?? (isComplete ? 0 : 1);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** One file after the other: concurrent files would make each other's longest answers longer. */
function runJest({ files, pattern }: JestRun, given: FaultArguments, folder: string, index: number): number {
  const jest = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
  const report = ['--json', `--outputFile=${reportIn(folder, index)}`];
  const selected = pattern === undefined ? [] : [`--testNamePattern=${pattern}`];
  const options = ['--runInBand', '--verbose=false', ...report, ...selected];
  return run([process.execPath, jest, ...options, '--runTestsByPath', ...files], {
    FAULT_SEED: String(given.seed),
    FAULT_LENGTH: String(given.length),
    FAULT_TABLE: join(folder, FIGURES),
    ...(given.galera ? { GALERA: '1' } : {}),
  });
}

function reportIn(folder: string, index: number): string {
  return join(folder, `jest-${index}.json`);
}

/** Reads what jest wrote; nothing if it did not come so far. */
function readReport(path: string): JestReport[] {
  const text = textOf(path);
  return text === undefined ? [] : [JSON.parse(text) as JestReport];
}

function textOf(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

function wrongUse(problem: string): number {
  console.error(`test:faults: ${problem}`);
  return 2;
}

/** Runs a program to its end. Its whole output goes to stderr. */
function run([program = '', ...args]: readonly string[], environment: Readonly<Record<string, string>> = {}): number {
  const { status, error } = spawnSync(program, args, {
    cwd: ROOT,
    env: { ...process.env, ...environment },
    stdio: ['inherit', 2, 2],
  });
  if (error !== undefined) console.error(`test:faults: ${program}: ${error.message}`);
  return status ?? 1;
}
