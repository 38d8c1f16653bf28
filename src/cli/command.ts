import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { Command } from 'commander';
import type { Millime } from '../compose';
import type { Actor } from '../identity';
import { AppError, systemCodeOf } from '../kernel';

/** The exit codes (docs/OPERATIONS.md): scripts of finance and CI depend on them. */
export const EXIT = { done: 0, fault: 1, badInput: 2, breaks: 3 } as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Where a command writes. `--json` output is one JSON document on stdout and nothing else. */
export interface CliIo {
  /** True when a person reads the output on a terminal; only then lists have headings and a summary. */
  readonly isTerminal?: boolean;
  line(text?: string): void;
  json(value: unknown): void;
}

type Work = (millime: Millime, io: CliIo) => Promise<ExitCode | void>;

/** Builds Millime from the environment, runs one command with it, closes it, and sets the exit code. */
export interface RunCommand {
  /** For a command that reads an existing ledger: refuses a SQLite file that does not exist. */
  (work: Work): Promise<void>;
  /** For a command that may start a ledger: creates a missing SQLite file. */
  onNewBooks(work: Work): Promise<void>;
  /** For a command on a database that may be behind or missing. */
  beforeMigration(work: Work): Promise<void>;
}

/** The options of a command that shows something. */
export interface ShowOptions {
  json?: boolean;
}

/** The options of a command that writes. */
export interface WriteOptions extends ShowOptions {
  dryRun?: boolean;
}

/** Adds the commands of one noun to the program. */
export type RegisterCommands = (program: Command, run: RunCommand) => void;

/**
 * Returns the actor: the owner of MILLIME_API_KEY, or otherwise the operator. Once an active key exists, a command that
 * decides refuses the operator. A command that only reads needs no actor.
 * @throws AppError `forbidden`.
 */
export function whoActs({ config, identity }: Millime, options: { decides: boolean }): Promise<Actor> {
  return identity.commandActor(config.apiKey, options);
}

/** Prints a remark to standard error, so that the output contains only the result. */
export function writeAside(text: string): void {
  process.stderr.write(`${text}\n`);
}

const INPUT_BYTES_MAX = 256 * 1024 * 1024;
const CHUNK_BYTES = 4 * 1024 * 1024;

/**
 * Reads a file named on the command line.
 *
 * @throws AppError `bad_input` when it cannot be read or is larger than 256 MiB.
 */
export function readInputFile(path: string): Buffer {
  const bytes = readAtMost(path, INPUT_BYTES_MAX);
  if (bytes === undefined) throw new AppError('bad_input', { field: path, expected: 'a file of at most 256 MiB' });
  return bytes;
}

/**
 * Returns the bytes of a file; undefined if it is larger. It stops reading after the limit, because a device may never
 * end.
 */
function readAtMost(path: string, most: number): Buffer | undefined {
  try {
    const file = openSync(path, 'r');
    try {
      if (fstatSync(file).size > most) return undefined;
      const chunks: Buffer[] = [];
      for (let total = 0; total <= most;) {
        const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
        const length = readSync(file, chunk);
        if (length === 0) return Buffer.concat(chunks, total);
        chunks.push(chunk.subarray(0, length));
        total += length;
      }
      return undefined;
    } finally {
      closeSync(file);
    }
  } catch (error) {
    const fault = `cannot be read (${systemCodeOf(error)})`;
    throw new AppError('bad_input', { field: path, fault }, { cause: error });
  }
}
