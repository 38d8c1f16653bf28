// Goal: a command loads only what it needs. Scripts call the program thousands of times, and loading all of it takes
// most of a second.
// Method: the compiled program as a process; the packages and rooms loaded at its end, without a clock.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { runCli, spawnedCli } from '../support/server-process';
import { testRun } from '../support/test-run';

const HOOK = join(__dirname, 'support', 'loaded-modules.cjs');
const LIMIT_MS = 120_000;

interface Loaded {
  readonly code: number | null;
  readonly packages: readonly string[];
  readonly rooms: readonly string[];
}

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(testRun.folder, 'start-up-'));
});

async function loadedBy(...args: readonly string[]): Promise<Loaded> {
  const list = join(folder, 'loaded');
  const { code } = await spawnedCli(args, {
    NODE_OPTIONS: `--require ${HOOK}`,
    LOADED_FILE: list,
    DATABASE_URL: `sqlite:${join(folder, 'millime.sqlite3')}`,
  });
  const files = readFileSync(list, 'utf8').split('\n');
  const named = (pattern: RegExp): string[] => [...new Set(files.flatMap((file) => pattern.exec(file)?.[1] ?? []))];
  return {
    code,
    packages: named(/\/node_modules\/((?:@[^/]+\/)?[^/]+)\//).sort(),
    rooms: named(/\/dist\/src\/([^/]+)\//).sort(),
  };
}

function file(name: string, ...lines: readonly string[]): string {
  const path = join(folder, name);
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

test.each([
  ['help', ['--help'], 0],
  ['the version', ['--version'], 0],
  ['a command that is not there', ['nonsense'], 2],
])(
  '%s loads only the list of commands',
  async (_, args, code) => {
    expect(await loadedBy(...args)).toEqual({
      code,
      packages: ['commander', 'csv-parse', 'ulid'],
      rooms: ['cli', 'kernel', 'texts'],
    });
  },
  LIMIT_MS,
);

test(
  'match loads the inference and no database, server or gateway code',
  async () => {
    const items = file('items.csv', 'item_id,channel,amount_millimes,succeeded_at,refund_of');
    const head = 'line_id,booking_date,value_date,amount_millimes,counterparty,remittance';
    const statement = file('statement.csv', head);
    const out = join(folder, 'result.json');
    expect(await loadedBy('match', '--items', items, '--statement', statement, '--out', out)).toEqual({
      code: 0,
      packages: ['commander', 'csv-parse', 'ulid', 'zod'],
      rooms: ['cli', 'config', 'kernel', 'payout-inference', 'texts'],
    });
  },
  LIMIT_MS,
);

test(
  'a database command loads the modules it needs and no server, client or token code',
  async () => {
    const { code, packages, rooms } = await loadedBy('agents', 'add', '--id', 'A-1', '--name', 'One');
    expect(code).toBe(0);
    expect(rooms).toEqual(['agents', 'cli', 'config', 'db', 'identity', 'kernel', 'logging', 'shapes', 'texts']);
    expect(packages).toEqual(expect.arrayContaining(['knex', expect.stringMatching(/^better-sqlite3/)]));
    for (const absent of ['express', 'axios', 'jose', 'node-cron', 'saxes']) expect(packages).not.toContain(absent);
  },
  LIMIT_MS,
);

test(
  'a command that reads a bank file loads the libraries of spreadsheets for a spreadsheet alone',
  async () => {
    const libraries = async (name: string, content: string): Promise<readonly string[]> => {
      const { packages } = await loadedBy('statements', 'import', file(name, content), '--dry-run');
      return packages.filter((each) => ['numfmt', 'htmlparser2'].includes(each));
    };
    expect(await libraries('a.csv', 'Date;Libellé;Montant')).toEqual([]);
    expect(await libraries('a.xls', '<html><table><tr><td>1</table>')).toEqual(['htmlparser2', 'numfmt']);
  },
  LIMIT_MS,
);

describe('every command of the help', () => {
  test(
    'is listed with its purpose',
    async () => {
      const help = (await runCli(['--help'])).stdout;
      const listed = [...help.slice(help.indexOf('Commands:')).matchAll(/^ {2}([a-z-]+) {2,}(.+)$/gm)];
      const names = listed.map(([, name = '']) => name);
      expect(names).toEqual(expect.arrayContaining(['serve', 'migrate', 'doctor', 'close-day', 'match', 'audit']));
      for (const [, name = '', description = ''] of listed) {
        for (const args of [
          [name, '--help'],
          ['help', name],
        ]) {
          const { code, stdout } = await runCli(args);
          expect({ args, code, usage: stdout.split('\n')[0] }).toEqual({
            args,
            code: 0,
            usage: expect.stringMatching(`^Usage: millime ${name} \\[options\\]`),
          });
          expect(stdout.replaceAll('\n', ' ')).toContain(description);
        }
      }
    },
    LIMIT_MS,
  );
});
