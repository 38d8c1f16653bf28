import { refusal } from './refusal';

const UTF16_MARKS = ['\u00ff\u00fe', '\u00fe\u00ff'];

/**
 * Refuses bytes with a NUL: archives, pictures, files that a transfer padded. UTF-16 with its mark has NULs in each
 * letter and passes. `bytes` may be the beginning of a file.
 * @throws AppError `bad_input` that names the line.
 */
export function requireText(bytes: Buffer): void {
  if (UTF16_MARKS.includes(bytes.toString('latin1', 0, 2))) return;
  const at = bytes.indexOf(0);
  if (at === -1) return;
  const line = bytes.toString('latin1', 0, at).split(/\r\n|\r|\n/).length;
  throw refusal(`line ${line}: expected text, got a NUL`);
}
