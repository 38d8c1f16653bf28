import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { AppError, systemCodeOf } from '../../kernel';
import { BYTES_PER_MIB, FILE_BYTES_MAX } from './limits';

/** Small, because between two pieces the process serves other work. */
export const PIECE_BYTES = 64 * 1024;

// Opening a pipe would wait for a writer.
const READ_ONLY = constants.O_RDONLY | constants.O_NONBLOCK;

/** A bank file that can be read more than once, from its beginning. */
export interface BankFile {
  /** The name for messages and for the list of files. */
  readonly name: string;
  readonly sizeBytes: number;
  /** Yields the bytes in pieces of at most 1 MiB. No piece is overwritten, so a reader may keep it. */
  pieces(): Iterable<Buffer>;
}

/** Returns a file of bytes in memory. */
export function bankFileOfBytes(name: string, bytes: Uint8Array): BankFile {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    name,
    sizeBytes: all.length,
    *pieces() {
      for (let at = 0; at < all.length; at += PIECE_BYTES) yield all.subarray(at, at + PIECE_BYTES);
    },
  };
}

/**
 * Returns a file on the disk, which is read piece by piece, whatever its size.
 * @throws AppError `bad_input` if it does not exist, is no plain file, or is too large.
 */
export function bankFileAt(path: string): BankFile {
  const sizeBytes = readable(path, () => withFile(path, (file) => plainFileSize(path, file)));
  return {
    name: path,
    sizeBytes,
    *pieces() {
      const file = readable(path, () => openSync(path, READ_ONLY));
      try {
        for (;;) {
          const piece = Buffer.allocUnsafe(PIECE_BYTES);
          const length = readable(path, () => fill(file, piece));
          if (length > 0) yield piece.subarray(0, length);
          if (length < PIECE_BYTES) return;
        }
      } finally {
        closeSync(file);
      }
    },
  };
}

function plainFileSize(path: string, file: number): number {
  const facts = fstatSync(file);
  // A pipe can be read only once, but a statement is read several times.
  if (!facts.isFile()) throw new AppError('file_faults', { file: path, fault: 'expected a plain file' });
  if (facts.size > FILE_BYTES_MAX) {
    const fault = `expected at most ${FILE_BYTES_MAX / BYTES_PER_MIB} MiB, got ${facts.size} bytes`;
    throw new AppError('file_faults', { file: path, fault });
  }
  return facts.size;
}

function fill(file: number, piece: Buffer): number {
  let filled = 0;
  while (filled < piece.length) {
    const count = readSync(file, piece, filled, piece.length - filled, null);
    if (count === 0) break;
    filled += count;
  }
  return filled;
}

function withFile<T>(path: string, work: (file: number) => T): T {
  const file = openSync(path, READ_ONLY);
  try {
    return work(file);
  } finally {
    closeSync(file);
  }
}

function readable<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof AppError) throw error;
    const fault = `cannot be read (${systemCodeOf(error)})`;
    throw new AppError('file_faults', { file: path, fault }, { cause: error });
  }
}
