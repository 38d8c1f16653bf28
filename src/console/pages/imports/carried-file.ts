import { gunzipSync, gzipSync } from 'node:zlib';

/** A form without a file takes 1 MiB, and has other fields too. */
const CARRIED_CHARACTERS_MAX = 900 * 1024;
const FILE_BYTES_MAX = 32 * 1024 * 1024;

/**
 * Returns a file as the text of a hidden field, so that the form that imports it need not ask for it again; undefined if
 * it is too large.
 */
export function carriedFile(content: Buffer): string | undefined {
  const text = gzipSync(content).toString('base64url');
  return text.length <= CARRIED_CHARACTERS_MAX ? text : undefined;
}

/** Reads a file from a hidden field; undefined if the field contains none. */
export function readCarriedFile(text: string): Buffer | undefined {
  if (text === '') return undefined;
  try {
    return gunzipSync(Buffer.from(text, 'base64url'), { maxOutputLength: FILE_BYTES_MAX });
  } catch {
    return undefined;
  }
}
