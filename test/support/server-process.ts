import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';
import { type CliResult, CommandHost } from './command-host';

export type { CliResult };

const ROOT = join(__dirname, '..', '..');
const MAIN = join(ROOT, 'dist', 'src', 'cli', 'main.js');
const LISTENING = /listening on (http:\/\/127\.0\.0\.1:\d+)/;
const START_LIMIT_MS = 20_000;

export interface ExitStatus {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface ProcessLimits {
  /** How many files and connections it may have open. Not given: as many as this process. */
  readonly openFilesMax?: number | undefined;
}

/** `millime serve` as a process of its own, from the compiled files. */
export class ServerProcess {
  readonly baseUrl: string;
  readonly exited: Promise<ExitStatus>;
  readonly #child: ChildProcess;
  readonly #output: { text: string };

  private constructor(baseUrl: string, child: ChildProcess, exited: Promise<ExitStatus>, output: { text: string }) {
    this.baseUrl = baseUrl;
    this.exited = exited;
    this.#child = child;
    this.#output = output;
  }

  /** Starts it on a free port (or on `PORT` in `env`) and waits until it listens. Only `env` is passed on. */
  static async start(
    env: Readonly<Record<string, string>>,
    args: readonly string[] = [],
    limits: ProcessLimits = {},
  ): Promise<ServerProcess> {
    const child = spawnCli(['serve', ...args], env, limits);
    const output = { text: '' };
    const exited = new Promise<ExitStatus>((resolve) => {
      child.on('exit', (code, signal) => resolve({ code, signal }));
    });
    const listening = new Promise<string>((resolve) => {
      const collect = (chunk: Buffer): void => {
        output.text += chunk.toString('utf8');
        const address = LISTENING.exec(output.text)?.[1];
        if (address !== undefined) resolve(address);
      };
      child.stdout?.on('data', collect);
      child.stderr?.on('data', collect);
    });
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<'too late'>((resolve) => {
      timer = setTimeout(() => resolve('too late'), START_LIMIT_MS);
    });
    const first = await Promise.race([listening, exited, tooLate]);
    clearTimeout(timer);
    if (typeof first === 'string' && first !== 'too late') return new ServerProcess(first, child, exited, output);
    child.kill('SIGKILL');
    throw new Error(`serve did not listen (${JSON.stringify(first)}):\n${output.text}`);
  }

  get pid(): number {
    return this.#child.pid as number;
  }

  /** Everything that it has written so far, stdout and stderr. */
  get output(): string {
    return this.#output.text;
  }

  /** Lets what it writes to stdout lie in the pipe, as a reader that hangs does. */
  stopReading(): void {
    this.#child.stdout?.pause();
  }

  readOn(): void {
    this.#child.stdout?.resume();
  }

  /** Leaves as the reader of its stdout and stderr: what it writes from now on fails with EPIPE. */
  closeOutput(): void {
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  async kill9(): Promise<ExitStatus> {
    this.#child.kill('SIGKILL');
    return this.exited;
  }

  /** Asks it to stop and waits until it has; safe to call twice. */
  async stop(): Promise<ExitStatus> {
    this.#child.kill('SIGCONT');
    this.#child.kill('SIGTERM');
    return this.exited;
  }
}

/**
 * Runs one command of the command line to its end, in a process that has run others before (command-host.ts). Only `env`
 * is passed on. With EVERY_COMMAND_SPAWNED=1 each command is a process of its own.
 */
export function runCli(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<CliResult> {
  if (process.env['EVERY_COMMAND_SPAWNED'] === '1') return spawnedCli(args, env);
  requireBuild();
  let host = hosts.find(({ isFree }) => isFree);
  if (host === undefined) {
    host = new CommandHost();
    hosts.push(host);
    endWithUs(host.child);
  }
  return host.run(args, env);
}

/** The same as a process of its own, for tests of what only that shows. */
export function spawnedCli(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  options: { stdin?: string } = {},
): Promise<CliResult> {
  const child = spawnCli(args, env);
  const result: CliResult = { code: null, stdout: '', stderr: '' };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (result.stdout += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (result.stderr += text));
  child.stdin?.on('error', () => undefined); // it may exit without reading
  child.stdin?.end(options.stdin ?? '');
  return new Promise((resolve) => child.on('close', (code) => resolve({ ...result, code })));
}

const hosts: CommandHost[] = [];

afterAll(() => {
  for (const { child } of hosts.splice(0)) child.kill('SIGKILL');
});

// A child outlives a jest worker that is interrupted, unless the worker takes it along.
const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

function endWithUs(child: ChildProcess): void {
  running.add(child);
  child.on('exit', () => running.delete(child));
}

/** Starts a command and leaves it to the caller, who ends it; it ends with this process at the latest. */
export function spawnCli(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  { openFilesMax }: ProcessLimits = {},
): ChildProcess {
  requireBuild();
  const command = [process.execPath, MAIN, ...args];
  const limited = ['sh', '-c', `ulimit -n ${openFilesMax} && exec "$@"`, 'sh', ...command];
  const [program = '', ...rest] = openFilesMax === undefined ? command : limited;
  const child = spawn(program, rest, {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], PORT: '0', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  endWithUs(child);
  return child;
}

function requireBuild(): void {
  if (!existsSync(MAIN)) throw new Error(`${MAIN} is missing: run "npm run build" first ("npm test" does)`);
}
