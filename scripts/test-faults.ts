// npm run test:faults -- [--seed 7] [--length 5] [--only F7] [--galera] [--json]
// Progress goes to stderr, the table to stdout; the exit code is that of the tests, or 2 for bad arguments.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { faultRunFiles, faultTable, readFaultArguments, readFaultRows } from './fault-runs';

const ROOT = resolve(__dirname, '..');
const HELP = `npm run test:faults -- [options]
  --seed <n>     what chance depends on (the one of npm test when it is not given)
  --length <n>   how many times longer than in npm test, from 1 to 1000 (1)
  --only <name>  one fault, such as F7 or fuzz
  --galera       also the suites on three Galera nodes on this machine
  --json         the rows as JSON instead of a table`;

process.exitCode = main(process.argv.slice(2));

function main(args: readonly string[]): number {
  const given = readFaultArguments(args);
  if (typeof given === 'string') return wrongUse(given);
  if (given.help) {
    console.log(HELP);
    return 0;
  }
  const files = faultRunFiles(join(ROOT, 'test'), given.only);
  if (files.length === 0) return wrongUse(`--only: no test records the fault ${JSON.stringify(given.only)}`);
  const built = run(['npm', 'run', 'build']);
  if (built !== 0) return built;
  const folder = mkdtempSync(join(tmpdir(), 'millime-faults-'));
  try {
    const table = join(folder, 'table.jsonl');
    // One file after the other: concurrent files would make each other's longest answers longer.
    const jest = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
    const tested = run([process.execPath, jest, '--runInBand', '--verbose=false', '--runTestsByPath', ...files], {
      FAULT_SEED: String(given.seed),
      FAULT_LENGTH: String(given.length),
      FAULT_TABLE: table,
      ...(given.galera ? { GALERA: '1' } : {}),
    });
    const rows = readFaultRows(existsSync(table) ? readFileSync(table, 'utf8') : '', given.only);
    console.log(given.json ? JSON.stringify(rows, undefined, 2) : faultTable(rows));
    return tested;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
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
