import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { AppError } from '../kernel';

const START_TIMEOUT_MS = 60_000;
// A module that stops a process when the channel to its starter ends, even if the starter was killed. Threads of the
// process load it too, and have no channel.
const STOPS_WITH_STARTER =
  'data:text/javascript,process.once("disconnect",()=>process.kill(process.pid,"SIGTERM"));process.channel?.unref()';

/** The whole environment of a process. Nothing of the caller's environment is added. */
export type ProgramEnvironment = Readonly<Record<string, string>>;

/** Node and the file of the command line. */
export interface Program {
  readonly execPath: string;
  readonly args: readonly string[];
}

/** Runs one command as a process and returns its output. @throws AppError `internal` for an unexpected exit code. */
export async function runCommand(
  program: Program,
  environment: ProgramEnvironment,
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

export interface RunningProgram {
  readonly baseUrl: string;
  /** Resolves when the process has ended. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

/** Starts a command that listens, and waits for its address. @throws AppError `internal` if it does not listen. */
export async function startProgram(
  program: Program,
  environment: ProgramEnvironment,
  args: readonly string[],
): Promise<RunningProgram> {
  const child = spawn(program.execPath, ['--import', STOPS_WITH_STARTER, ...program.args, ...args], {
    env: { ...environment },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const printed = collect(child);
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const baseUrl = await new Promise<string>((resolve, reject) => {
    const fail = (reason: string): void =>
      reject(new AppError('internal', `the server did not start (${reason}): ${printed.stderr()}${printed.stdout()}`));
    const timer = setTimeout(() => fail('too slow'), START_TIMEOUT_MS);
    void ended.then(() => fail('it ended'));
    child.stdout?.on('data', () => {
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
    ...{ baseUrl, ended },
    async stop() {
      child.kill('SIGTERM'); // has no effect on a process that has ended
      await ended;
    },
  };
}

function collect(child: ChildProcess): { stdout(): string; stderr(): string } {
  const text = { stdout: '', stderr: '' };
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => (text.stdout += chunk));
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (text.stderr += chunk));
  return { stdout: () => text.stdout, stderr: () => text.stderr };
}
