import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { accessSync, closeSync, constants, mkdtempSync, openSync, readFileSync, rmSync, statSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createConnection } from 'mysql2/promise';
import { fastFolder } from './fast-folder';
import { freePort } from './free-port';
import { limitFiles } from './limit-files';
import { standsStill } from './stands-still';
import { testRun } from './test-run';

export interface MariaDbOptions {
  /** More flags of mariadbd, at every start. */
  readonly flags?: readonly string[];
  /** Whom the server runs as, if the tests run as root. */
  readonly user?: string;
}

const START_LIMIT_MS = 30_000;
const STOP_LIMIT_MS = 30_000;
const POLL_MS = 10;
const MEMORY_MAX_KIB = 8 * 1024 ** 2;
const LOG_LINES_SHOWN = 40;

/**
 * A MariaDB server that belongs to the tests: own folder, own port, only on 127.0.0.1. Its default character set is
 * latin1 on purpose, so that a table which forgets to state its own fails.
 *
 * A small shell process waits on a pipe from us. When we die, however, the pipe closes and it stops the server and
 * removes the folder: an interrupted run leaves nothing behind.
 */
export class MariaDbServer {
  readonly folder: string;
  readonly port: number;
  readonly #flags: readonly string[];
  readonly #user: string | undefined;
  readonly #guard: ChildProcess;
  #process: ChildProcess | undefined;

  private constructor(folder: string, port: number, { flags = [], user }: MariaDbOptions, guard: ChildProcess) {
    this.folder = folder;
    this.port = port;
    this.#flags = flags;
    this.#user = user;
    this.#guard = guard;
  }

  /** Whether this machine has the server's programs. */
  static isInstalled(): boolean {
    return program('mariadbd') !== undefined && program('mariadb-install-db') !== undefined;
  }

  /** Makes the data folder; `start()` starts the server. More flags of mariadbd may be given. */
  static async create(options: MariaDbOptions = {}): Promise<MariaDbServer> {
    const folder = mkdtempSync(join(fastFolder(), 'millime-mariadb-'));
    const guard = startGuard(folder);
    try {
      const data = join(folder, 'data');
      if (testRun.mariadbData === undefined) await install(folder, data);
      else await cp(testRun.mariadbData, data, { recursive: true });
      if (options.user !== undefined) await promisify(execFile)('chown', ['-R', options.user, folder]);
      return new MariaDbServer(folder, await freePort(), options, guard);
    } catch (error) {
      guard.stdin?.end();
      throw error;
    }
  }

  /** Copies the data folder of a server that was never started: `create()` takes a copy of it instead of a new one. */
  async copyData(to: string): Promise<void> {
    await cp(this.dataFolder, to, { recursive: true });
  }

  /** A DATABASE_URL on this server. Root has no password. */
  url(database: string): string {
    return `mysql://root@127.0.0.1:${this.port}/${database}`;
  }

  /** Starts the server, also again after `kill9()` or `stop()`: same data, same port. `flags` are of this start alone. */
  async start(flags: readonly string[] = []): Promise<void> {
    if (this.isRunning()) return;
    this.#process = this.#spawn(flags);
    this.#process.unref();
    await this.#untilItAnswers();
  }

  /** Runs the server with flags with which it ends by itself. Returns what it logged. */
  async runToEnd(flags: readonly string[]): Promise<string> {
    const before = this.log.length;
    const child = this.#spawn(flags);
    await new Promise((resolve) => child.once('exit', resolve));
    return this.log.slice(before);
  }

  get log(): string {
    return readFileSync(join(this.folder, 'error.log'), 'utf8');
  }

  /** The last lines of its log, without the many about ended clients and members. */
  get endOfLog(): string {
    const lines = this.log.split('\n').filter((line) => !/Aborted connection|Connection refused/.test(line));
    return lines.slice(-LOG_LINES_SHOWN).join('\n');
  }

  get dataFolder(): string {
    return join(this.folder, 'data');
  }

  #spawn(flags: readonly string[]): ChildProcess {
    const log = openSync(join(this.folder, 'error.log'), 'a');
    const child = spawn(
      'sh',
      [
        // Without the trap, a write beyond the size of `limitFiles` would kill the server. Without the limit, a server that
        // allocates without end takes the whole machine with it: one did, while it was told to stop.
        ...['-c', `trap "" XFSZ; ulimit -d ${MEMORY_MAX_KIB}; exec "$@"`, 'sh', required('mariadbd')],
        '--no-defaults', // first, or /etc/mysql is read
        ...(this.#user === undefined ? asRoot() : [`--user=${this.#user}`]),
        `--datadir=${this.dataFolder}`,
        `--tmpdir=${this.folder}`,
        '--socket=s.sock', // relative to the data folder: the path of a socket has a short limit
        `--port=${this.port}`,
        '--bind-address=127.0.0.1',
        `--pid-file=${join(this.folder, 'pid')}`,
        '--skip-name-resolve',
        '--innodb-log-file-size=8M',
        '--innodb-flush-log-at-trx-commit=1', // as operators are told; cheap where the folder is in memory
        '--character-set-server=latin1',
        '--collation-server=latin1_swedish_ci',
        ...this.#flags,
        ...flags,
      ],
      { detached: true, stdio: ['ignore', log, log] },
    );
    closeSync(log);
    return child;
  }

  isRunning(): boolean {
    return this.#process?.exitCode === null && this.#process.signalCode === null;
  }

  async kill9(): Promise<void> {
    await this.#end('SIGKILL');
  }

  /** Makes the server hang: its connections stay open, and from now on nothing answers. */
  async sigstop(): Promise<void> {
    this.#signal('SIGSTOP');
    await this.#until('stand still after SIGSTOP', () => standsStill(this.#process?.pid));
  }

  sigcont(): void {
    this.#signal('SIGCONT');
  }

  /** Lets no file of the server grow beyond that size, as on a full disk; without a size they may grow again. */
  limitFiles(bytesMax?: number): void {
    const pid = this.#process?.pid;
    if (pid !== undefined && this.isRunning()) limitFiles(pid, bytesMax);
  }

  async stop(): Promise<void> {
    await this.#end('SIGTERM');
  }

  /** Ends the server, and removes its folder. */
  async remove(): Promise<void> {
    await this.kill9();
    rmSync(this.folder, { recursive: true, force: true });
    this.#guard.stdin?.end();
  }

  #signal(signal: NodeJS.Signals): void {
    if (this.isRunning()) this.#process?.kill(signal);
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    this.#signal(signal);
    await this.#until(`end after ${signal}`, () => !this.isRunning());
    this.#process = undefined;
  }

  async #until(what: string, isDone: () => boolean): Promise<void> {
    const until = performance.now() + STOP_LIMIT_MS;
    while (!isDone()) {
      if (performance.now() > until) throw new Error(`mariadbd ${this.#process?.pid} does not ${what}`);
      await sleep(POLL_MS);
    }
  }

  async #untilItAnswers(): Promise<void> {
    const until = performance.now() + START_LIMIT_MS;
    for (;;) {
      try {
        const connection = await createConnection({ host: '127.0.0.1', port: this.port, user: 'root' });
        await connection.end();
        return;
      } catch (error) {
        if (!this.isRunning() || performance.now() > until) {
          throw new Error(`mariadbd did not start:\n${this.endOfLog}`, { cause: error });
        }
        await sleep(POLL_MS);
      }
    }
  }
}

async function install(folder: string, data: string): Promise<void> {
  await promisify(execFile)(required('mariadb-install-db'), [
    '--no-defaults',
    `--datadir=${data}`,
    `--tmpdir=${folder}`, // two servers that are made at once clash over their tables in /tmp
    ...asRoot(),
    '--auth-root-authentication-method=normal',
    '--skip-test-db',
    '--skip-name-resolve',
    '--innodb-log-file-size=8M',
  ]);
}

// "$1" is the folder. It waits for the end of its input, then ends every server that runs on that folder, one that is
// just starting included, and nothing else: the data folder in the command line proves whose a process is.
const GUARD = `
cat >/dev/null
ours() {
  for process in /proc/[0-9]*; do
    if tr '\\0' '\\n' 2>/dev/null <"$process/cmdline" | grep -qxF -- "--datadir=$1/data"; then echo "\${process#/proc/}"; fi
  done
}
for second in 1 2 3 4 5 6 7 8 9 10; do
  pids=$(ours "$1" 2>/dev/null)
  [ -z "$pids" ] && break
  kill -CONT $pids 2>/dev/null
  if [ "$second" -lt 8 ]; then kill -TERM $pids; else kill -KILL $pids; fi
  sleep 1
done
rm -rf "$1"
`;

function startGuard(folder: string): ChildProcess {
  // In a session of its own, so that Ctrl-C in the terminal does not reach it.
  const guard = spawn('sh', ['-c', GUARD, 'guard', folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    cwd: '/',
  });
  guard.unref();
  (guard.stdin as unknown as { unref(): void }).unref();
  return guard;
}

function program(name: string): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/bin'];
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function required(name: string): string {
  const path = program(name);
  if (path === undefined) throw new Error(`${name} is not installed`);
  return path;
}

function asRoot(): string[] {
  return process.getuid?.() === 0 ? ['--user=root'] : [];
}
