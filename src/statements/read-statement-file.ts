import { AppError, isAppError } from '../kernel';
import { detectProfile } from './csv/detect-profile';
import { readCsvStatement } from './csv/read-csv-statement';
import type { ParsedStatement } from './parsed-statement';
import type { StatementProfile } from './statement-profile';

/** The formats that a file may have. A new one is a new reader here; proof and import do not change. */
export const STATEMENT_FORMATS = ['csv'] as const;
export type StatementFormat = (typeof STATEMENT_FORMATS)[number];

/** The whole file is read into memory, and its bytes are kept in the database. */
const FILE_BYTES_MAX = 16 * 1024 * 1024;

/** A file, and what the person who brings it says about it. */
export interface ReadRequest {
  /** The file's name, for messages and for the list of files. */
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly format?: StatementFormat | 'auto' | undefined;
  /** The name of a profile; without it the header decides. */
  readonly profile?: string | undefined;
  readonly account?: string | undefined;
}

export interface ReadFile {
  readonly format: StatementFormat;
  readonly profile: string;
  readonly statements: readonly ParsedStatement[];
}

/**
 * Reads a bank file and stores nothing.
 *
 * @throws AppError `bad_input` whose message starts with the name of the file.
 */
export function readStatementFile(request: ReadRequest, profiles: readonly StatementProfile[]): ReadFile {
  const { name, bytes } = request;
  if (bytes.length > FILE_BYTES_MAX) throw new AppError('bad_input', `${name}: is larger than 16 MiB`);
  if (bytes.every(isBlank)) throw new AppError('bad_input', `${name}: the file is empty`);
  try {
    const profile =
      request.profile === undefined ? detectProfile(bytes, profiles) : namedProfile(request.profile, profiles);
    const statements = readCsvStatement(bytes, profile, { account: request.account });
    return { format: 'csv', profile: profile.name, statements };
  } catch (error) {
    if (!isAppError(error, 'bad_input')) throw error;
    throw new AppError('bad_input', `${name}: ${error.message}`, { cause: error, details: error.details });
  }
}

function namedProfile(name: string, profiles: readonly StatementProfile[]): StatementProfile {
  const profile = profiles.find((candidate) => candidate.name === name);
  if (profile !== undefined) return profile;
  throw new AppError('bad_input', `there is no profile ${JSON.stringify(name)}`, {
    details: profiles.map((candidate) => `${candidate.name}: ${candidate.description}`),
  });
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
}
