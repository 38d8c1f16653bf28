import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';

const ROOT = join(__dirname, '..', '..');
const HOST = join(__dirname, 'run-commands.cjs');

export interface CliResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

/**
 * A process that has the built program loaded, which takes most of the time of a short command, and runs one command
 * after the other. Each has its own arguments and environment, writes to real pipes, and ends with its exit code when
 * nothing is left that would keep a process of its own alive.
 */
export class CommandHost {
  readonly child: ChildProcess;
  #underWay: { readonly mark: string; readonly end: (result: CliResult) => void } | undefined;
  #written = { stdout: '', stderr: '' };
  #hasEnded = false;

  constructor() {
    this.child = spawn(process.execPath, [HOST], {
      cwd: ROOT,
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'] },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    for (const name of ['stdout', 'stderr'] as const) {
      this.child[name]?.setEncoding('utf8').on('data', (text: string) => {
        this.#written[name] += text;
        this.#endMarked();
      });
    }
    // A command may take its process along, as one that throws past everything does.
    this.child.on('close', (code) => {
      this.#hasEnded = true;
      this.#end({ code, ...this.#written });
    });
  }

  /** Whether it may be given a command. */
  get isFree(): boolean {
    return this.#underWay === undefined && !this.#hasEnded;
  }

  /** Runs one command to its end. Nothing of our own environment reaches it, besides PATH and HOME; it has a free port. */
  run(args: readonly string[], env: Readonly<Record<string, string>>): Promise<CliResult> {
    const mark = `end of ${randomUUID()}: `;
    this.#written = { stdout: '', stderr: '' };
    return new Promise((resolve) => {
      this.#underWay = { mark, end: resolve };
      const { PATH, HOME } = process.env;
      this.child.send({ args, env: { PATH, HOME, PORT: '0', ...env }, mark });
    });
  }

  #endMarked(): void {
    if (this.#underWay === undefined) return;
    const { mark } = this.#underWay;
    const [stdout, code] = this.#written.stdout.split(mark);
    const [stderr, sameCode] = this.#written.stderr.split(mark);
    if (stdout === undefined || stderr === undefined || !code?.endsWith('\n') || !sameCode?.endsWith('\n')) return;
    this.#end({ code: Number(code), stdout, stderr });
  }

  #end(result: CliResult): void {
    const { end } = this.#underWay ?? {};
    this.#underWay = undefined;
    end?.(result);
  }
}
