import { beforeEach, expect, test } from '@jest/globals';
import { describeOnOneDatabase } from '../support/db';
import { type CliResult, runCli } from '../support/server-process';
import { Installation } from './support/installation';
import { contentsOf, selectRows } from './support/tables';

// Goal: MILLIME_API_KEY identifies the actor, a decision needs it once a key exists, and no key is ever printed again.
// Method: the compiled program as a process, its rows, and its most verbose output.

const LIMIT_MS = 60_000;
const KEY = /^mlm_[0-9A-Z]{26}_[\w-]{43}$/;
const NOT_GOOD = 'millime: MILLIME_API_KEY: expected an active API key; create one with "millime keys create"\n';
const DECIDES_WITHOUT_KEY = /^millime: MILLIME_API_KEY: expected an API key, got nothing; [^\n]+\n$/;

interface MadeKey {
  readonly key: string;
  readonly id: string;
}

describeOnOneDatabase('API keys on the command line', (harness) => {
  let millime: Installation;

  beforeEach(async () => {
    millime = new Installation(harness.url, { env: { LOG_LEVEL: 'debug' } });
    const agents = 'agent_id,full_name,phone\n004711,Hédi Zouari,\nB,Béji Said,\n';
    await millime.json(['agents', 'import', millime.file('agents.csv', agents)]);
  });

  const as = (key: string, ...args: string[]): Promise<CliResult> =>
    runCli(args, { ...millime.env, MILLIME_API_KEY: key });

  const create = (name: string, scopes: string): Promise<MadeKey> =>
    millime.json(['keys', 'create', '--name', name, '--scopes', scopes]);

  test(
    'decisions need no key in a fresh installation and exit with 2 without one after the first key',
    async () => {
      await millime.json(['agents', 'close', 'B']);
      await create('salma', 'agents:write,keys:manage');
      const before = await contentsOf(millime.url);
      expect(await millime.cli('agents', 'close', '004711')).toEqual({
        code: 2,
        stdout: '',
        stderr: expect.stringMatching(DECIDES_WITHOUT_KEY),
      });
      expect(await contentsOf(millime.url)).toEqual(before);
      await millime.json(['agents', 'add', '--id', 'C', '--name', 'After']);
    },
    LIMIT_MS,
  );

  test(
    'a key’s owner is recorded in rows and audit trail, within the scopes, until the key is revoked or replaced',
    async () => {
      const salma = await create('salma', 'agents:write');
      expect((await as(salma.key, 'agents', 'close', 'B')).code).toBe(0);
      expect(await selectRows(millime.url, "select recorded_by from agents where agent_id = 'B'")).toEqual([
        { recorded_by: 'salma' },
      ]);
      // S12: what manages agents opens nothing for the gateway.
      const before = await contentsOf(millime.url);
      const { code, stdout, stderr } = await as(salma.key, 'token', 'mint');
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain('salma lacks the scope tokens:manage');
      expect(await contentsOf(millime.url)).toEqual(before);

      const recover = ['keys', 'create', '--name', 'omar', '--recover', '--reason', 'the safe burned'];
      const omar = await millime.json<MadeKey>(recover);
      expect((await as(omar.key, 'keys', 'revoke', salma.id, '--reason', 'lost')).code).toBe(0);
      const after = await contentsOf(millime.url);
      const refused = await as(salma.key, 'agents', 'add', '--id', 'C', '--name', 'Too late');
      expect({ code: refused.code, stdout: refused.stdout }).toEqual({ code: 2, stdout: '' });
      expect(refused.stderr.endsWith(NOT_GOOD)).toBe(true);
      expect(await contentsOf(millime.url)).toEqual(after);

      const trail = await millime.json<Record<string, unknown>[]>(['audit', 'list', '--limit', '4']);
      const cli = { kind: 'operator', name: 'cli', keyId: null };
      expect(trail).toMatchObject([
        { action: 'key.revoked', subject: `key:${salma.id}`, actor: { name: 'omar', keyId: omar.id } },
        { action: 'key.recovered', subject: `key:${omar.id}`, actor: cli, detail: { reason: 'the safe burned' } },
        { action: 'agent.closed', subject: 'agent:B', actor: { kind: 'api_key', name: 'salma', keyId: salma.id } },
        { action: 'key.created', subject: `key:${salma.id}`, actor: cli },
      ]);
    },
    LIMIT_MS,
  );

  test(
    'a key is printed once, alone on standard output, and is in no other output and no row',
    async () => {
      const printed: string[] = [];
      const first = await millime.cli('keys', 'create', '--name', 'salma', '--scopes', 'keys:manage', '--ttl', '365d');
      const key = first.stdout.trimEnd();
      expect(first.stdout).toBe(`${key}\n`);
      expect(key).toMatch(KEY);
      expect(first.stderr).toContain('it is not shown again');
      expect(first.stderr).toContain('from now on a command that decides needs MILLIME_API_KEY');
      printed.push(first.stderr);

      const wrong = `${key.slice(0, -1)}${key.endsWith('A') ? 'Q' : 'A'}`;
      const dead = { ...millime.env, DATABASE_URL: 'mysql://user@127.0.0.1:1/none', MILLIME_API_KEY: key };
      for (const result of [
        await as(key, 'keys', 'list', '--json'),
        await as(key, 'doctor'),
        await as(key, 'keys', 'revoke', key, '--reason', 'a whole key for an id'),
        await as(key, 'keys', 'create', '--name', key, '--scopes', 'agents:write'),
        await as(key, 'agents', 'close', '004711'),
        await as(wrong, 'agents', 'close', '004711'),
        await as(key, 'agents', 'close', '004711', '--key', 'no such option'),
        await runCli(['agents', 'close', '004711'], dead),
      ]) {
        printed.push(result.stdout, result.stderr);
      }
      const kept = await selectRows(millime.url, 'select * from api_keys');
      const records = await selectRows(millime.url, 'select * from audit_records');
      const all = [...printed, JSON.stringify([kept, records])].join('\n');
      expect(all).toContain(key.slice(4, 30)); // its id is no secret
      for (const secret of [key.slice(-43), wrong.slice(-43)]) expect(all).not.toContain(secret.slice(0, 20));
    },
    LIMIT_MS,
  );

  test(
    'doctor notes a missing key without a problem',
    async () => {
      await millime.json(['token', 'mint']);
      const note = expect.stringContaining('millime keys create');
      expect(await millime.json(['doctor'])).toMatchObject({ ok: true, notes: [note], problems: [] });
      await create('salma', 'keys:manage');
      expect(await millime.json(['doctor'])).toMatchObject({ ok: true, notes: [], problems: [] });
    },
    LIMIT_MS,
  );
});
