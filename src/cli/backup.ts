import { basename, resolve } from 'node:path';
import { createBackup, dumpScript, type Manifest, restoreBackup, restoreScript, type ServerDatabase } from '../backups';
import type { Millime } from '../compose';
import type { Config } from '../config';
import { AppError, parseInstant } from '../kernel';
import type { Logger } from '../logging';
import { type CliIo, EXIT, type RegisterCommands, type RunCommand, type WriteOptions } from './command';
import { requireDatabaseFile } from './database-file';
import { localInstant } from './fact-text';
import { t } from './language';
import { packageVersion } from './package-version';
import { readPassphrase } from './passphrase';
import { exitCodeOf, printVerdict, verifyLedger } from './verify-ledger';

const DATABASE_FILE = 'millime.sqlite3';

interface KeyOptions extends WriteOptions {
  readonly passphraseFile?: string;
  readonly withoutKeys?: true;
  readonly commands?: true;
}

interface BackupOptions extends KeyOptions {
  readonly keysOnly?: true;
}

interface RestoreOptions extends KeyOptions {
  readonly into?: string;
  readonly log?: string[];
  readonly until?: string;
}

export const registerBackupCommands: RegisterCommands = (program, run) => {
  program
    .command('backup')
    .argument('<file>')
    .option('--passphrase-file <file>')
    .option('--without-keys')
    .option('--keys-only')
    .option('--commands')
    .option('--dry-run')
    .option('--json')
    .action((file: string, options: BackupOptions) => backUp(run, file, options));

  program
    .command('restore')
    .argument('<file>')
    .option('--into <folder>')
    .option('--passphrase-file <file>')
    .option('--without-keys')
    .option('--log <file...>')
    .option('--commands')
    .option('--until <instant>')
    .option('--dry-run')
    .option('--json')
    .action((file: string, options: RestoreOptions) => restore(run, file, options));
};

function backUp(run: RunCommand, file: string, options: BackupOptions): Promise<void> {
  return run.beforeMigration(async ({ config, database, clock, logger }, io) => {
    if (options.commands === true) return io.line(dumpScript(serverOf(config), resolve(file)));
    const keysOnly = options.keysOnly === true;
    if (!keysOnly && config.database.kind === 'mariadb') {
      throw new AppError('bad_input', {
        field: '<file>',
        fault: 'a database on MariaDB is dumped by the tools of its server',
        fix: 'run "millime backup <file> --commands" and the script that it prints; nothing was backed up',
      });
    }
    if (!keysOnly) requireDatabaseFile(config.database);
    const passphrase = options.withoutKeys === true ? undefined : readPassphrase(config, options.passphraseFile);
    if (passphrase === undefined && (options.withoutKeys !== true || keysOnly)) throw passphraseNeeded(keysOnly);
    const { keysFile } = config.serviceTokens;
    const deps = { database, clock, logger, keysFile, millimeVersion: packageVersion() };
    const dryRun = options.dryRun === true;
    const { database: packed, keys } = await createBackup(deps, { path: resolve(file), passphrase, keysOnly, dryRun });
    if (options.json === true) io.json({ file, database: packed, keys, dryRun });
    else {
      io.line(t(dryRun ? 'cli:backup.would' : 'cli:backup.done', { file }));
      if (packed !== null) {
        const { bytes, lastMigration: migration } = packed;
        io.line(`  ${t('cli:backup.database', { bytes, migration })}`);
      }
      if (!dryRun) io.line(`  ${t('cli:backup.keys', { state: keysText(keys !== null, options) })}`);
    }
    return EXIT.done;
  });
}

function passphraseNeeded(keysOnly: boolean): AppError {
  const fix = keysOnly
    ? 'give it or set BACKUP_PASSPHRASE; nothing was backed up'
    : 'give it or set BACKUP_PASSPHRASE, or leave the keys out with --without-keys; nothing was backed up';
  return new AppError('bad_input', {
    field: '--passphrase-file',
    expected: 'a passphrase that encrypts the keys of the service tokens',
    fix,
  });
}

function keysText(isIn: boolean, { withoutKeys }: KeyOptions): string {
  if (isIn) return t('cli:backup.encrypted');
  return t(withoutKeys === true ? 'cli:backup.leftOut' : 'cli:backup.noKeyFile');
}

function restore(run: RunCommand, file: string, options: RestoreOptions): Promise<void> {
  return run.beforeMigration(async ({ config, logger, calendar }, io) => {
    if (options.commands === true) {
      return io.line(restoreScript(serverOf(config), resolve(file), untilOf(options.until)));
    }
    const dryRun = options.dryRun === true;
    const places = placesOf(config, options.into);
    const manifest = await restoreBackup({
      ...places,
      path: file,
      passphrase: options.withoutKeys === true ? undefined : readPassphrase(config, options.passphraseFile),
      withoutKeys: options.withoutKeys === true,
      dryRun,
      logger,
    });
    const { databaseFile = '' } = places;
    if (options.json !== true) printRestored(io, file, manifest, { ...options, ...places }, calendar);
    if (dryRun || manifest.database === null) {
      if (options.json === true) io.json({ file, ...places, manifest, dryRun, verification: null });
      return EXIT.done;
    }
    return onRestored({ ...config, database: { kind: 'sqlite', file: databaseFile } }, logger, async (restored) => {
      const verdict = await verifyLedger(restored, options.log ?? []);
      if (options.json === true) io.json({ file, ...places, manifest, dryRun, verification: verdict });
      else printVerdict(verdict, io, restored);
      return exitCodeOf(verdict);
    });
  });
}

/** Upgrades the restored database, as every command does, and works on it. */
async function onRestored<T>(config: Config, logger: Logger, work: (millime: Millime) => Promise<T>): Promise<T> {
  const { compose } = await import('../compose.js');
  const millime = compose(config, logger);
  try {
    await millime.prepareDatabase();
    return await work(millime);
  } finally {
    await millime.close();
  }
}

function printRestored(
  io: CliIo,
  file: string,
  { database, keys, businessInstant }: Manifest,
  options: RestoreOptions & Places,
  calendar: Millime['calendar'],
): void {
  const { databaseFile: target = '', keysFile } = options;
  const dryRun = options.dryRun === true;
  if (database !== null) {
    const instant = localInstant(businessInstant, calendar) ?? businessInstant;
    io.line(t(dryRun ? 'cli:restore.wouldDatabase' : 'cli:restore.database', { target, file, instant }));
  }
  if (keys !== null && options.withoutKeys !== true) {
    io.line(t(dryRun ? 'cli:restore.wouldKeys' : 'cli:restore.keys', { target: keysFile }));
  } else {
    const state = t(keys === null ? 'cli:backup.notInBackup' : 'cli:backup.leftOut');
    io.line(t('cli:backup.keys', { state }));
  }
  if (options.into !== undefined && !dryRun) {
    io.line(t('cli:restore.use', { url: `sqlite:${target}` }));
    io.line(t('cli:restore.useKeys', { file: keysFile }));
  }
}

interface Places {
  /** Undefined for a database on a server. */
  readonly databaseFile: string | undefined;
  readonly keysFile: string;
}

function placesOf({ database, serviceTokens }: Config, into: string | undefined): Places {
  const file = database.kind === 'sqlite' ? database.file : undefined;
  if (into === undefined) {
    return { databaseFile: file === undefined ? undefined : resolve(file), keysFile: resolve(serviceTokens.keysFile) };
  }
  return {
    databaseFile: resolve(into, basename(file ?? DATABASE_FILE)),
    keysFile: resolve(into, basename(serviceTokens.keysFile)),
  };
}

function serverOf({ database: url }: Config): ServerDatabase {
  const host = url.kind === 'mariadb' ? url.hosts[0] : undefined;
  if (url.kind === 'mariadb' && host !== undefined) return { ...host, database: url.database, tls: url.tls };
  throw new AppError('bad_input', {
    field: '--commands',
    expected: 'a DATABASE_URL of a MariaDB server, got a SQLite file',
    fix: 'run the command without --commands',
  });
}

/** Reads `2026-03-02 09:00:00`, in UTC, as the tools of the server read it. */
function untilOf(text: string | undefined): string | undefined {
  const isInstant = text === undefined || parseInstant(`${text.replace(' ', 'T')}Z`) !== undefined;
  if (isInstant && (text === undefined || /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/.test(text))) return text;
  throw new AppError('bad_input', { field: '--until', expected: 'a time in UTC as "2026-03-02 09:00:00"', got: text });
}
