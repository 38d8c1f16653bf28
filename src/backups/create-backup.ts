import { createHash } from 'node:crypto';
import { constants, createReadStream, lstatSync } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { copyDatabaseFile, type Database, lastMigration, openDatabase } from '../db';
import { AppError, type Clock, formatInstant, isAppError, sha256Hex, systemClock, systemCodeOf } from '../kernel';
import type { Logger } from '../logging';
import { putDurableFile, readKeyFile, temporaryName, unlinkIfThere } from '../service-tokens';
import { DATABASE_NAME, KEYS_NAME, type Manifest, MANIFEST_NAME, manifestText, type PackedFile } from './manifest';
import { sealKeys } from './sealed-keys';
import { appendTarEntry, endTar } from './tar-file';

export interface BackupDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly keysFile: string;
  readonly millimeVersion: string;
}

export interface BackupCommand {
  /** The file to create. It must not exist. */
  readonly path: string;
  /** Encrypts the key file; undefined leaves it out. */
  readonly passphrase: string | undefined;
  /** Leaves out the database, for an installation on a server. */
  readonly keysOnly: boolean;
  /** Checks the path and the key file, and writes nothing. */
  readonly dryRun: boolean;
}

type Contents = Pick<Manifest, 'database' | 'keys'>;

/** What the digest of the database is, for keys that are sealed without one. */
export const NO_DATABASE = 'none';

/**
 * Writes a backup: one tar file of mode 0600, complete and on disk before it gets its name. The database in it is one
 * committed state at or after the call. The keys are read after it, so that they include the key of every stored token.
 *
 * @throws AppError `bad_input` that names the path; `misconfigured` for the key file; `unavailable`, `storage_broken`.
 */
export async function createBackup(deps: BackupDeps, command: BackupCommand): Promise<Contents> {
  const { path, passphrase, keysOnly } = command;
  refuseExisting(path, 'choose another name');
  if (command.dryRun) {
    await naming(path, () => access(dirname(path), constants.W_OK));
    await readKeyFile(deps.keysFile);
    return { database: null, keys: null };
  }
  const copy = temporaryName(path);
  try {
    const database = keysOnly ? null : await naming(path, () => packDatabase(deps, copy));
    const sealed = passphrase === undefined ? undefined : await packKeys(deps, passphrase, database?.sha256);
    const contents: Contents = { database, keys: sealed?.packed ?? null };
    const manifest = manifestText({
      millimeVersion: deps.millimeVersion,
      createdAt: formatInstant(systemClock.now()),
      businessInstant: formatInstant(deps.clock.now()),
      ...contents,
    });
    const entry = (name: string, text: string): [string, number, Buffer[]] => [
      name,
      Buffer.byteLength(text),
      [Buffer.from(text)],
    ];
    await naming(path, () =>
      putDurableFile(
        path,
        async (file) => {
          await appendTarEntry(file, ...entry(MANIFEST_NAME, manifest));
          if (sealed !== undefined) await appendTarEntry(file, ...entry(KEYS_NAME, sealed.text));
          if (database !== null) await appendTarEntry(file, DATABASE_NAME, database.bytes, createReadStream(copy));
          await endTar(file);
        },
        { how: 'create' },
      ),
    );
    return contents;
  } finally {
    for (const suffix of DATABASE_SUFFIXES) await unlinkIfThere(`${copy}${suffix}`);
  }
}

/** The names of the files of a SQLite database, after its own. */
export const DATABASE_SUFFIXES = ['', '-wal', '-shm', '-journal'] as const;

/** @throws AppError `bad_input` that names the path, if something exists there. */
export function refuseExisting(path: string, fix: string): void {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return;
  throw new AppError('bad_input', { field: path, fault: 'exists already', fix });
}

async function packDatabase({ database, logger }: BackupDeps, copy: string): Promise<Contents['database']> {
  await copyDatabaseFile(database, copy);
  const copied = openDatabase({ kind: 'sqlite', file: copy }, logger);
  let last: string | undefined;
  try {
    last = await lastMigration(copied);
  } finally {
    await copied.close();
  }
  if (last === undefined) {
    const fault = 'the database is empty';
    throw new AppError('misconfigured', { field: 'DATABASE_URL', fault, command: 'run "millime migrate" first' });
  }
  const digest = createHash('sha256');
  for await (const chunk of createReadStream(copy)) digest.update(chunk as Buffer);
  const { size } = await stat(copy);
  return { name: DATABASE_NAME, bytes: size, sha256: digest.digest('hex'), lastMigration: last };
}

/** Returns undefined if the installation has no key file. */
async function packKeys(
  { keysFile }: BackupDeps,
  passphrase: string,
  beside: string = NO_DATABASE,
): Promise<{ readonly text: string; readonly packed: PackedFile } | undefined> {
  const keys = await readKeyFile(keysFile);
  if (keys === undefined) return undefined;
  const text = await sealKeys(keys.text, passphrase, beside);
  return { text, packed: { name: KEYS_NAME, bytes: Buffer.byteLength(text), sha256: sha256Hex(text) } };
}

async function naming<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw isAppError(error) ? error : notWritten(path, error);
  }
}

/** Returns the `bad_input` that names a file which could not be written. */
export function notWritten(path: string, error: unknown, more: { readonly fix?: string } = {}): AppError {
  const fault = systemCodeOf(error) === 'EEXIST' ? 'exists already' : `cannot be written (${systemCodeOf(error)})`;
  return new AppError('bad_input', { field: path, fault, ...more }, { cause: error });
}
