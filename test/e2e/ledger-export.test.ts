// Goal: an accountant exports the books of an installation, whole or not at all, and other programs read them.
// Method: the compiled program as a process; its output goes to hledger, to a file, to a reader that closes early, and
// to a full disk.
import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import { describeWithHledger, hledger, hledgerBalances } from '../integration/reporting/hledger';
import { describeOnOneDatabase, freshDatabase } from '../support/db';
import { Installation } from './support/installation';

const LIMIT_MS = 60_000;
const MAIN = join(__dirname, '..', '..', 'dist', 'src', 'cli', 'main.js');
const AGENT_IDS = ['a:b', 'a;b', 'a  b', 'وكيل ١', 'x"y'];
/** More than a pipe holds, so that a reader who leaves leaves something unread. */
const DUES = 1_500;

describeOnOneDatabase('ledger export', (harness) => {
  let millime: Installation;

  beforeEach(async () => {
    millime = new Installation(harness.url);
    await millime.seedAgents(AGENT_IDS, 150_001);
  });

  describeWithHledger('to hledger', () => {
    test(
      'passes hledger’s checks and gives the same balances for each agent',
      async () => {
        const { code, stdout, stderr } = await millime.cli('ledger', 'export', '--format', 'hledger');
        expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
        expect(hledger(stdout, 'check', '--strict')).toEqual({ code: 0, stdout: '', stderr: '' });
        const balances = hledgerBalances(stdout);
        for (const id of AGENT_IDS.slice(0, 2)) {
          const { dueMillimes } = await millime.json<{ dueMillimes: number }>(['agents', 'due', id]);
          expect([id, balances.get(`agent_receivable:${id}`)]).toEqual([id, BigInt(dueMillimes)]);
        }
      },
      LIMIT_MS,
    );
  });

  test(
    'writes the same to a file as to standard output, readable by its owner only',
    async () => {
      const path = join(millime.folder, 'books');
      const printed = await millime.cli('ledger', 'export', '--format', 'csv');
      const { code, stdout } = await millime.cli('ledger', 'export', '--format', 'csv', '--output', path);
      expect({ code, stdout }).toEqual({ code: 0, stdout: `written: ${path}\n` });
      expect(readFileSync(path, 'utf8')).toBe(printed.stdout);
      expect(printed.stdout).toContain('"agent_receivable:a;b"');
      expect(printed.stdout).toContain('agent_receivable:وكيل ١');
      expect(statSync(path).mode & 0o777).toBe(0o600);
      expect(readdirSync(millime.folder).filter((name) => name.includes('part'))).toEqual([]);
    },
    LIMIT_MS,
  );

  test(
    'ends quietly if its reader closes the pipe, and reports a failed write',
    async () => {
      const rows = Array.from({ length: DUES }, (_, index) => `MORE-${index},a:b,1,2026-01-01,`);
      const head = 'reference,agent_id,amount_millimes,due_date,memo';
      await millime.json(['dues', 'import', millime.file('more.csv', [head, ...rows].join('\n'))]);
      expect(await exportAndLeave(millime)).toEqual({ code: 0, stderr: '' });
      if (!existsSync('/dev/full')) return;
      for (const args of [EXPORT, ['report', 'all']]) {
        const { code, stderr } = await exportTo(millime, '/dev/full', args);
        expect({ code, stderr }).toEqual({ code: 1, stderr: 'millime: output: cannot be written (ENOSPC)\n' });
      }
    },
    LIMIT_MS,
  );
});

test(
  'refuses an unknown format with 2 and names the known ones',
  async () => {
    const millime = new Installation((await freshDatabase('sqlite')).url);
    for (const args of [['--format', 'beancount'], []]) {
      const { code, stdout, stderr } = await millime.cli('ledger', 'export', ...args);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(/hledger.*csv/);
    }
  },
  LIMIT_MS,
);

test(
  'report daily prints text, JSON, CSV or HTML',
  async () => {
    const millime = new Installation((await freshDatabase('sqlite')).url);
    const daily = async (...args: string[]): Promise<string> => {
      const { code, stdout } = await millime.cli('report', 'daily', '--through', '2026-03-01', ...args);
      expect({ args, code }).toEqual({ args, code: 0 });
      return stdout;
    };
    expect(await daily()).toMatch(/^Daily report through 2026-03-01\n/);
    const json = JSON.parse(await daily('--format', 'json')) as object;
    // The two reports are read one after the other.
    expect(json).toEqual({ ...(JSON.parse(await daily('--json')) as object), knownAt: expect.any(String) });
    expect(await daily('--format', 'csv')).toMatch(/^section,item,[\w,]+\r\nreport,through,2026-03-01,/);
    expect(await daily('--format', 'html')).toMatch(/^<!doctype html>\n[^]*<\/html>\n$/);
  },
  LIMIT_MS,
);

interface Ending {
  readonly code: number | null;
  readonly stderr: string;
}

/** Reads the first bytes and closes the pipe, as `head` does. */
function exportAndLeave(millime: Installation): Promise<Ending> {
  const child = spawn(process.execPath, [MAIN, 'ledger', 'export', '--format', 'hledger'], {
    env: { PATH: process.env['PATH'], ...millime.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.once('data', () => child.stdout.destroy());
  return ended(child);
}

const EXPORT = ['ledger', 'export', '--format', 'csv'];

async function exportTo(millime: Installation, path: string, args: readonly string[] = EXPORT): Promise<Ending> {
  const descriptor = openSync(path, 'w');
  try {
    const child = spawn(process.execPath, [MAIN, ...args], {
      env: { PATH: process.env['PATH'], ...millime.env },
      stdio: ['ignore', descriptor, 'pipe'],
    });
    return await ended(child);
  } finally {
    closeSync(descriptor);
  }
}

function ended(child: ReturnType<typeof spawn>): Promise<Ending> {
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString('utf8')));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, stderr })));
}
