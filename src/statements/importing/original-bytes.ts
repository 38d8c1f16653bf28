import { gunzipSync } from 'node:zlib';
import type { Database } from '../../db';
import type { BankFile } from '../reading/bank-file';
import { requireStatement } from '../require-statement';
import type { StatementFile } from '../statement-records';
import { openStatements } from '../statement-store';

/** The limit on an unpacked chunk, however well it is compressed. */
const CHUNK_BYTES_MAX = 1024 * 1024;

/** Returns a stored bank file. Its chunks are gzipped separately and unpacked one at a time. */
export function bankFileOfChunks({ name, sizeBytes }: StatementFile, chunks: readonly Uint8Array[]): BankFile {
  return {
    name,
    sizeBytes,
    *pieces() {
      for (const chunk of chunks) yield unpack(chunk);
    },
  };
}

export function unpackBytes(chunks: readonly Uint8Array[]): Buffer {
  return Buffer.concat(chunks.map(unpack));
}

/**
 * Writes the original bytes of a statement's file, unpacked piece by piece, until `write` returns false.
 *
 * @throws AppError `not_found`; and every error of `write`.
 */
export async function writeOriginal(
  database: Database,
  statementId: string,
  write: (piece: Buffer) => Promise<boolean>,
): Promise<void> {
  const { file, chunks } = await database.read(
    async (session) => {
      const found = await requireStatement(session, statementId);
      return { file: found.file, chunks: await openStatements(session).originalChunks(found.file.id) };
    },
    { snapshot: true },
  );
  for (const piece of bankFileOfChunks(file, chunks).pieces()) if (!(await write(piece))) return;
}

function unpack(chunk: Uint8Array): Buffer {
  return gunzipSync(chunk, { maxOutputLength: CHUNK_BYTES_MAX });
}
