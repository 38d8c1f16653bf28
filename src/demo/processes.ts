import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { AppError } from '../kernel';

const START_TIMEOUT_MS = 60_000;

/** The whole environment of the demo's processes. Nothing of the caller's environment is added. */
export type DemoEnvironment = Readonly<Record<string, string>>;

/** The program that this process runs: node and the file of the command line. */
export interface Program {
  readonly execPath: string;
  readonly args: readonly string[];
}

/** Runs one command as a process and returns its output. @throws AppError `internal` for an unexpected exit code. */
export async function runCommand(
  program: Program,
  environment: DemoEnvironment,
  args: readonly string[],
  acceptedCodes: readonly number[] = [0],
): Promise<string> {
  const child = spawn(program.execPath, [...program.args, ...args], {
    env: { ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed = collect(child);
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== null && acceptedCodes.includes(code)) return printed.stdout();
  throw new AppError('internal', `millime ${args.join(' ')} exited with ${code}: ${printed.stderr()}`);
}

export interface RunningServer {
  readonly baseUrl: string;
  stop(): Promise<void>;
}

/**
 * Starts the server on a free port and waits until it listens. It runs without jobs: `poll` checks the same statuses at
 * fixed times, so every demo is the same.
 */
export async function startServer(program: Program, environment: DemoEnvironment): Promise<RunningServer> {
  const child = spawn(program.execPath, [...program.args, 'serve', '--role', 'http'], {
    env: { ...environment, PORT: '0', HOST: '127.0.0.1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed = collect(child);
  const baseUrl = await new Promise<string>((resolve, reject) => {
    const fail = (reason: string): void =>
      reject(new AppError('internal', `the server did not start (${reason}): ${printed.stderr()}${printed.stdout()}`));
    const timer = setTimeout(() => fail('too slow'), START_TIMEOUT_MS);
    child.once('close', () => fail('it ended'));
    child.stdout.on('data', () => {
      const listening = /listening on (http:\/\/[\d.]+:\d+)/.exec(printed.stdout())?.[1];
      if (listening === undefined) return;
      clearTimeout(timer);
      resolve(listening);
    });
  }).catch((error: unknown) => {
    child.kill('SIGKILL');
    throw error;
  });
  return {
    baseUrl,
    async stop() {
      if (child.exitCode !== null) return;
      const closed = once(child, 'close');
      child.kill('SIGTERM');
      await closed;
    },
  };
}

function collect(child: ChildProcess): { stdout(): string; stderr(): string } {
  const text = { stdout: '', stderr: '' };
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => (text.stdout += chunk));
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (text.stderr += chunk));
  return { stdout: () => text.stdout, stderr: () => text.stderr };
}
