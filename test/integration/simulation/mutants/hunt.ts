import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { placeOf, ROOT, type SeededMutant } from './seeded-mutants';

/** What became of a mutant. */
export type Hunted = { readonly histories: number; readonly seenBy: string } | undefined;

/** Longer than the histories of a hunt need on a busy machine. */
const LIMIT_MS = 900_000;

/**
 * Runs histories with the mutant in the source until one fails; undefined if none does.
 *
 * @param mutant undefined for the source as it is.
 * @throws Error if the histories could not be run.
 */
export async function hunt(mutant: SeededMutant | undefined, histories: number, seed: number): Promise<Hunted> {
  const folder = mkdtempSync(join(tmpdir(), 'millime-hunt-'));
  const result = join(folder, 'result.json');
  const { file, from, to } = mutant ?? NO_MUTANT;
  const at = mutant === undefined ? 0 : placeOf(mutant);
  const jest = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
  const args = [jest, '--config', join(__dirname, 'jest.config.cjs'), '--runInBand', '--silent'];
  const { FAULT_TABLE: _table, FAULT_LENGTH: _length, ...environment } = process.env;
  const hunted = { MUTANT: JSON.stringify({ file, at, from, to }), HUNT_RESULT: result };
  const env = { ...environment, ...hunted, HUNT_HISTORIES: String(histories), HUNT_SEED: String(seed) };
  try {
    const output: string[] = [];
    const child = spawn(process.execPath, args, {
      cwd: ROOT,
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: LIMIT_MS,
    });
    child.stderr.on('data', (chunk: Buffer) => output.push(chunk.toString()));
    const code = await new Promise((resolve) => child.once('close', resolve));
    if (code !== 0) throw new Error(`the histories did not run: ${output.join('')}`);
    return (JSON.parse(readFileSync(result, 'utf8')) ?? undefined) as Hunted;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Nothing becomes nothing. */
const NO_MUTANT = { file: 'src/ledger/ledger-transaction.ts', from: '', to: '' };
