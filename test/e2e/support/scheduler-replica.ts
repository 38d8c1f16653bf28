import { type ChildProcess, spawn } from 'node:child_process';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { formatInstant } from '../../../src/kernel';
import { standsStill } from '../../support/stands-still';
import { testRun } from '../../support/test-run';
import { until } from './until';

const ROOT = join(__dirname, '..', '..', '..');
const SCRIPT = join(__dirname, 'scheduler-process.cjs');
const LIMIT_MS = 60_000;

/** What scheduler-process.cjs is given. */
interface SchedulerTask {
  readonly databaseUrl: string;
  readonly clockFile: string;
  /** Written into its effects. */
  readonly replica: string;
  readonly leaseMs: number;
}

/** A process that runs a scheduler with a clock of its own, seen from the test. */
export class SchedulerReplica {
  readonly name: string;
  /** What it has said so far. */
  readonly lines: string[] = [];
  readonly #clockFile: string;
  readonly #child: ChildProcess;
  readonly #exited: Promise<void>;
  #errors = '';

  private constructor(task: SchedulerTask) {
    this.name = task.replica;
    this.#clockFile = task.clockFile;
    this.#child = spawn(process.execPath, [SCRIPT, JSON.stringify(task)], {
      cwd: ROOT,
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'] },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const { stdin, stdout, stderr } = this.#child;
    if (stdin === null || stdout === null || stderr === null) throw new Error('the process has no pipes');
    stdin.on('error', () => undefined); // it may be dead already
    stderr.on('data', (chunk: Buffer) => (this.#errors += chunk.toString('utf8')));
    createInterface({ input: stdout }).on('line', (line) => this.lines.push(line));
    this.#exited = new Promise((resolve) => this.#child.once('exit', () => resolve()));
  }

  /** Starts it with its clock at `now`, and waits until its scheduler runs. */
  static async start(url: string, name: string, now: number, leaseMs: number): Promise<SchedulerReplica> {
    const clockFile = join(testRun.folder, `scheduler-clock-${process.pid}-${name}`);
    writeFileSync(clockFile, formatInstant(now));
    const replica = new SchedulerReplica({ databaseUrl: url, clockFile, replica: name, leaseMs });
    await replica.saying('ready');
    return replica;
  }

  setClock(now: number): void {
    writeFileSync(`${this.#clockFile}.new`, formatInstant(now));
    renameSync(`${this.#clockFile}.new`, this.#clockFile);
  }

  tell(word: string): void {
    this.#child.stdin?.write(`${word}\n`);
  }

  says(line: string): boolean {
    return this.lines.includes(line);
  }

  async saying(line: string): Promise<void> {
    const found = (): boolean => {
      if (this.#child.exitCode !== null) throw new Error(`${this.name} ended early: ${this.#errors}`);
      return this.says(line);
    };
    await until(`${this.name} says "${line}"`, found, LIMIT_MS);
  }

  /** Stops it where it is in the middle of nothing that holds a lock, as a machine that sleeps may. */
  async pause(): Promise<void> {
    this.tell('pause');
    await until(`${this.name} stands still`, () => standsStill(this.#child.pid), LIMIT_MS);
  }

  goOn(): void {
    this.#child.kill('SIGCONT');
  }

  async kill9(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#exited;
  }
}
