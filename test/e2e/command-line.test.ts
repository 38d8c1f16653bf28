import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import { describeOnOneDatabase, freshDatabase } from '../support/db';
import { runCli, spawnedCli } from '../support/server-process';
import { bankStatement } from './support/bank-statement';
import { call, checkPath } from './support/call';
import { Installation } from './support/installation';
import { changeRows, contentsOf, countRows } from './support/tables';

// Goal: scripts can rely on the command line: its exit codes, its JSON, and that an invalid file changes nothing.
// Method: the compiled program, its output, and every table before and after.

const LIMIT_MS = 60_000;
const AGENTS_HEAD = 'agent_id,full_name,phone';
const DUES_HEAD = 'reference,agent_id,amount_millimes,due_date,memo';
const AGENTS_FILE = [AGENTS_HEAD, '004711,Hédi Zouari,+21620000001', '4711,خالد الهمامي,+21620000002'].join('\n');

describeOnOneDatabase('the command line', (harness) => {
  let millime: Installation;

  beforeEach(async () => {
    millime = new Installation(harness.url);
    await millime.json(['agents', 'import', millime.file('agents.csv', AGENTS_FILE)]);
  });

  const duesFile = (...rows: string[]): string => millime.file('dues.csv', [DUES_HEAD, ...rows].join('\n'));

  test(
    'a dues file with bad rows imports nothing, names each line, and exits with 2',
    async () => {
      const file = duesFile(
        'D-1,004711,5000,2026-03-01,good',
        'D-2,004711,12.5,2026-03-01,a fraction',
        'D-3,004711,5000,2026-03-01,good',
        'D-4,004711,5000,2026-02-30,no such day',
        '"D-5",004711,5000,2026-03-01,"two',
        'lines"',
        'D-1,004711,5000,2026-03-01,again',
        'D-6,004711,5000,2026-03-01',
      );
      const before = await contentsOf(millime.url);
      const { code, stdout, stderr } = await millime.cli('dues', 'import', file);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      const lines = stderr.split('\n').flatMap((line) => /^ {2}line (\d+): /.exec(line)?.[1] ?? []);
      expect([...new Set(lines)].sort()).toEqual(['3', '5', '8', '9']);
      expect(await contentsOf(millime.url)).toEqual(before);
    },
    LIMIT_MS,
  );

  test(
    'a due of an unknown agent is a bad line, and nothing of the file is imported',
    async () => {
      const file = duesFile(
        'D-1,004711,5000,2026-03-01,',
        'D-2,04711,5000,2026-03-01,',
        'D-3,unknown,5000,2026-03-01,',
      );
      const before = await contentsOf(millime.url);
      const { code, stderr } = await millime.cli('dues', 'import', file, '--json');
      expect(code).toBe(2);
      expect(stderr).toMatch(/ {2}line 3: agent_id: [^\n]*\n {2}line 4: agent_id: [^\n]*\n$/);
      expect(await contentsOf(millime.url)).toEqual(before);
    },
    LIMIT_MS,
  );

  test(
    'an agents file with one bad row imports nothing and names the line',
    async () => {
      const rows = ['A-1,Good,+216', ',No id,+216', `${'x'.repeat(256)},Long,+216`, 'A-1,Twice,+216'];
      const before = await contentsOf(millime.url);
      const { code, stderr } = await millime.cli(
        'agents',
        'import',
        millime.file('bad.csv', [AGENTS_HEAD, ...rows].join('\r\n')),
      );
      expect(code).toBe(2);
      expect([...stderr.matchAll(/^ {2}line (\d+)/gm)].map((match) => match[1])).toEqual(['3', '4', '5']);
      expect(await contentsOf(millime.url)).toEqual(before);
    },
    LIMIT_MS,
  );

  test(
    'a byte order mark, CRLF and a second import change nothing, and ids keep leading zeros',
    async () => {
      const rows = ['D-1,004711,5000,2026-03-01,Café', 'D-2,4711,7000,2026-03-01,'];
      const file = millime.file('dues.csv', `\uFEFF${[DUES_HEAD, ...rows].join('\r\n')}\r\n`);
      const wanted = { added: 2, unchanged: 0, addedMillimes: 12_000 };

      const before = await contentsOf(millime.url);
      expect(await millime.json(['dues', 'import', file, '--dry-run'])).toEqual({ ...wanted, dryRun: true });
      expect(await contentsOf(millime.url)).toEqual(before);

      expect(await millime.json(['dues', 'import', file])).toEqual({ ...wanted, dryRun: false });
      const after = await contentsOf(millime.url);
      expect(await millime.json(['dues', 'import', file])).toEqual({
        added: 0,
        unchanged: 2,
        addedMillimes: 0,
        dryRun: false,
      });
      expect(await millime.json(['agents', 'import', millime.file('agents.csv', `\uFEFF${AGENTS_FILE}`)])).toEqual({
        added: 0,
        updated: 0,
        unchanged: 2,
        dryRun: false,
      });
      expect(await contentsOf(millime.url)).toEqual(after);
      expect(await millime.json(['agents', 'due', '004711'])).toEqual({
        agentId: '004711',
        fullName: 'Hédi Zouari',
        dueMillimes: 5_000,
        creditMillimes: 0,
      });
      expect(await millime.json(['agents', 'due', '4711'])).toEqual({
        agentId: '4711',
        fullName: 'خالد الهمامي',
        dueMillimes: 7_000,
        creditMillimes: 0,
      });
    },
    LIMIT_MS,
  );

  test(
    'a known due with different content is refused and stays unchanged',
    async () => {
      await millime.json(['dues', 'import', duesFile('D-1,004711,5000,2026-03-01,')]);
      const before = await contentsOf(millime.url);
      const { code, stderr } = await millime.cli('dues', 'import', duesFile('D-1,004711,5001,2026-03-01,'));
      expect({ code, line: / {2}line 2: reference/.test(stderr) }).toEqual({ code: 2, line: true });
      expect(await contentsOf(millime.url)).toEqual(before);
    },
    LIMIT_MS,
  );

  test(
    'commands that read refuse a missing database file, and commands that set up create it',
    async () => {
      const folder = join(millime.folder, 'not-there');
      const file = join(folder, 'typo.sqlite3');
      const cli = (...args: string[]) => runCli(args, { ...millime.env, DATABASE_URL: `sqlite:${file}` });
      const refusal = `DATABASE_URL: file not found: ${file}; check the path, or run "millime migrate" to create it`;
      for (const args of [
        ['ledger', 'verify'],
        ['breaks', 'list'],
        ['report', 'daily'],
        ['reconcile'],
        ['reconcile', 'runs'],
        ['close-day', '2026-03-01'],
        ['statements', 'list'],
        ['webhooks', 'list'],
        ['payments', 'list'],
        ['agents', 'show', '004711'],
        ['audit', 'list'],
        ['migrate', '--dry-run'],
      ]) {
        const { code, stdout, stderr } = await cli(...args);
        expect({ args, code, stdout, stderr }).toEqual({ args, code: 1, stdout: '', stderr: `millime: ${refusal}\n` });
      }
      const doctor = await cli('doctor', '--json');
      expect(doctor.code).toBe(1);
      expect(JSON.parse(doctor.stdout)).toMatchObject({
        problems: expect.arrayContaining([refusal]),
        pendingMigrations: null,
      });
      expect(existsSync(file)).toBe(false);

      expect((await cli('agents', 'add', '--id', 'A-1', '--name', 'One')).code).toBe(0);
      expect((await cli('ledger', 'verify')).code).toBe(0);
    },
    LIMIT_MS,
  );

  test(
    'a dry run of every writing command stores nothing',
    async () => {
      await millime.json(['dues', 'import', duesFile('D-1,004711,5000,2026-03-01,')]);
      const { jti } = await millime.json<{ jti: string }>(['token', 'mint']);
      const statement = millime.file('statement.csv', bankStatement(3));
      const agents = millime.file('more.csv', `${AGENTS_HEAD}\nNEW,New,+216\n4711,Other name,+216`);
      const before = await contentsOf(millime.url);
      for (const args of [
        ['agents', 'import', agents],
        ['agents', 'add', '--id', 'ONE', '--name', 'One'],
        ['agents', 'close', '004711'],
        ['dues', 'import', duesFile('D-2,004711,5000,2026-03-01,')],
        ['dues', 'cancel', 'D-1', '--reason', 'a test'],
        ['token', 'mint'],
        ['token', 'revoke', jti],
        ['statements', 'import', statement],
      ]) {
        await millime.json([...args, '--dry-run']);
        expect({ args, contents: await contentsOf(millime.url) }).toEqual({ args, contents: before });
      }
      const { code } = await millime.cli('reconcile', '--dry-run', '--json');
      expect(code).toBe(3); // without any statement nothing was compared
      expect(await contentsOf(millime.url)).toEqual(before);
    },
    LIMIT_MS,
  );

  test(
    'a minted token has the documented form and is accepted by the endpoints',
    async () => {
      const minted = await millime.json(['token', 'mint', '--subject', 'gateway', '--ttl', '2d']);
      expect(minted).toEqual({
        token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
        jti: expect.stringMatching(/^.{8,}$/),
        kid: expect.stringMatching(/^.+$/),
        expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      });
      const daysLeft = (Date.parse(String(minted['expiresAt'])) - Date.now()) / 86_400_000;
      expect(Math.round(daysLeft)).toBe(2);
      const service = await millime.serve({ role: 'http' });
      const check = (token?: string) =>
        call(service.baseUrl, { method: 'GET', path: checkPath('4711'), ...(token === undefined ? {} : { token }) });
      expect((await check(String(minted['token']))).body).toEqual({ code: '0', desc: 'خالد الهمامي', amount: '0' });
      expect((await check()).status).toBe(403);
    },
    LIMIT_MS,
  );

  test(
    'a running server sees imported agents and dues at once',
    async () => {
      const token = await millime.token();
      const service = await millime.serve({ role: 'http' });
      const check = async (): Promise<unknown> =>
        (await call(service.baseUrl, { method: 'GET', path: checkPath('A/1 é'), token })).body;
      expect(await check()).toEqual({ code: '1', desc: '', amount: '0' });
      await millime.json(['agents', 'add', '--id', 'A/1 é', '--name', 'Zohra Laâbidi']);
      await millime.json(['dues', 'import', duesFile('D-1,A/1 é,5000,2026-03-01,')]);
      expect(await check()).toEqual({ code: '0', desc: 'Zohra Laâbidi', amount: '5000' });
      await millime.json(['agents', 'close', 'A/1 é']);
      expect(await check()).toEqual({ code: '1', desc: '', amount: '0' });
    },
    LIMIT_MS,
  );

  test(
    'ledger verify exits with 3 and names the invariant after a balance was changed by SQL',
    async () => {
      await millime.json(['dues', 'import', duesFile('D-1,004711,5000,2026-03-01,')]);
      expect(await millime.brokenInvariants()).toEqual([]);
      await changeRows(millime.url, 'update ledger_balances set balance_millimes = 5001 where balance_millimes = 5000');
      expect(await millime.brokenInvariants()).toEqual(
        expect.arrayContaining([expect.objectContaining({ name: "an agent's balance is the sum of its postings" })]),
      );
      expect((await millime.cli('ledger', 'verify')).code).toBe(3);
    },
    LIMIT_MS,
  );
});

test(
  'a command gives the same output and exit code alone and after others in one process',
  async () => {
    const millime = new Installation((await freshDatabase('sqlite')).url);
    await millime.json(['agents', 'import', millime.file('agents.csv', AGENTS_FILE)]);
    const commands: [number, ...string[]][] = [
      [0, 'agents', 'due', '4711', '--json'],
      [1, 'ledger', 'verify', '--json'],
      [2, 'agents', 'due', 'unknown'],
      [2, 'agents', 'due', '4711', '--no-such-option'],
      [3, 'reconcile', '--through', '2026-03-31', '--dry-run', '--json'],
    ];
    for (const [code, ...args] of commands) {
      const env = code === 1 ? { ...millime.env, DATABASE_URL: 'mysql://user@127.0.0.1:1/none' } : millime.env;
      const alone = await spawnedCli(args, env);
      expect({ args, ...alone }).toMatchObject({ args, code });
      expect(await runCli(args, env)).toEqual(alone);
    }
  },
  LIMIT_MS,
);

test(
  'exit codes: 0 done, 2 bad input, 3 finding, 1 internal error',
  async () => {
    const millime = new Installation((await freshDatabase('sqlite')).url);
    await millime.json(['agents', 'import', millime.file('agents.csv', AGENTS_FILE)]);
    const statement = millime.file('statement.csv', bankStatement(3));
    const broken = millime.file('broken.csv', bankStatement(3).toString('latin1').replace(';1,000;', ';1,0x0;'));
    const codes: [number, ...string[]][] = [
      [0, '--help'],
      [0, 'ledger', 'verify'],
      [0, 'breaks', 'list'],
      [0, 'token', 'list'],
      [0, 'agents', 'due', '4711'],
      [2, 'no-such-command'],
      [2, 'agents', 'due', '4711', '--no-such-option'],
      [2, 'agents', 'due', 'unknown'],
      [2, 'agents', 'import', `${millime.folder}/no-such-file.csv`],
      [2, 'dues', 'import', millime.file('empty.csv', '')],
      [2, 'dues', 'cancel', 'no-such-due', '--reason', 'a test'],
      [2, 'breaks', 'list', '--class', 'no-such-class'],
      [2, 'token', 'mint', '--ttl', '401d'],
      [2, 'statements', 'import', millime.file('empty.txt', '')],
      [2, 'statements', 'import', broken],
      [2, 'reconcile', '--through', '2026-02-30'],
      [2, 'report', 'daily', '--format', 'smoke'],
      [3, 'reconcile', '--through', '2026-03-31'],
      [0, 'statements', 'import', statement],
      [0, 'statements', 'import', statement],
      [0, 'reconcile', '--through', '2026-03-01'],
    ];
    const got: [number | null, ...string[]][] = [];
    for (const [, ...args] of codes) got.push([(await millime.cli(...args)).code, ...args]);
    expect(got).toEqual(codes);
    expect(await countRows(millime.url, 'bank_statements')).toBe(1);

    const noDatabase = { ...millime.env, DATABASE_URL: 'mysql://user@127.0.0.1:1/none' };
    const { code, stdout, stderr } = await runCli(['ledger', 'verify', '--json'], noDatabase);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('DATABASE_URL');
  },
  LIMIT_MS,
);
