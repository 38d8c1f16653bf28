import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { type ExitStatus, spawnCli } from '../../support/server-process';
import { standsStill } from '../../support/stands-still';
import type { Installation } from './installation';
import { until } from './until';

const PRELOAD = join(__dirname, 'signal-at.cjs');

/** Where a command sends itself a signal, in points as signal-at.cjs counts them. */
export interface SignalAt {
  readonly point: number;
  readonly signal: 'SIGKILL' | 'SIGSTOP';
}

/** A command as a process of its own, which may be told to stop or to die at a point of its way. */
export class SignalledCommand {
  stdout = '';
  stderr = '';
  readonly ended: Promise<ExitStatus>;
  readonly #child: ChildProcess;

  /** Without a point it runs to its end. */
  constructor(
    installation: Installation,
    args: readonly string[],
    { signalAt, env }: { signalAt?: SignalAt | undefined; env?: Readonly<Record<string, string>> } = {},
  ) {
    const signal = signalAt === undefined ? {} : { SIGNAL_AT: `${signalAt.point}:${signalAt.signal}` };
    this.#child = spawnCli(args, { ...installation.env, ...env, NODE_OPTIONS: `--require ${PRELOAD}`, ...signal });
    this.#child.stdout?.on('data', (chunk: Buffer) => (this.stdout += chunk.toString('utf8')));
    this.#child.stderr?.on('data', (chunk: Buffer) => (this.stderr += chunk.toString('utf8')));
    this.ended = new Promise((resolve) => this.#child.on('close', (code, signal) => resolve({ code, signal })));
  }

  /** How many points a command that went to its end has passed. */
  get points(): number {
    return Number(/points: (\d+)/.exec(this.stderr)?.[1]);
  }

  /** Waits until it has stopped itself. */
  async stopped(): Promise<void> {
    await until('the command has stopped', () => standsStill(this.#child.pid));
  }

  goOn(): void {
    this.#child.kill('SIGCONT');
  }
}
