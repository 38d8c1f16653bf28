import { gunzipSync } from 'node:zlib';
import type { BankFile } from '../reading/bank-file';
import type { StatementFile } from '../statement-records';

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

function unpack(chunk: Uint8Array): Buffer {
  return gunzipSync(chunk, { maxOutputLength: CHUNK_BYTES_MAX });
}
