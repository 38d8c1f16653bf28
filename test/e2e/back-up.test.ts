import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { describeWithOwnMariaDb, unmigratedDatabaseUrl } from '../support/db';
import { MariaDbServer } from '../support/mariadb-server';
import { blocksBelow, DocumentShell } from './support/document-commands';
import { Installation } from './support/installation';
import { confirmsFor, Journal, sendConfirms } from './support/journal';
import {
  AGENTS,
  answered,
  PASSPHRASE,
  restoreToAPointInTime,
  storedIds,
  succeeded,
  type Verification,
} from './support/point-in-time';
import { until } from './support/until';

// Goal: a backup that is taken under load contains every confirm that was answered before it, and after a restore the
// ledger verifies and the log names what was answered later.
// Method: the commands of docs/OPERATIONS.md, executed by a shell, beside a service that callers load with confirms.

const LIMIT_MS = 240_000;
describe('a backup on sqlite', () => {
  test(
    'contains each confirm answered before it, and the log names those answered later',
    async () => {
      const url = await unmigratedDatabaseUrl('sqlite');
      const database = url.slice('sqlite:'.length);
      const millime = new Installation(url);
      const shell = new DocumentShell(millime.folder, {
        ...millime.env,
        BACKUP: join(millime.folder, 'today.backup'),
        BACKUP_PASSPHRASE: PASSPHRASE,
        LOG: join(millime.folder, 'service.log'),
      });
      await millime.seedAgents(AGENTS, 100_000_000);
      expect(statSync(database).mode & 0o777).toBe(0o600);
      const token = await millime.token();
      const service = await millime.serve({ role: 'http' });
      const journal = new Journal();
      const load = { clients: 8, baseUrl: () => service.baseUrl, token, journal };
      const confirms = confirmsFor(AGENTS, 6_000, 'T');
      const sent = sendConfirms({ ...load, confirms });
      await until('200 answers', () => journal.count('0') >= 200);
      for (const suffix of ['-wal', '-shm']) expect(statSync(`${database}${suffix}`).mode & 0o777).toBe(0o600);

      const before = answered(journal);
      succeeded(await shell.run(blocksBelow('### Back up SQLite', 'sh')[0] as string));
      const atEnd = journal.count('0');
      await until('answers after the backup', () => journal.count('0') >= atEnd + 50);
      await service.kill9();
      await sent;
      expect(journal.count('none')).toBeGreaterThan(0); // the load lasted longer than the service
      writeFileSync(join(millime.folder, 'service.log'), service.output);

      // The machine is lost: nothing of it stays except the backup and the log.
      const lost = join(millime.folder, 'lost');
      mkdirSync(lost);
      for (const suffix of ['', '-wal', '-shm']) renameSync(`${database}${suffix}`, join(lost, `m.sqlite3${suffix}`));
      const keys = join(millime.folder, 'keys.json');
      const keysBefore = readFileSync(keys, 'utf8');
      renameSync(keys, join(lost, 'keys.json'));
      const storedBefore = await storedIds(`sqlite:${join(lost, 'm.sqlite3')}`);

      const [dryRun = '', restore = '', doctor = ''] = (blocksBelow('### Restore SQLite', 'sh')[0] ?? '')
        .trim()
        .split('\n');
      succeeded(await shell.run(dryRun));
      expect(readdirSync(millime.folder)).not.toContain('keys.json');
      const { code, stdout, stderr } = await shell.run(`${restore} --json`);
      expect({ code, stderr }).toEqual({ code: 3, stderr: '' });
      succeeded(await shell.run(doctor));

      const { verification } = JSON.parse(stdout) as { verification: Verification };
      expect(verification.broken).toEqual([]);
      const stored = await storedIds(url);
      expect(before.filter((id) => !stored.has(id))).toEqual([]);
      expect(stored.size).toBeLessThan(storedBefore.size);
      const logged = new Set([...service.output.matchAll(/"transactionId":"(T-\d+)"/g)].map(([, id = '']) => id));
      const named = verification.log.unstored.map(({ transactionId }) => transactionId).sort();
      expect(named).toEqual([...logged].filter((id) => !stored.has(id)).sort());
      expect(named.filter((id) => answered(journal).includes(id)).length).toBeGreaterThan(0);
      const amounts = new Map(confirms.map(({ transactionId, amount }) => [transactionId, amount]));
      for (const each of verification.log.unstored) {
        expect(each.amountMillimes).toBe(amounts.get(each.transactionId));
        expect(each.agentId).toMatch(/^\*\*\*/);
        expect(Date.parse(each.answeredAt ?? '')).toBeGreaterThan(0);
      }
      expect(verification.log.hasGaps).toBe(false);
      expect(readFileSync(keys, 'utf8')).toBe(keysBefore);
      for (const file of [database, keys]) expect(statSync(file).mode & 0o777).toBe(0o600);
    },
    LIMIT_MS,
  );

  test('is refused without a choice about the keys, and overwrites nothing', async () => {
    const millime = new Installation(await unmigratedDatabaseUrl('sqlite'));
    await millime.token();
    const backup = join(millime.folder, 'b');
    const refusal = async (...args: string[]): Promise<string> => {
      const { code, stderr } = await millime.cli(...args);
      expect(code).toBe(2);
      return stderr;
    };
    expect(await refusal('backup', backup)).toMatch(/--without-keys; nothing was backed up/);
    await millime.json(['backup', backup, '--without-keys']);
    expect(await refusal('backup', backup, '--without-keys')).toMatch(/exists already; choose another name/);
    expect(await refusal('restore', backup)).toMatch(/\.sqlite3: exists already; .*nothing was restored/);
    expect(readdirSync(millime.folder).sort()).toEqual(['b', 'keys.json']);

    const into = join(millime.folder, 'into');
    mkdirSync(into);
    const passphrase = millime.file('passphrase', `${PASSPHRASE}\n`);
    expect(await refusal('backup', `${backup}2`, '--passphrase-file', passphrase)).toMatch(/open to other users/);
    expect(await refusal('backup', `${backup}2`, '--without-keys', '--keys-only')).toMatch(/nothing was backed up/);
    const env = { ...millime.env, BACKUP_PASSPHRASE: PASSPHRASE };
    const withKeys = new Installation(millime.url, { env });
    await withKeys.json(['backup', `${backup}2`]);
    writeFileSync(join(into, 'keys.json'), 'another key file');
    const taken = await withKeys.cli('restore', `${backup}2`, '--into', into);
    expect(taken.stderr).toMatch(/keys\.json: exists already/);
    expect(readdirSync(into)).toEqual(['keys.json']);
    expect(await refusal('restore', `${backup}2`, '--into', into)).toMatch(/--without-keys; nothing was restored/);
  });

  test('is refused by restore if a byte of it was changed, or the passphrase is another one', async () => {
    const millime = new Installation(await unmigratedDatabaseUrl('sqlite'), { env: { BACKUP_PASSPHRASE: PASSPHRASE } });
    await millime.token();
    const backup = join(millime.folder, 'b');
    await millime.json(['backup', backup]);
    const bytes = readFileSync(backup);
    const into = join(millime.folder, 'into');
    const restored = async (content: Buffer, env: Readonly<Record<string, string>> = {}): Promise<string> => {
      const other = new Installation(millime.url, { env: { BACKUP_PASSPHRASE: PASSPHRASE, ...env } });
      const { code, stderr } = await other.cli('restore', other.file('b', content), '--into', into);
      expect(code).toBe(2);
      return stderr;
    };
    const changed = Buffer.from(bytes);
    changed[bytes.length - 4_096] = (changed[bytes.length - 4_096] ?? 0) ^ 1;
    expect(await restored(changed)).toMatch(/millime\.sqlite3 differs from its digest; .*nothing was restored/);
    expect(await restored(bytes.subarray(0, bytes.length - 4_096))).toMatch(/nothing was restored/);
    expect(await restored(Buffer.from('not a backup'))).toMatch(/expected a whole file of "millime backup"/);
    expect(await restored(bytes, { BACKUP_PASSPHRASE: 'the passphrase of another' })).toMatch(/got another one/);
    const later = Buffer.from(bytes);
    const at = later.indexOf('"lastMigration": "2');
    later.write('"lastMigration": "3', at, 'latin1');
    expect(await restored(later)).toMatch(/comes from a later version/);
    expect(readdirSync(into)).toEqual([]);
  });
});

describeWithOwnMariaDb('a backup on mariadb', () => {
  let server: MariaDbServer;

  beforeAll(async () => {
    server = await MariaDbServer.create({ flags: ['--log-bin=log', '--sync-binlog=1', '--server-id=1'] });
    await server.start();
  }, LIMIT_MS);

  afterAll(() => server.remove());

  test(
    'restores to a point in time by the documented commands, and the log names what is missing',
    () => restoreToAPointInTime(server, server.url('millime')),
    LIMIT_MS,
  );

  test('is refused without --commands, which names what to run', async () => {
    const millime = new Installation(server.url('millime'));
    const { code, stderr } = await millime.cli('backup', join(millime.folder, 'b'), '--without-keys');
    expect(code).toBe(2);
    expect(stderr).toMatch(/--commands.*nothing was backed up/);
  });
});
