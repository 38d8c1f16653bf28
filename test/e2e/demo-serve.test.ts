import { type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { ROLES } from '../../src/identity';
import { browser } from '../console/support/visitor';
import { spawnCli } from '../support/server-process';
import { testRun } from '../support/test-run';
import { until } from './support/until';

// Goal: a newcomer sees the console with something to do on each page, by what `millime demo --serve` prints alone.
// Method: the compiled program as a process; a browser without a window signs in as each user that was printed.

/** The demo plays eleven days with a process for each command. */
const LIMIT_MS = 600_000;
const READY = 'press Ctrl-C to end\n';
const ROW = /^ {2}(\w+) +(\w+) +([\w-]{12,})(?: +(\d{6}))?$/gm;
const LANDINGS: Readonly<Record<string, string>> = { field: '/console/agents/search', admin: '/console/operations' };

interface Demo {
  readonly process: ChildProcess;
  readonly exited: Promise<number | null>;
  readonly printed: () => string;
}

let demo: Demo | undefined;

afterEach(async () => {
  demo?.process.kill('SIGTERM');
  await demo?.exited;
});

function startDemo(...args: readonly string[]): Demo {
  const child = spawnCli(['demo', ...args], {});
  let printed = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (printed += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (printed += text));
  const exited = new Promise<number | null>((resolve) => child.on('exit', resolve));
  return { process: child, exited, printed: () => printed };
}

function childrenOf({ pid }: ChildProcess): readonly string[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
}

const folder = (): string => join(mkdtempSync(join(testRun.folder, 'demo-')), 'demo');

describe('the demo with --serve', () => {
  test(
    'prints an address and users who sign in, and leaves nothing when it is stopped',
    async () => {
      const path = folder();
      const started = (demo = startDemo('--serve', '--discard', '--folder', path));
      const ended = started.exited.then(() => 'ended');
      const ready = until('the address', () => started.printed().includes(READY), LIMIT_MS);
      expect(await Promise.race([ready, ended])).not.toBe('ended');
      const printed = started.printed();
      const port = Number(/the console: http:\/\/127\.0\.0\.1:(\d+)\/console\n/.exec(printed)?.[1]);
      const rows = [...printed.matchAll(ROW)].map(([, role = '', name = '', password = '', code]) => ({
        ...{ role, name, password, code },
      }));
      expect(rows.map(({ role }) => role)).toEqual(ROLES);
      for (const { role, name, password, code } of rows) {
        const landing = await browser({ port }).signIn(name, password, code);
        expect([role, landing.status, landing.path]).toEqual([role, 200, LANDINGS[role] ?? '/console']);
      }

      started.process.stdin?.write('\n');
      await until('a new code', () => /^ {2}omar {2}\d{6}$/m.test(started.printed()));
      const { name = '', password = '' } = rows.find(({ role }) => role === 'finance') ?? {};
      const finance = browser({ port });
      await finance.signIn(name, password);
      const contents = async (page: string) => (await finance.get(`/console/${page}?lang=en`)).source;
      expect(await contents('breaks')).toMatch(/href="\/console\/breaks\/[0-9A-Z]{26}"/);
      expect(await contents('credits')).toMatch(/href="\/console\/credits\/[0-9A-Z]{26}/);
      expect(await contents('proposals')).toMatch(/href="\/console\/proposals\/[0-9A-Z]{26}"/);

      const children = childrenOf(started.process);
      expect(children).toHaveLength(1);
      started.process.kill('SIGTERM');
      expect(await started.exited).toBe(0);
      expect(children.filter(isRunning)).toEqual([]);
      expect(existsSync(path)).toBe(false);
    },
    LIMIT_MS,
  );

  test(
    'leaves no process either when it is stopped while it plays',
    async () => {
      const started = (demo = startDemo('--folder', folder()));
      const children = await childrenWhilePlaying(started);
      started.process.kill('SIGTERM');
      expect(await started.exited).toBe(1);
      expect(started.printed()).toContain('the demo was interrupted');
      expect(children.filter(isRunning)).toEqual([]);
    },
    LIMIT_MS,
  );

  test(
    'leaves no service when it is killed',
    async () => {
      const started = (demo = startDemo('--folder', folder()));
      const children = await childrenWhilePlaying(started);
      started.process.kill('SIGKILL');
      await started.exited;
      await until('the end of its processes', () => !children.some(isRunning));
    },
    LIMIT_MS,
  );
});

async function childrenWhilePlaying(started: Demo): Promise<readonly string[]> {
  await until('the service', () => started.printed().includes('[2]'));
  const children = childrenOf(started.process);
  expect(children.length).toBeGreaterThan(0);
  return children;
}

/** A process that ended and waits for its starter has no program. */
const isRunning = (pid: string): boolean => existsSync(`/proc/${pid}/exe`);
