import { isUtf8 } from 'node:buffer';
import iconv from 'iconv-lite';
import { lineAt } from './line-at';

/** The encodings that a profile may name. */
export const ENCODINGS = [
  'utf-8',
  'windows-1252',
  'windows-1256',
  'iso-8859-1',
  'iso-8859-15',
  'utf-16le',
  'utf-16be',
] as const;
export type Encoding = (typeof ENCODINGS)[number];

export type Decoded = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly fault: string };

const UTF8_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const UTF16LE_MARK = Buffer.from([0xff, 0xfe]);
const UTF16BE_MARK = Buffer.from([0xfe, 0xff]);
const SAMPLE_BYTES = 64 * 1024;
// The characters that invalid bytes give. ISO 8859 turns Windows punctuation into C1 controls. In valid UTF-8, a U+FFFD
// is what the bank wrote, perhaps for a lost letter.
const NOT_TEXT = /[\u0000\u0080-\u009f\ufffd]/;

/**
 * Decodes a bank file. A byte order mark outweighs the profile, because nothing else looks like one. Bytes that do not
 * fit are an error: text in a wrong encoding would be stored as if the bank had written it.
 */
export function decodeText(bytes: Uint8Array, encoding: Encoding): Decoded {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const actual = markedEncoding(buffer) ?? encoding;
  if (actual.startsWith('utf-16') && buffer.length % 2 !== 0) {
    return { ok: false, fault: `expected ${actual}, got an odd number of bytes` };
  }
  if (isSingleByte(actual) && isUtf8(buffer) && buffer.some((byte) => byte >= 0x80)) {
    return { ok: false, fault: `expected ${actual}, as the profile states, got utf-8` };
  }
  if (actual === 'utf-8') return decodeUtf8(buffer);
  const text = iconv.decode(buffer, actual);
  const found = NOT_TEXT.exec(text);
  if (found === null) return { ok: true, text };
  const line = lineAt(text, found.index);
  return found[0] === '\0' ? holdsNul(line) : misfits(line, actual);
}

/** Every UTF-8 character except NUL is text, including the controls that a mainframe's table made of an apostrophe. */
function decodeUtf8(buffer: Buffer): Decoded {
  if (!isUtf8(buffer)) {
    // Invalid bytes become another character, which is written with other bytes.
    const again = Buffer.from(buffer.toString('utf8'));
    let at = 0;
    while (at < buffer.length && buffer[at] === again[at]) at += 1;
    return misfits(lineAt(buffer.toString('latin1'), at), 'utf-8');
  }
  const text = iconv.decode(buffer, 'utf-8');
  const nul = text.indexOf('\0');
  return nul === -1 ? { ok: true, text } : holdsNul(lineAt(text, nul));
}

function holdsNul(line: number): Decoded {
  return { ok: false, fault: `line ${line}: expected text, got a NUL` };
}

function misfits(line: number, encoding: Encoding): Decoded {
  return { ok: false, fault: `line ${line}: expected ${encoding}, got other bytes` };
}

function markedEncoding(buffer: Buffer): Encoding | undefined {
  if (buffer.subarray(0, UTF8_MARK.length).equals(UTF8_MARK)) return 'utf-8';
  if (buffer.subarray(0, UTF16LE_MARK.length).equals(UTF16LE_MARK)) return 'utf-16le';
  if (buffer.subarray(0, UTF16BE_MARK.length).equals(UTF16BE_MARK)) return 'utf-16be';
  return undefined;
}

/**
 * Returns the byte order of UTF-16 text, by its mark or by its beginning: digits, separators and line ends have a zero
 * byte, always on the same side. Undefined if that is not certain.
 */
export function utf16Of(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const marked = markedEncoding(buffer);
  if (marked === 'utf-16le' || marked === 'utf-16be') return marked;
  const sample = buffer.subarray(0, SAMPLE_BYTES);
  const zeros = [0, 0];
  sample.forEach((byte, index) => {
    if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  });
  const [even = 0, odd = 0] = zeros;
  const isCertain = marked === undefined && Math.min(even, odd) === 0 && Math.max(even, odd) * 8 > sample.length;
  if (!isCertain || buffer.length % 2 !== 0) return undefined;
  const encoding = even > 0 ? 'utf-16be' : 'utf-16le';
  const text = iconv.decode(sample, encoding);
  return NOT_TEXT.test(text) || !/[\r\n]/.test(text) ? undefined : encoding;
}

function isSingleByte(encoding: Encoding): boolean {
  return !encoding.startsWith('utf-');
}
