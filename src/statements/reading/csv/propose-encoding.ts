import { isUtf8 } from 'node:buffer';
import { analyse } from 'chardet';
import iconv from 'iconv-lite';
import { decodeText, type Encoding, ENCODINGS, utf16Of } from '../decode-text';
import { notDecoded } from './no-proposal';

export interface EncodedText {
  readonly encoding: Encoding;
  readonly text: string;
}

/** Contains every letter of ISO 8859-1, and characters that a later file of the bank may have. */
const WIDER: Encoding = 'windows-1252';
/** Letters are counted in this much of the file, from the first byte that is not ASCII. */
const SAMPLE_BYTES = 64 * 1024;
/** A run of bytes as long as no Latin word has letters with accents side by side. */
const HIGH_BYTES = /[\u0080-\u00ff]{3,}/g;

/**
 * Returns the possible encodings of a file that no profile knows, with its text, the likeliest first. It uses the byte
 * order mark, then UTF-16 or UTF-8 if every byte fits, then words of Arabic letters, then the frequency of letters.
 * @throws AppError `bad_input` if the bytes fit no supported encoding.
 */
export function proposeEncodings(bytes: Uint8Array): readonly EncodedText[] {
  const utf16 = utf16Of(bytes);
  const candidates = utf16 === undefined ? (isUtf8(bytes) ? (['utf-8'] as const) : guesses(bytes)) : [utf16];
  if (candidates.length === 0) throw notDecoded(`expected text in ${ENCODINGS.join(', ')}, got bytes of none of them`);
  const faults: string[] = [];
  const texts = candidates.flatMap((encoding) => {
    const decoded = decodeText(bytes, encoding);
    if (decoded.ok) return [{ encoding, text: decoded.text }];
    faults.push(decoded.fault);
    return [];
  });
  if (texts.length === 0) throw notDecoded(...faults);
  return texts;
}

function guesses(bytes: Uint8Array): readonly Encoding[] {
  const from = Math.max(
    bytes.findIndex((byte) => byte >= 0x80),
    0,
  );
  const start = Math.max(from - SAMPLE_BYTES / 2, 0);
  const sample = bytes.subarray(start, start + SAMPLE_BYTES);
  const likely = analyse(sample)
    .map(({ name }) => (name === 'ISO-8859-1' ? WIDER : name.toLowerCase()))
    .flatMap((name) => ENCODINGS.filter((encoding) => encoding === name && !encoding.startsWith('utf-')));
  return hasArabicWords(sample) ? [...new Set<Encoding>(['windows-1256', ...likely])] : likely;
}

/** Returns whether every long run of bytes above ASCII is a word of Arabic letters in windows-1256. */
function hasArabicWords(sample: Uint8Array): boolean {
  const runs = Buffer.from(sample).toString('latin1').match(HIGH_BYTES) ?? [];
  const isArabic = (run: string): boolean =>
    /^[\p{Script=Arabic}\p{M}\u0640\u060c\u200c-\u200f\u00a0]+$/u.test(
      iconv.decode(Buffer.from(run, 'latin1'), 'windows-1256'),
    );
  return runs.length > 0 && runs.every(isArabic);
}
