import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { ExitStatus } from '../../support/server-process';

const ROOT = join(__dirname, '..', '..', '..');
const MAIN = join(ROOT, 'dist', 'src', 'cli', 'main.js');
const LISTENING = /listening on (http:\/\/127\.0\.0\.1:\d+)\n[^]*\n {2}curl /;
/** For a machine that is busy with other tests. */
const START_LIMIT_MS = 60_000;

/** `millime simulate` as a process of its own, from the compiled files. */
export class SimulateProcess {
  readonly baseUrl: string;
  /** What it printed at its start. */
  readonly output: string;
  readonly exited: Promise<ExitStatus>;
  readonly #child: ChildProcess;

  private constructor(baseUrl: string, output: string, child: ChildProcess, exited: Promise<ExitStatus>) {
    this.baseUrl = baseUrl;
    this.output = output;
    this.#child = child;
    this.exited = exited;
  }

  /** Starts it, on a free port unless `args` say another, and waits until it has said how to call it. */
  static async start(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<SimulateProcess> {
    const child = spawn(process.execPath, [MAIN, 'simulate', '--port', '0', ...args], {
      cwd: ROOT,
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    running.add(child);
    const exited = new Promise<ExitStatus>((resolve) => {
      child.on('exit', (code, signal) => {
        running.delete(child);
        resolve({ code, signal });
      });
    });
    let output = '';
    const listening = new Promise<string>((resolve) => {
      const collect = (chunk: Buffer): void => {
        output += chunk.toString('utf8');
        const address = LISTENING.exec(output)?.[1];
        if (address !== undefined) resolve(address);
      };
      child.stdout.on('data', collect);
      child.stderr.on('data', collect);
    });
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), START_LIMIT_MS);
    });
    const baseUrl = await Promise.race([listening, exited.then(() => undefined), tooLate]);
    clearTimeout(timer);
    if (baseUrl !== undefined) return new SimulateProcess(baseUrl, output, child, exited);
    child.kill('SIGKILL');
    throw new Error(`simulate did not listen:\n${output}`);
  }

  /** Asks it to stop and waits until it has; safe to call twice. */
  stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<ExitStatus> {
    this.#child.kill(signal);
    return this.exited;
  }
}

// A child outlives a jest worker that is interrupted, unless the worker takes it along.
const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});
