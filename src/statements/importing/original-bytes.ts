import { gunzipSync } from 'node:zlib';
import type { BankFile } from '../reading/bank-file';
import type { StatementFile } from '../statement-records';

/** No chunk holds more, however well it is packed. */
const CHUNK_BYTES_MAX = 1024 * 1024;

/** A bank file as it was kept: its pieces, each gzipped on its own. They are unpacked one at a time. */
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
