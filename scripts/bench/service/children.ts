import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

/** The compiled program. */
export const MILLIME = join(__dirname, '..', '..', '..', 'dist', 'src', 'cli', 'main.js');

const COMMAND_LIMIT_MS = 30 * 60_000;
const STOP_LIMIT_MS = 15_000;

const running = new Set<ChildProcess>();
// After an interrupt or a fault nothing else ends them.
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

export interface ChildOptions {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** A file descriptor for its standard output; by default the caller reads it. */
  readonly stdout?: number;
  readonly limitMs?: number;
}

/** Starts a process that ends with this one. Its errors go to stderr. */
export function startChild(program: string, args: readonly string[], options: ChildOptions): ChildProcess {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(program, args, {
    cwd: options.folder,
    env: { PATH, HOME, NODE_ENV: 'production', ...options.env },
    stdio: ['ignore', options.stdout ?? 'pipe', 'inherit'],
    ...(options.limitMs === undefined ? {} : { timeout: options.limitMs }),
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

/**
 * Runs a process to its end and returns its standard output.
 *
 * @throws Error when it cannot start or its exit code is not 0.
 */
export async function runChild(program: string, args: readonly string[], options: ChildOptions): Promise<string> {
  const child = startChild(program, args, { limitMs: COMMAND_LIMIT_MS, ...options });
  let output = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (output += text));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new Error(`${[program, ...args].join(' ')}: exit code ${code ?? 'none'}\n${output}`);
  return output;
}

/** Ends a server with SIGTERM, and with SIGKILL if it takes too long. */
export async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const limit = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
  clearTimeout(limit);
}
