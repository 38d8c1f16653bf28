import { spawn } from 'node:child_process';
import { once } from 'node:events';

const START_LIMIT_MS = 60_000;
const LISTENING = /(http:\/\/127\.0\.0\.1:\d+)/;

export type Environment = Readonly<Record<string, string>>;

/** Runs one command of the played version and returns its JSON output, or undefined without `--json`. */
export async function runCommand(
  main: string,
  env: Environment,
  args: readonly string[],
  acceptedCodes: readonly number[],
): Promise<unknown> {
  const child = spawn(process.execPath, [main, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code === null || !acceptedCodes.includes(code)) {
    throw new Error(`millime ${args.join(' ')} ended with ${code}:\n${stderr}${stdout}`);
  }
  return args.includes('--json') ? JSON.parse(stdout) : undefined;
}

export interface RunningProgram {
  readonly baseUrl: string;
  stop(): Promise<void>;
}

/** Starts a command that listens, and waits for its address. */
export async function startProgram(main: string, env: Environment, args: readonly string[]): Promise<RunningProgram> {
  const child = spawn(process.execPath, [main, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const baseUrl = await new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`millime ${args.join(' ')} does not listen`)), START_LIMIT_MS);
    const collect = (text: string): void => {
      output += text;
      const address = LISTENING.exec(output)?.[1];
      if (address === undefined) return;
      clearTimeout(timer);
      resolve(address);
    };
    child.stdout.setEncoding('utf8').on('data', collect);
    child.stderr.setEncoding('utf8').on('data', collect);
    child.once('close', () => reject(new Error(`millime ${args.join(' ')} ended:\n${output}`)));
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
