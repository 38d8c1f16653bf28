import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const ROOT = join(__dirname, '..', '..');
const SCRIPT = join(__dirname, 'migrate-process.cjs');

/** What migrate-process.cjs is given. */
export interface MigrateTask {
  readonly databaseUrl: string;
  /** Made by the one that dies; once it is there, nobody does. */
  readonly markerFile: string;
  readonly statement: 'create table' | 'insert into';
  /** Which of these statements it is killed before, from 1. */
  readonly count: number;
}

/** A process that migrates a database when it is told to, and may be killed at a statement of its own. */
export class MigratingProcess {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;
  readonly ended: Promise<NodeJS.Signals | number | null>;

  constructor(task: MigrateTask) {
    this.#child = spawn(process.execPath, [SCRIPT, JSON.stringify(task)], {
      cwd: ROOT,
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'] },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const { stdout, stdin } = this.#child;
    if (stdout === null || stdin === null) throw new Error('the process has no pipes');
    stdin.on('error', () => undefined); // it may be dead already
    this.#lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
    this.ended = new Promise((resolve) => this.#child.once('exit', (code, signal) => resolve(signal ?? code)));
  }

  /** The next line that it prints; undefined when it was killed before. */
  async line(): Promise<string | undefined> {
    const next = await this.#lines.next();
    return next.done === true ? undefined : next.value;
  }

  go(): void {
    this.#child.stdin?.write('go\n');
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }
}
