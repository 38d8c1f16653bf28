import { statSync } from 'node:fs';
import type { Config } from '../config';
import { AppError } from '../kernel';
import { readInputFile } from './command';

const CHARACTERS_MIN = 12;
const OTHERS_MASK = 0o077;

/**
 * Returns the passphrase of a file, or otherwise of BACKUP_PASSPHRASE; undefined if neither is given. It is never an
 * option, because other users of the machine see options.
 * @throws AppError `bad_input` if it is short, or if other users can read the file.
 */
export function readPassphrase({ backupPassphrase }: Config, file: string | undefined): string | undefined {
  if (file === undefined) {
    return backupPassphrase === undefined ? undefined : checked('BACKUP_PASSPHRASE', backupPassphrase);
  }
  const text = readInputFile(file)
    .toString('utf8')
    .replace(/\r?\n$/, '');
  if ((statSync(file).mode & OTHERS_MASK) !== 0) {
    throw new AppError('bad_input', { field: file, fault: 'is open to other users', fix: 'run chmod 600 on it' });
  }
  return checked(file, text);
}

function checked(field: string, passphrase: string): string {
  if (passphrase.length >= CHARACTERS_MIN) return passphrase;
  throw new AppError('bad_input', { field, expected: `a passphrase of at least ${CHARACTERS_MIN} characters` });
}
