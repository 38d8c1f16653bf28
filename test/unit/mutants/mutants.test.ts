// Goal: the tests of a room detect a changed operator in a file that handles money.
// Method: each mutant swaps one operator in one file; randomly chosen mutants run against the tests of their room.
// Survivors are rows of the table and do not fail the test, because some of them change no observable behavior.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { FAULT_LENGTH, FAULT_SEED, recordFault } from '../../support/faults';
import { randomFrom } from '../../support/random';
import { type Mutant, mutantsOf, mutantText } from './make-mutants';
import { TARGETS } from './targets';

const TESTS = join(__dirname, '..', '..');
const ROOT = join(TESTS, '..');
/** How many mutants a fault run tries: `MUTANTS=100 npm run test:faults -- --only mutants`. */
const MUTANTS = Number(process.env['MUTANTS'] ?? 15 * FAULT_LENGTH);
/** Longer than the tests of a room need on a busy machine. A mutant that never ends is seen. */
const MUTANT_LIMIT_MS = 300_000;

const all = TARGETS.flatMap(({ file, tests }) =>
  mutantsOf(file, readFileSync(join(ROOT, file), 'utf8')).map((mutant) => ({ mutant, tests })),
);

describe('mutants', () => {
  test('are made in every target, and tests stand beside each', () => {
    const names = readdirSync(TESTS, { recursive: true, encoding: 'utf8' }).map((name) => `test/${name}`);
    for (const { file, tests } of TARGETS) {
      expect([file, all.filter(({ mutant }) => mutant.file === file).length]).not.toEqual([file, 0]);
      expect([file, tests.filter((path) => !names.some((name) => name.startsWith(path)))]).toEqual([file, []]);
    }
  });

  test('are made in code only, and each names its place', () => {
    const source = "const a = 'x < y'; // a < b\nif (a <= b) return a + 1;\n";
    expect(mutantsOf('f.ts', source).map(mutantText)).toEqual([
      'f.ts:2:7 "<=" becomes "<"',
      'f.ts:2:22 "+" becomes "-"',
    ]);
  });

  const isFaultRun = process.env['FAULT_TABLE'] !== undefined;
  if (!isFaultRun) process.stdout.write('mutants: skipped, they take minutes; "npm run test:faults" runs them\n');
  (isFaultRun ? test : test.skip)(
    'are seen by the tests of their room',
    () => {
      const chosen = chooseMutants();
      const tried = new Set<string>();
      for (const { mutant, tests } of chosen) {
        // Without a slip they pass: otherwise every mutant would count as seen.
        const isNew = tried.size < tried.add(mutant.file).size;
        expect([mutant.file, isNew && isSeenBy({ ...mutant, to: mutant.from }, tests)]).toEqual([mutant.file, false]);
        const startedAt = performance.now();
        const isSeen = isSeenBy(mutant, tests);
        recordFault({
          ...{ fault: 'mutants', what: isSeen ? `seen in ${mutant.file}` : `SURVIVES ${mutantText(mutant)}` },
          ...{ database: 'none', rounds: 1, acknowledged: Number(isSeen), lost: Number(!isSeen), doubled: 0 },
          longestMs: performance.now() - startedAt,
        });
      }
      expect(chosen.length).toBe(Math.min(MUTANTS, all.length));
    },
    2 * MUTANTS * MUTANT_LIMIT_MS,
  );
});

function chooseMutants(): typeof all {
  const random = randomFrom(FAULT_SEED);
  const left = [...all];
  return Array.from({ length: Math.min(MUTANTS, all.length) }, () => left.splice(random.below(left.length), 1)).flat();
}

function isSeenBy(mutant: Mutant, tests: readonly string[]): boolean {
  const jest = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
  const args = [jest, '--config', join(__dirname, 'jest.config.cjs'), '--runInBand', '--silent', ...tests];
  const { status } = spawnSync(process.execPath, args, {
    cwd: ROOT,
    env: { ...withoutFaultRun(), MUTANT: JSON.stringify(mutant) },
    stdio: 'ignore',
    timeout: MUTANT_LIMIT_MS,
    killSignal: 'SIGKILL',
  });
  return status !== 0;
}

/** The tests of the room in their short form. */
function withoutFaultRun(): NodeJS.ProcessEnv {
  const { FAULT_TABLE: _table, FAULT_LENGTH: _length, ...environment } = process.env;
  return environment;
}
