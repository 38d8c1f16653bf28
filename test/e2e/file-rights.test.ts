import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { freshDatabase } from '../support/db';
import { ServerProcess, spawnCli, spawnedCli } from '../support/server-process';
import { testRun } from '../support/test-run';
import { call } from './support/call';
import { Installation } from './support/installation';
import { SimulateProcess } from './support/simulate-process';
import { until } from './support/until';

// Goal: no other user of the machine can read what Millime stores.
// Method: the built program runs under an open umask, and every file and folder that it leaves is listed.

const SHIPPED_PROFILES = join(__dirname, '..', '..', 'reference-data', 'statement-profiles.json');
const LIMIT_MS = 240_000;
const CSV =
  'Compte;08006012345678901231;;\nDevise;TND;;\nSolde initial;;;0,000\nDate;Libellé;Débit;Crédit\n' +
  '15/04/2026;VIREMENT;;1 250,500\nSolde final;;;1 250,500\n';

const ends: (() => Promise<unknown>)[] = [];
const umask = process.umask(0o077);

afterEach(async () => {
  process.umask(umask);
  for (const end of ends.splice(0)) await end();
});

/** The files and folders below a folder that other users may open, with their modes. */
function openToOthers(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap((name) => {
    const mode = (statSync(join(folder, name), { throwIfNoEntry: false })?.mode ?? 0) & 0o777;
    return (mode & 0o077) === 0 ? [] : [`${name} ${mode.toString(8)}`];
  });
}

function openFolder(): string {
  return mkdtempSync(join(testRun.folder, 'rights-'));
}

describe('S28: everything that Millime writes', () => {
  test.each(['022', '000'])(
    'is for its user alone under the umask %s',
    async (mask) => {
      const outside = openFolder(); // what people give to Millime
      const input = (name: string, text: string): string => {
        writeFileSync(join(outside, name), text);
        return join(outside, name);
      };
      const agents = input('agents.csv', 'agent_id,full_name,phone\n004711,Salma,+21620000001\n');
      const dues = input(
        'dues.csv',
        'reference,agent_id,amount_millimes,due_date,memo\nD-1,004711,120000,2026-01-01,\n',
      );
      const csv = input('bank.csv', CSV);
      const folder = openFolder();
      const inside = (...names: string[]): string => join(folder, ...names);
      const env = {
        DATABASE_URL: `sqlite:${inside('data', 'books', 'millime.sqlite3')}`,
        SERVICE_JWT_KEYS_FILE: inside('keys', 'service', 'keys.json'),
        STATEMENT_PROFILES_FILE: inside('profiles', 'profiles.json'),
        BACKUP_PASSPHRASE: 'a passphrase of the test',
      };
      mkdirSync(inside('profiles'), { mode: 0o700 });
      writeFileSync(env.STATEMENT_PROFILES_FILE, readFileSync(SHIPPED_PROFILES), { mode: 0o600 });
      mkdirSync(inside('exports'), { mode: 0o700 });
      process.umask(Number.parseInt(mask, 8));
      const cli = async (...args: string[]): Promise<string> => {
        const { code, stdout, stderr } = await spawnedCli(args, env);
        expect({ args, code, stderr: code === 0 ? '' : stderr }).toEqual({ args, code: 0, stderr: '' });
        return stdout;
      };

      await cli('agents', 'import', agents); // creates the database, and migrates it
      expect(openToOthers(folder)).toEqual([]);
      const service = await ServerProcess.start(env);
      ends.push(() => service.stop());
      await cli('dues', 'import', dues);
      const { token } = JSON.parse(await cli('token', 'mint', '--json')) as { token: string };
      const body = { transactionId: 'T-1', agentId: '004711', amount: 120_000 };
      expect(await call(service.baseUrl, { method: 'POST', path: '/service/confirm', token, body })).toMatchObject({
        status: 200,
      });
      await cli('token', 'rotate');
      await cli('keys', 'create', '--name', 'one', '--scopes', 'all');
      await cli('statements', 'import', csv, '--save-profile', 'of-the-test');
      expect(readFileSync(env.STATEMENT_PROFILES_FILE, 'utf8')).toContain('of-the-test');
      await Promise.all([
        cli('ledger', 'export', '--format', 'csv', '--output', inside('exports', 'ledger.csv')),
        cli('report', 'daily', '--format', 'html', '--out', inside('exports', 'report.html')),
        cli('backup', inside('exports', 'backup.tar')),
      ]);
      await cli('restore', inside('exports', 'backup.tar'), '--into', inside('restored', 'here'));
      const simulator = await SimulateProcess.start(['--seed', '7', '--state', inside('exports', 'simulator.json')]);
      ends.push(() => simulator.stop());

      // The service still holds its database, so that the write-ahead log and the shared memory are there.
      const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
      expect(names).toEqual(
        [
          ...['data', 'data/books'],
          ...['', '-shm', '-wal'].map((suffix) => `data/books/millime.sqlite3${suffix}`),
          ...[
            'exports',
            ...['backup.tar', 'ledger.csv', 'report.html', 'simulator.json'].map((name) => `exports/${name}`),
          ],
          ...['keys', 'keys/service', 'keys/service/keys.json', 'profiles', 'profiles/profiles.json'],
          ...['restored', 'restored/here', 'restored/here/keys.json', 'restored/here/millime.sqlite3'],
        ].sort(),
      );
      expect(openToOthers(folder)).toEqual([]);
    },
    LIMIT_MS,
  );

  test(
    'includes the files of the demo',
    async () => {
      const folder = join(openFolder(), 'demo');
      process.umask(0o000);
      const demo = spawnCli(['demo', '--folder', folder], {});
      const ended = new Promise((resolve) => demo.on('exit', resolve));
      ends.push(async () => {
        demo.kill('SIGTERM');
        await ended;
      });
      const parts = [
        'clock',
        'millime.sqlite3-wal',
        'millime.sqlite3-shm',
        'service-jwt-keys.json',
        'subscriptions.csv',
      ];
      await until('the files of the first day', () => {
        const names = statSync(folder, { throwIfNoEntry: false }) === undefined ? [] : readdirSync(folder);
        return parts.every((part) => names.includes(part));
      });
      expect(openToOthers(join(folder, '..'))).toEqual([]);
    },
    LIMIT_MS,
  );
});

describe('S28: a database file of an earlier version', () => {
  test('becomes one for its user alone, with its log, when it is opened', async () => {
    const { url } = await freshDatabase('sqlite');
    const file = url.slice('sqlite:'.length);
    const millime = new Installation(url);
    const writer = await millime.serve();
    const files = ['', '-wal', '-shm'].map((suffix) => `${file}${suffix}`);
    for (const path of files) chmodSync(path, 0o644);
    expect(await millime.json(['ledger', 'verify'])).toMatchObject({ broken: [] });
    expect(files.map((path) => (statSync(path).mode & 0o777).toString(8))).toEqual(['600', '600', '600']);
    await writer.stop();
  });

  test('keeps the rights of a group, of which doctor and the start warn', async () => {
    const { url } = await freshDatabase('sqlite');
    const file = url.slice('sqlite:'.length);
    const millime = new Installation(url);
    await millime.token();
    chmodSync(file, 0o660);
    const service = await millime.serve();
    await until('the warning', () => service.output.includes('"db.file_open"'));
    const { ok, warnings } = await millime.json<{ ok: boolean; warnings: string[] }>(['doctor']);
    expect(statSync(file).mode & 0o777).toBe(0o660);
    expect({ ok, warnings }).toMatchObject({
      ok: true,
      warnings: expect.arrayContaining([expect.stringMatching(/^DATABASE_URL: .* \(mode 660\); run chmod 600 on it$/)]),
    });
  });
});
