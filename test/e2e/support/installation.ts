import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach } from '@jest/globals';
import {
  type CliResult,
  type ExitStatus,
  type ProcessLimits,
  runCli,
  ServerProcess,
} from '../../support/server-process';
import { testRun } from '../../support/test-run';

/** A CLI call that ended in another way than the test needs to go on. */
class UnexpectedExit extends Error {}

/**
 * Millime as an operator has it: a database, a key file, perhaps a clock file, the command line and server processes.
 * The processes end with the test, the files with the test file.
 */
export class Installation {
  readonly folder: string;
  readonly url: string;
  readonly env: Readonly<Record<string, string>>;
  #token: string | undefined;

  /** `clock` is the first instant of the clock file; without it the service reads the system's clock. */
  constructor(url: string, options: { clock?: string; env?: Readonly<Record<string, string>> } = {}) {
    this.folder = mkdtempSync(join(testRun.folder, 'installation-'));
    folders.push(this.folder);
    this.url = url;
    this.env = {
      DATABASE_URL: url,
      SERVICE_JWT_KEYS_FILE: join(this.folder, 'keys.json'),
      ...(options.clock === undefined ? {} : { CLOCK_FILE: join(this.folder, 'clock') }),
      ...options.env,
    };
    if (options.clock !== undefined) this.setClock(options.clock);
  }

  /** Moves the business clock of every process of this installation. */
  setClock(instant: string): void {
    const file = join(this.folder, 'clock');
    writeFileSync(`${file}.new`, `${instant}\n`);
    renameSync(`${file}.new`, file);
  }

  /** Writes a file for the command line to read, and gives its path. */
  file(name: string, content: string | Uint8Array): string {
    const path = join(this.folder, name);
    writeFileSync(path, content);
    return path;
  }

  cli(...args: string[]): Promise<CliResult> {
    return runCli(args, this.env);
  }

  /** Runs a command that prints JSON, and gives what it printed. */
  async json<T = Record<string, unknown>>(args: readonly string[], exitCode = 0): Promise<T> {
    const { code, stdout, stderr } = await this.cli(...args, '--json');
    if (code !== exitCode) {
      throw new UnexpectedExit(`millime ${args.join(' ')} ended with ${code}:\n${stderr}${stdout}`);
    }
    return JSON.parse(stdout) as T;
  }

  /** A token for the gateway, made once. */
  async token(): Promise<string> {
    this.#token ??= (await this.json<{ token: string }>(['token', 'mint'])).token;
    return this.#token;
  }

  /** Starts `millime serve`. Without a role it does everything, as by default. */
  async serve(
    options: { role?: 'http'; env?: Readonly<Record<string, string>> } & ProcessLimits = {},
  ): Promise<ServerProcess> {
    const args = options.role === undefined ? [] : ['--role', options.role];
    const server = await ServerProcess.start({ ...this.env, ...options.env }, args, options);
    servers.push(server);
    return server;
  }

  /** Imports agents and one due for each, and gives what each owes. */
  async seedAgents(agentIds: readonly string[], dueMillimes: number): Promise<Map<string, number>> {
    const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
    const agents = agentIds.map((id, index) => `${quoted(id)},Agent ${index + 1},+216200${index}`);
    const dues = agentIds.map((id, index) => `SEED-${index + 1},${quoted(id)},${dueMillimes},2026-01-01,`);
    await this.json(['agents', 'import', this.file('agents.csv', ['agent_id,full_name,phone', ...agents].join('\n'))]);
    const head = 'reference,agent_id,amount_millimes,due_date,memo';
    await this.json(['dues', 'import', this.file('dues.csv', [head, ...dues].join('\n'))]);
    return new Map(agentIds.map((id) => [id, dueMillimes]));
  }

  /** The invariants that do not hold; empty when the books are right. */
  async brokenInvariants(): Promise<unknown[]> {
    const { code, stdout, stderr } = await this.cli('ledger', 'verify', '--json');
    if (code !== 0 && code !== 3) throw new UnexpectedExit(`ledger verify ended with ${code}:\n${stderr}`);
    const { invariants, broken } = JSON.parse(stdout) as { invariants: number; broken: unknown[] };
    if (invariants < 10) throw new UnexpectedExit(`ledger verify looked at ${invariants} invariants only`);
    if ((code === 3) !== broken.length > 0) throw new UnexpectedExit(`ledger verify ended with ${code}:\n${stdout}`);
    return broken;
  }
}

const servers: ServerProcess[] = [];
const folders: string[] = [];

afterEach(async () => {
  const endings = servers.splice(0).map((server): Promise<ExitStatus> => server.stop());
  await Promise.all(endings);
});

afterAll(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});
