import { gunzipSync, gzipSync } from 'node:zlib';

/** Small enough for one packet of any server, even when gzip gains nothing. */
const CHUNK_BYTES = 1024 * 1024;

/** The bytes of a file in pieces of at most 1 MiB, each gzipped on its own. */
export function packBytes(bytes: Uint8Array): Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) chunks.push(gzipSync(bytes.subarray(at, at + CHUNK_BYTES)));
  return chunks;
}

export function unpackBytes(chunks: readonly Uint8Array[]): Buffer {
  return Buffer.concat(chunks.map((chunk) => gunzipSync(chunk, { maxOutputLength: CHUNK_BYTES })));
}
