// Goal: knex's own command line does what people expect of it, and nothing that a ledger must not suffer.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { describeOnEachDialect, unmigratedDatabaseUrl } from '../support/db';
import { runCli } from '../support/server-process';

const ROOT = join(__dirname, '..', '..');
const LIMIT_MS = 120_000;

interface Ended {
  readonly code: number;
  readonly output: string;
}

/** Runs `npm run knex -- <command>` without npm. */
function knex(command: string, env: Readonly<Record<string, string>>, ...options: readonly string[]): Promise<Ended> {
  const args = ['--require', 'tsx/cjs', join(ROOT, 'node_modules', 'knex', 'bin', 'cli.js'), command, ...options];
  const { PATH = '', HOME = '' } = process.env;
  return new Promise((resolve) => {
    const run = { cwd: ROOT, env: { PATH, HOME, NO_COLOR: '1', ...env } };
    execFile(process.execPath, args, run, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, output: stdout + stderr });
    });
  });
}

describeOnEachDialect('knex', (dialect) => {
  test(
    'migrates under the lock of "millime migrate", lists the migrations, and enrolls the agents of the demo once',
    async () => {
      const env = { DATABASE_URL: await unmigratedDatabaseUrl(dialect) };
      expect(await knex('migrate:status', env)).toMatchObject({ code: 0, output: expect.stringMatching(/Pending/) });
      const [byKnex, byMillime] = await Promise.all([knex('migrate:latest', env), runCli(['migrate', '--json'], env)]);
      expect([byKnex.code, byMillime.code]).toEqual([0, 0]);
      const ran = [
        ...[...byKnex.output.matchAll(/^ran (.+)$/gm)].map(([, name]) => name),
        ...(JSON.parse(byMillime.stdout) as { migrations: string[] }).migrations,
      ];
      expect(new Set(ran).size).toBe(ran.length);
      expect(ran.length).toBeGreaterThan(40);
      const list = await knex('migrate:list', env);
      expect(list.output).toContain(`Found ${ran.length} Completed Migration file/files.`);
      expect(list.output).toContain('No Pending Migration files Found.');

      for (const _ of ['once', 'again']) {
        expect(await knex('seed:run', env)).toMatchObject({ code: 0 });
        const trail = JSON.parse((await runCli(['audit', 'list', '--json'], env)).stdout) as { action: string }[];
        expect(trail.map(({ action }) => action).sort()).toEqual(['agents.imported', 'dues.imported']);
      }
      const due = await runCli(['agents', 'due', '004711', '--json'], env);
      expect(JSON.parse(due.stdout)).toMatchObject({ fullName: 'Karim Trabelsi' });
      await runCli(['agents', 'add', '--id', 'A1', '--name', 'Salma Ayari'], env);
      expect(await knex('seed:run', env)).toMatchObject({
        code: 1,
        output: expect.stringMatching(/DATABASE_URL: .*1 other agent/),
      });
    },
    LIMIT_MS,
  );
});

describe('knex', () => {
  test.each(['migrate:rollback', 'migrate:down', 'migrate:unlock'])('refuses %s', async (command) => {
    const { code, output } = await knex(command, {
      DATABASE_URL: await unmigratedDatabaseUrl('sqlite'),
    });
    expect(code).not.toBe(0);
    expect(output).toMatch(/restore the backup of before it/);
  });

  test.each<[string, Record<string, string>, string[]]>([
    ['NODE_ENV', { NODE_ENV: 'production' }, []],
    ['--env', {}, ['--env', 'production']],
  ])('seeds no production (%s)', async (_by, env, options) => {
    const DATABASE_URL = await unmigratedDatabaseUrl('sqlite');
    expect(await knex('seed:run', { DATABASE_URL, ...env }, ...options)).toMatchObject({
      code: 1,
      output: expect.stringMatching(/NODE_ENV/),
    });
  });
});
