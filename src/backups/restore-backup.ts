import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isKnownMigration } from '../db';
import { AppError, isAppError, systemCodeOf } from '../kernel';
import type { Logger } from '../logging';
import { placeKeyFile, putDurableFile, unlinkIfThere } from '../service-tokens';
import { DATABASE_SUFFIXES, NO_DATABASE, notWritten, refuseExisting } from './create-backup';
import { decodeManifest, type Manifest, MANIFEST_NAME, type PackedFile } from './manifest';
import { openSealedKeys } from './sealed-keys';
import { listTarEntries, readTarEntry, type TarEntry } from './tar-file';

const ENTRIES_MAX = 3;
const SMALL_FILE_MAX = 1024 * 1024;
const NOT_OVERWRITTEN = 'move it away, or restore into another folder with --into; nothing was restored';

export interface RestoreCommand {
  readonly path: string;
  /** Where the database goes; nothing may exist there. Undefined for a database on a server. */
  readonly databaseFile: string | undefined;
  /** Where the key file goes; it may exist only if no keys are restored. */
  readonly keysFile: string;
  readonly passphrase: string | undefined;
  readonly withoutKeys: boolean;
  /** Checks everything, the digests included, and places nothing. */
  readonly dryRun: boolean;
  readonly logger: Logger;
}

/** An open backup, with its manifest and the places of its files. */
interface OpenBackup {
  readonly file: FileHandle;
  readonly path: string;
  readonly manifest: Manifest;
  readonly entries: ReadonlyMap<string, TarEntry>;
}

/**
 * Restores the database and the keys of a backup into files that do not exist yet. Each file appears whole or not at
 * all, with mode 0600.
 *
 * @throws AppError `bad_input` that names the file and says that nothing was restored.
 */
export async function restoreBackup(command: RestoreCommand): Promise<Manifest> {
  const backup = await openBackup(command.path);
  try {
    const { manifest } = backup;
    await refuseUnsuitable(command, manifest);
    const keys = await keysOf(backup, command);
    if (command.dryRun) {
      if (manifest.database !== null) await checkDigest(backup, manifest.database, () => undefined);
      return manifest;
    }
    if (keys !== undefined) await placeKeyFile(command.keysFile, keys);
    try {
      await placeDatabase(backup, command.databaseFile);
    } catch (error) {
      if (keys !== undefined) await unlinkIfThere(command.keysFile);
      throw error;
    }
    return manifest;
  } finally {
    await backup.file.close();
  }
}

async function openBackup(path: string): Promise<OpenBackup> {
  const file = await open(path, 'r').catch((error: unknown) => {
    const fault = `cannot be read (${systemCodeOf(error)})`;
    throw new AppError('bad_input', { field: path, fault }, { cause: error });
  });
  try {
    const listed = (await file.stat()).isFile() ? await listTarEntries(file, ENTRIES_MAX) : undefined;
    const entries = new Map(listed?.map((entry) => [entry.name, entry]));
    const found = entries.get(MANIFEST_NAME);
    const manifest = found === undefined ? undefined : decodeManifest(await smallText(file, found, path));
    if (manifest !== undefined) return { file, path, manifest, entries };
    throw new AppError('bad_input', {
      field: path,
      expected: 'a whole file of "millime backup" that this version can read',
      fix: 'nothing was restored',
    });
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function refuseUnsuitable(command: RestoreCommand, { database, keys }: Manifest): Promise<void> {
  const { path, databaseFile, keysFile, passphrase, withoutKeys, logger } = command;
  if (keys !== null && passphrase === undefined && !withoutKeys) {
    throw new AppError('bad_input', {
      field: '--passphrase-file',
      expected: 'the passphrase of this backup',
      fix: 'give it or set BACKUP_PASSPHRASE, or restore with --without-keys; nothing was restored',
    });
  }
  if (database !== null) {
    if (!(await isKnownMigration(database.lastMigration, 'sqlite', logger))) {
      throw new AppError('bad_input', {
        field: path,
        fault: `comes from a later version of Millime (migration ${database.lastMigration})`,
        fix: 'install that version; nothing was restored',
      });
    }
    if (databaseFile === undefined) {
      throw new AppError('bad_input', {
        field: path,
        fault: 'contains a SQLite database, and DATABASE_URL names a server',
        fix: 'restore into a folder with --into; nothing was restored',
      });
    }
    // A write-ahead log of another database would be applied to the restored one.
    for (const suffix of DATABASE_SUFFIXES) refuseExisting(`${databaseFile}${suffix}`, NOT_OVERWRITTEN);
  }
  if (keys !== null && !withoutKeys) refuseExisting(keysFile, NOT_OVERWRITTEN);
}

async function keysOf(backup: OpenBackup, command: RestoreCommand): Promise<string | undefined> {
  const { keys, database } = backup.manifest;
  if (keys === null || command.withoutKeys || command.passphrase === undefined) return undefined;
  const chunks: Buffer[] = [];
  await checkDigest(backup, keys, (chunk) => void chunks.push(chunk));
  const text = Buffer.concat(chunks).toString('utf8');
  const opened = await openSealedKeys(text, command.passphrase, database?.sha256 ?? NO_DATABASE);
  if (opened !== undefined) return opened;
  throw new AppError('bad_input', {
    field: '--passphrase-file',
    expected: 'the passphrase of this backup, got another one, or its database was replaced',
    fix: 'nothing was restored',
  });
}

async function placeDatabase(backup: OpenBackup, databaseFile: string | undefined): Promise<void> {
  const { database } = backup.manifest;
  if (database === null || databaseFile === undefined) return;
  try {
    await mkdir(dirname(databaseFile), { recursive: true });
    await putDurableFile(databaseFile, (file) => checkDigest(backup, database, (chunk) => file.appendFile(chunk)), {
      how: 'create',
    });
  } catch (error) {
    throw isAppError(error) ? error : notWritten(databaseFile, error, { fix: 'nothing was restored' });
  }
}

/** Passes on the bytes of a packed file. @throws AppError `bad_input` at the end, if they are not those of the backup. */
async function checkDigest(
  { file, path, entries }: OpenBackup,
  { name, bytes, sha256 }: PackedFile,
  use: (chunk: Buffer) => Promise<void> | void,
): Promise<void> {
  const entry = entries.get(name);
  const digest = createHash('sha256');
  if (entry?.size === bytes) {
    for await (const chunk of readTarEntry(file, entry)) {
      digest.update(chunk);
      await use(chunk);
    }
  }
  if (digest.digest('hex') === sha256) return;
  throw new AppError('bad_input', {
    field: path,
    fault: `${name} differs from its digest`,
    fix: 'use another backup; nothing was restored',
  });
}

async function smallText(file: FileHandle, entry: TarEntry, path: string): Promise<string> {
  if (entry.size > SMALL_FILE_MAX) throw new AppError('bad_input', { field: path, expected: 'a small manifest' });
  const chunks: Buffer[] = [];
  for await (const chunk of readTarEntry(file, entry)) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
