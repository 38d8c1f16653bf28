// Goal: an accountant without an installation gets a result from files, whole or not at all, and an exit code.
// Method: the compiled program as a process in a folder without a database; its output, files and exit code.
import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import { type CliResult, runCli, spawnCli } from '../support/server-process';
import { testRun } from '../support/test-run';

const LIMIT_MS = 300_000;
const ITEMS_HEAD = 'item_id,channel,amount_millimes,succeeded_at,refund_of';
const OBSERVATIONS_HEAD = 'item_id,observed_at,status,settlement_status';
const STATEMENT_HEAD = 'line_id,booking_date,value_date,amount_millimes,counterparty,remittance';
const ITEMS = [
  ITEMS_HEAD,
  'P-1,agent,5000,2026-03-02T08:00:00Z,',
  'P-2,wallet,7100,2026-03-02T09:00:00Z,',
  'وكيل-3,qr,900,2026-03-05T09:00:00Z,',
];
const OBSERVATIONS = [OBSERVATIONS_HEAD, 'P-2,2026-03-02T09:01:00Z,SUCCESS,AVAILABLE'];
const STATEMENT = [STATEMENT_HEAD, 'L-1,2026-03-03,2026-03-03,12100,"GATEWAY, SA",PAYOUT'];

interface Result {
  readonly model: string | null;
  readonly credits: readonly { readonly line_id: string; readonly outcome: string }[];
  readonly items: readonly { readonly item_id: string; readonly state: string }[];
  readonly breaks: readonly unknown[];
}

let folder: string;
let given: string[];

function file(name: string, lines: readonly string[]): string {
  const path = join(folder, name);
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

beforeEach(() => {
  folder = mkdtempSync(join(testRun.folder, 'match-'));
  given = ['--items', file('items.csv', ITEMS), '--statement', file('statement.csv', STATEMENT)];
});

/** Nothing may be where a database would be. */
async function match(...args: readonly string[]): Promise<CliResult> {
  const database = join(folder, 'millime.sqlite3');
  const result = await runCli(['match', ...args], { DATABASE_URL: `sqlite:${database}` });
  expect(existsSync(database)).toBe(false);
  return result;
}

const parsed = (text: string): Result => JSON.parse(text) as Result;

test(
  'writes the same result to a private file as to standard output, and exits with 3 if there are breaks',
  async () => {
    const path = join(folder, 'result.json');
    const looks = ['--observations', file('observations.csv', OBSERVATIONS)];
    const written = await match(...given, ...looks, '--out', path);
    const text = readFileSync(path, 'utf8');
    const result = parsed(text);
    expect(Object.keys(result)).toEqual(['model', 'fees', 'credits', 'items', 'breaks']);
    expect(result.credits.map(({ line_id }) => line_id)).toEqual(['L-1']);
    expect(result.items.map(({ item_id }) => item_id)).toEqual(['P-1', 'P-2', 'وكيل-3']);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).sort()).toEqual(['items.csv', 'observations.csv', 'result.json', 'statement.csv']);
    expect({ code: written.code, stderr: written.stderr }).toEqual({
      code: result.breaks.length > 0 ? 3 : 0,
      stderr: '',
    });
    for (const way of [['--out', '-'], ['--json']]) {
      expect((await match(...given, ...looks, ...way)).stdout).toBe(text);
    }
  },
  LIMIT_MS,
);

test(
  'without a file prints the model, the fees and the counts',
  async () => {
    const { stdout, stderr } = await match(...given);
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^payout model {2,}\S/);
    expect(stdout).toMatch(/^fees/m);
    expect(stdout).toMatch(/^credits {2,}1\n {2}\w+ +1, 12,100 DT$/m);
    expect(stdout).toMatch(/^items {2,}3$/m);
    expect(stdout).toMatch(/^breaks {2,}\d+$/m);
  },
  LIMIT_MS,
);

test(
  'reports an unexplained credit as a break when it is old enough by the bank file',
  async () => {
    const late = file('late.csv', [...STATEMENT, 'L-2,2026-03-31,2026-03-31,-100,SOMEBODY,FEES']);
    const items = file('none.csv', [ITEMS_HEAD]);
    const broken = await match('--items', items, '--statement', late, '--json');
    expect({ code: broken.code, stderr: broken.stderr }).toEqual({ code: 3, stderr: '' });
    expect(parsed(broken.stdout).breaks).toEqual([
      { class: 'missing_in_book', amount_millimes: 12_100, item_ids: [], line_ids: ['L-1'], since: expect.any(String) },
    ]);
    const early = await match('--items', items, '--statement', late, '--json', '--through', '2026-03-03');
    expect({ code: early.code, breaks: parsed(early.stdout).breaks }).toEqual({ code: 0, breaks: [] });
  },
  LIMIT_MS,
);

test(
  'exits with 2 for bad files, names line and column, and keeps an older result',
  async () => {
    const path = file('result.json', ['older']);
    const items = file('bad.csv', [...ITEMS, 'P-1,agent,5000,2026-03-02T08:00:00Z,', 'P-4,agent,5.5,2026-03-02,']);
    const { code, stdout, stderr } = await match('--items', items, '--statement', given[3] ?? '', '--out', path);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr.split('\n').map((line) => line.replace(folder, '').split(':')[0])).toEqual([
      'millime',
      '  /bad.csv, line 5, item_id',
      '  /bad.csv, line 6, amount_millimes',
      '  /bad.csv, line 6, succeeded_at',
      '',
    ]);
    expect(readFileSync(path, 'utf8')).toBe('older\n');
    expect(readdirSync(folder).sort()).toEqual(['bad.csv', 'items.csv', 'result.json', 'statement.csv']);
  },
  LIMIT_MS,
);

test(
  'warns of doubtful input on standard error, once per kind, without a change of result or exit code',
  async () => {
    const looks = [...OBSERVATIONS, 'P-0,2026-03-02T09:01:00Z,SUCCESS,PAID', 'P-9,2026-03-02T09:01:00Z,SUCCESS,PAID'];
    const path = file('looks.csv', looks);
    const good = await match(...given, '--observations', file('observations.csv', OBSERVATIONS), '--json');
    const warned = await match(...given, '--observations', path, '--json');
    expect({ code: warned.code, stdout: warned.stdout }).toEqual({ code: good.code, stdout: good.stdout });
    expect(warned.stderr).toBe(
      `warning: ${path}, line 3, item_id: is not the id of an item; the observation is ignored (and 1 more)\n`,
    );
  },
  LIMIT_MS,
);

test(
  'gives the result even if standard error is closed',
  async () => {
    const path = join(folder, 'result.json');
    const looks = file('looks.csv', [OBSERVATIONS_HEAD, 'P-0,2026-03-02T09:01:00Z,SUCCESS,PAID']);
    const child = spawnCli(['match', ...given, '--observations', looks, '--out', path], {});
    child.stdout?.resume();
    child.stderr?.destroy();
    expect(await new Promise((resolve) => child.on('exit', resolve))).toBe(0);
    expect(parsed(readFileSync(path, 'utf8')).items).toHaveLength(3);
  },
  LIMIT_MS,
);

test(
  'refuses an unwritable result file before it reads the input',
  async () => {
    const path = join(folder, 'no', 'result.json');
    const { code, stdout, stderr } = await match('--items', folder, '--statement', folder, '--out', path);
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: '',
      stderr: `millime: ${path}: cannot be written (ENOENT)\n`,
    });
  },
  LIMIT_MS,
);

test(
  'exits with 2 for wrong options and explains them',
  async () => {
    const items = given[1] ?? '';
    const cases: readonly (readonly [readonly string[], RegExp])[] = [
      [given.slice(0, 2), /--statement/],
      [['--items', join(folder, 'missing.csv'), ...given.slice(2)], /missing\.csv: cannot be read \(ENOENT\)/],
      [['--items', folder, ...given.slice(2)], /cannot be read \(EISDIR\)/],
      [[...given, '--max-error', '-1'], /--max-error: expected a probability .*, got "-1"/],
      [[...given, '--max-error', '0.5'], /--max-error: expected a probability .*, got "0.5"/],
      [
        [...given, '--through', '2026-02-30'],
        /--through: expected an existing date from 1970-01-01 to 2199-12-31, got "2026-02-30"/,
      ],
      [[...given, '--out', items], /--out: expected another file than the input files, got /],
      [[...given, '--out', join(folder, 'no', 'result.json')], /cannot be written \(ENOENT\)/],
      [[...given, '--fees', file('fees.json', ['{}'])], /fees\.json: must be a list/],
      [[...given, '--calendar', file('holidays.csv', ['date'])], /holidays\.csv, line 1: the header must be date,name/],
    ];
    for (const [args, problem] of cases) {
      const { code, stdout, stderr } = await match(...args);
      expect([args, code, stdout]).toEqual([args, 2, '']);
      expect(stderr).toMatch(problem);
    }
    expect(readFileSync(items, 'utf8')).toBe(`${ITEMS.join('\n')}\n`);
  },
  LIMIT_MS,
);
