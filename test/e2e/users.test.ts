import { beforeEach, expect, test } from '@jest/globals';
import { describeOnOneDatabase } from '../support/db';
import { type CliResult, runCli } from '../support/server-process';
import { Installation } from './support/installation';
import { contentsOf, selectRows } from './support/tables';

// Goal: users are managed on the command line by a key with the scope, a code is printed once, and a user and the keys
// of their name are one person. Method: the compiled program as a process, its rows and its output.

const LIMIT_MS = 60_000;
const CODE = /^([0-9A-Z]{4}-){6}[0-9A-Z]{4}\n$/;

interface MadeKey {
  readonly key: string;
  readonly id: string;
}

describeOnOneDatabase('users on the command line', (harness) => {
  let millime: Installation;
  beforeEach(() => {
    millime = new Installation(harness.url, { env: { LOG_LEVEL: 'debug' } });
  });

  const as = (key: string, ...args: string[]): Promise<CliResult> =>
    runCli(args, { ...millime.env, MILLIME_API_KEY: key });
  const because = ['--reason', 'moved to another team'];
  const amal = ['users', 'create', 'amal', '--full-name', 'Amal Ben Ali', '--roles', 'finance,approver'];

  test(
    'are created by the operator until a key exists, then by a key with users:manage or with --recover',
    async () => {
      const first = await millime.cli(...amal);
      expect(first).toMatchObject({ code: 0, stdout: expect.stringMatching(CODE) as unknown });
      expect(first.stderr).toContain('created user amal with finance, approver');
      const key = (name: string, scopes: string): Promise<MadeKey> =>
        millime.json(['keys', 'create', '--name', name, '--scopes', scopes]);
      const root = await key('root', 'users:manage,keys:manage');
      const create = (name: string) => ['users', 'create', name, '--full-name', 'A Person', '--roles', 'reader'];
      const before = await contentsOf(millime.url);
      expect((await millime.cli(...create('omar'))).stderr).toContain('MILLIME_API_KEY: expected an API key');
      const taken = await as(root.key, ...create('root'));
      expect(taken).toMatchObject({ code: 2, stdout: '' });
      expect(taken.stderr).toContain('millime users create root --recover --reason ...');
      const ofUser = await as(root.key, 'keys', 'create', '--name', 'amal', '--scopes', 'users:manage');
      expect(ofUser.stderr).toContain('amal is a user; only they can create keys in this name');
      expect((await millime.cli(...create('omar'), '--recover')).stderr).toContain('--reason');
      expect((await as(root.key, ...create('omar'), '--recover', ...because)).stderr).toContain('--recover');
      expect((await millime.cli(...create('omar'), ...because)).stderr).toContain('works only with --recover');
      expect(await contentsOf(millime.url)).toEqual(before);

      expect((await as(root.key, ...create('omar'))).code).toBe(0);
      expect((await millime.cli(...create('root'), '--recover', ...because)).code).toBe(0);
      const made = 'select name, recorded_by from users order by name';
      expect(await selectRows(millime.url, made)).toEqual([
        { name: 'amal', recorded_by: 'cli' },
        { name: 'omar', recorded_by: 'root' },
        { name: 'root', recorded_by: 'cli' },
      ]);
      // The key has no scope that its user lacks.
      expect((await as(root.key, 'users', 'disable', 'omar', ...because)).stderr).toContain(
        'root lacks the scope users:manage',
      );
    },
    LIMIT_MS,
  );

  test(
    'are listed, changed, disabled and given a new code, and each step is in the audit trail',
    async () => {
      const created = await millime.json(amal);
      expect(created).toMatchObject({ name: 'amal', roles: ['finance', 'approver'], state: 'invited' });
      const dry = await millime.json([...amal.with(2, 'omar'), '--dry-run']);
      expect(dry).toMatchObject({ id: null, code: null });

      const step = (name: string, ...more: string[]) => millime.json(['users', name, 'amal', ...more, ...because]);
      expect(await step('roles', '--roles', 'reader')).toEqual({ name: 'amal', outcome: 'changed', dryRun: false });
      expect(await step('disable', '--dry-run')).toEqual({ name: 'amal', outcome: 'disabled', dryRun: true });
      expect(await step('disable')).toMatchObject({ outcome: 'disabled' });
      expect(await millime.json(['users', 'show', 'amal'])).toMatchObject({
        ...{ name: 'amal', fullName: 'Amal Ben Ali', roles: ['reader'], state: 'disabled', sessions: [] },
      });
      expect(await step('enable')).toMatchObject({ outcome: 'enabled' });
      expect(await step('reset-second-factor')).toMatchObject({ outcome: 'none' });
      expect(await step('end-sessions')).toEqual({ name: 'amal', ended: 0, dryRun: false });
      const reset = await step('reset-password');
      expect(reset['code']).not.toBe(created['code']);
      expect(await millime.json(['users', 'list'])).toMatchObject([{ name: 'amal', state: 'invited' }]);

      const trail = await millime.json<{ action: string; detail: object }[]>([
        'audit',
        'list',
        '--subject',
        'user:amal',
      ]);
      expect(trail.map(({ action }) => action)).toEqual(
        ['password_reset', 'enabled', 'disabled', 'roles_changed', 'created'].map((name) => `user.${name}`),
      );
      expect(trail[3]?.detail).toEqual({
        ...{ roles: 'reader', rolesBefore: 'finance approver', reason: 'moved to another team' },
      });
      const stored = JSON.stringify(await contentsOf(millime.url));
      for (const code of [String(created['code']), String(reset['code'])]) {
        for (const form of [code, code.replaceAll('-', '')]) expect(stored).not.toContain(form);
      }
    },
    LIMIT_MS,
  );
});
