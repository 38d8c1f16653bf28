import { readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { rawConnection } from '../../support/db';
import type { MariaDbServer } from '../../support/mariadb-server';
import { blocksBelow, DocumentShell, type ShellResult } from './document-commands';
import { Installation } from './installation';
import { confirmsFor, Journal, sendConfirms } from './journal';
import { selectRows } from './tables';
import { until } from './until';

export const AGENTS = Array.from({ length: 10 }, (_, index) => `AGENT-${index + 1}`);
export const PASSPHRASE = 'a passphrase of the test';

/** Transaction ids that a caller has read a `0` for. */
export const answered = (journal: Journal): string[] =>
  journal.attempts.filter(({ reply }) => reply === '0').map(({ transactionId }) => transactionId);

export const storedIds = async (url: string): Promise<Set<string>> =>
  new Set(
    (await selectRows(url, 'select transaction_id from agent_confirmations')).map((row) =>
      String(Object.values(row)[0]),
    ),
  );

export interface Verification {
  readonly broken: readonly unknown[];
  readonly log: {
    readonly answered: number;
    readonly hasGaps: boolean;
    readonly unstored: readonly {
      readonly transactionId: string;
      readonly agentId: string | null;
      readonly amountMillimes: number | null;
      readonly answeredAt: string | null;
    }[];
  };
}

export const succeeded = (result: ShellResult): ShellResult => {
  if (result.code !== 0) throw new Error(`exit code ${result.code}:\n${result.stdout}\n${result.stderr}`);
  return result;
};

/**
 * Backs up under load, destroys the database, and restores it to a point in time by the commands of docs/OPERATIONS.md:
 * what was answered before the point is stored, and the log names what was answered after it.
 *
 * @param server has the binary log, and gives and takes the backup.
 * @param url where the service finds the database.
 */
export async function restoreToAPointInTime(server: MariaDbServer, url: string): Promise<void> {
  const admin = await rawConnection(server.url('mysql'), { multipleStatements: true });
  await admin.query('create database millime character set utf8mb4');
  await admin.query((blocksBelow('### Back up MariaDB', 'sql')[0] ?? '').replaceAll('<password>', 'secret'));
  const millime = new Installation(url, { env: { BACKUP_PASSPHRASE: PASSPHRASE } });
  await millime.json(['migrate']);
  const login = (name: string, user: string, password: string): string => {
    const path = join(millime.folder, name);
    const lines = ['[client]', `user=${user}`, `password=${password}`, 'host=127.0.0.1', `port=${server.port}`];
    writeFileSync(path, `${lines.join('\n')}\n`, { mode: 0o600 });
    return path;
  };
  const backup = join(millime.folder, "today's.sql");
  const log = join(millime.folder, 'service.log');
  const shell = new DocumentShell(millime.folder, {
    ...millime.env,
    DATABASE_URL: server.url('millime'),
    BACKUP: backup,
    LOG: log,
    BACKUP_LOGIN: login('backup.cnf', 'millime_backup', 'secret'),
    RESTORE_LOGIN: login('restore.cnf', 'root', ''),
  });
  const [grants = '', dump = ''] = blocksBelow('### Back up MariaDB', 'sh');
  succeeded(await shell.run(grants));
  await millime.seedAgents(AGENTS, 100_000_000);
  const token = await millime.token();
  const service = await millime.serve({ role: 'http' });
  const journal = new Journal();
  const load = { clients: 4, baseUrl: () => service.baseUrl, token, journal };

  const sent = sendConfirms({ ...load, confirms: confirmsFor(AGENTS, 400, 'T') });
  await until('100 answers', () => journal.count('0') >= 100);
  const before = answered(journal);
  succeeded(await shell.run(dump));
  await sent;
  expect(journal.count('0')).toBe(400);
  expect(statSync(backup).mode & 0o777).toBe(0o600);
  expect(statSync(`${backup}.keys`).mode & 0o777).toBe(0o600);
  const script = readFileSync(join(millime.folder, 'backup.sh'), 'utf8');
  expect(script).not.toContain('secret');

  // Binary logs have whole seconds: what comes in the next second is after the point in time.
  const point = Math.floor(Date.now() / 1_000) + 1;
  await until('the next second', () => Date.now() >= point * 1_000);
  await sendConfirms({ ...load, confirms: confirmsFor(AGENTS, 20, 'LATER') });
  expect(journal.count('0')).toBe(420);
  // A killed process takes the lines along that it has not written yet.
  await until('the log', () => [...service.output.matchAll(/"transactionId":"LATER-/g)].length === 20);
  await service.kill9();
  writeFileSync(log, service.output);
  await admin.query('drop database millime; flush binary logs');
  const keys = join(millime.folder, 'keys.json');
  const keysBefore = readFileSync(keys, 'utf8');
  renameSync(keys, `${keys}.lost`);

  const first = /MASTER_LOG_FILE='([^']+)'/.exec(readFileSync(backup, 'utf8'))?.[1] ?? '';
  const binlogs = readdirSync(server.dataFolder).filter((name) => /^log\.\d+$/.test(name) && name >= first);
  const [restore = '', keyFile = ''] = blocksBelow('### Restore MariaDB to a point in time', 'sh');
  const { code, stdout, stderr } = await shell.run(restore.replace(/(ledger verify .*)$/m, '$1 --json'), {
    BINLOGS: binlogs.map((name) => join(server.dataFolder, name)).join(' '),
    UNTIL: new Date(point * 1_000).toISOString().slice(0, 19).replace('T', ' '),
  });
  expect({ code, stderr }).toEqual({ code: 3, stderr: '' });
  const verification = JSON.parse(stdout.slice(stdout.indexOf('{'))) as Verification;
  expect(verification.broken).toEqual([]);
  const stored = await storedIds(url);
  expect(before.length).toBeGreaterThanOrEqual(100);
  expect(stored.size).toBe(400);
  expect([...stored].every((id) => id.startsWith('T-'))).toBe(true);
  expect(verification.log.unstored.map(({ transactionId }) => transactionId).sort()).toEqual(
    Array.from({ length: 20 }, (_, index) => `LATER-${index + 1}`).sort(),
  );
  succeeded(await shell.run(keyFile));
  expect(readFileSync(keys, 'utf8')).toBe(keysBefore);

  // A repeated restore overwrites nothing.
  const again = await shell.run(restore, { BINLOGS: '', UNTIL: '2026-01-01 00:00:00' });
  expect({ code: again.code, stderr: again.stderr }).toEqual({
    code: 2,
    stderr: 'millime: has tables; nothing was restored\n',
  });
  expect((await storedIds(url)).size).toBe(400);
  succeeded(await shell.run(blocksBelow('### Upgrade', 'sh')[0] as string));
  await admin.end();
}
