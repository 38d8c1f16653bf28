import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');
const MAIN = join(ROOT, 'dist', 'src', 'cli', 'main.js');
const HOOK = join(__dirname, 'peak-memory.cjs');
const TIME_LIMIT_MS = 30 * 60_000;
const BYTES_PER_KIB = 1_024;

export interface MeasuredCommand {
  readonly exitCode: number;
  readonly tookMs: number;
  /** The peak of its memory; undefined if it failed. */
  readonly peakBytes: number | undefined;
}

interface MeasuredOptions {
  readonly databaseUrl: string;
  readonly folder: string;
  /** The exit codes of a successful run. */
  readonly accepted?: readonly number[];
}

/** Runs the compiled `millime` as its own process. Its output goes to stderr. */
export async function measuredCommand(
  args: readonly string[],
  { databaseUrl, folder, accepted = [0] }: MeasuredOptions,
): Promise<MeasuredCommand> {
  const peakFile = join(folder, 'peak-memory');
  const startedAt = performance.now();
  const exitCode = await new Promise<number>((resolve, reject) => {
    const child = spawn(process.execPath, ['--require', HOOK, MAIN, ...args], {
      cwd: folder,
      env: {
        PATH: process.env['PATH'],
        HOME: process.env['HOME'],
        DATABASE_URL: databaseUrl,
        BENCH_PEAK_FILE: peakFile,
      },
      stdio: ['ignore', 2, 2],
      timeout: TIME_LIMIT_MS,
    });
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
  return {
    exitCode,
    tookMs: performance.now() - startedAt,
    peakBytes: accepted.includes(exitCode) ? peakOf(peakFile) : undefined,
  };
}

function peakOf(file: string): number {
  return Number(readFileSync(file, 'utf8')) * BYTES_PER_KIB;
}
