import { isUtf8 } from 'node:buffer';
import { analyse } from 'chardet';
import { decodeText, type Encoding, ENCODINGS } from '../decode-text';
import { noProposal } from './no-proposal';

/** Contains every letter of ISO 8859-1, and characters that a later file of the bank may have. */
const WIDER: Encoding = 'windows-1252';
/** Letters are counted in this much of the file, from the first byte that is not ASCII. */
const SAMPLE_BYTES = 64 * 1024;

/**
 * Returns the encoding of a file that no profile knows, and its text. It uses the byte order mark, then UTF-8 if every
 * byte fits, then the frequency of letters.
 * @throws AppError `bad_input` if the bytes fit no supported encoding.
 */
export function proposeEncoding(bytes: Uint8Array): { readonly encoding: Encoding; readonly text: string } {
  const [encoding, ...others] = isUtf8(bytes) ? (['utf-8'] as const) : guesses(bytes);
  if (encoding === undefined) throw noProposal(`expected text in ${ENCODINGS.join(', ')}, got bytes of none of them`);
  const faults: string[] = [];
  for (const candidate of [encoding, ...others]) {
    const decoded = decodeText(bytes, candidate);
    if (decoded.ok) return { encoding: candidate, text: decoded.text };
    faults.push(decoded.fault);
  }
  throw noProposal(...faults);
}

function guesses(bytes: Uint8Array): readonly Encoding[] {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return ['utf-16le'];
  const from = Math.max(
    bytes.findIndex((byte) => byte >= 0x80),
    0,
  );
  const start = Math.max(from - SAMPLE_BYTES / 2, 0);
  return analyse(bytes.subarray(start, start + SAMPLE_BYTES))
    .map(({ name }) => (name === 'ISO-8859-1' ? WIDER : name.toLowerCase()))
    .flatMap((name) =>
      ENCODINGS.filter((encoding) => encoding === name && encoding !== 'utf-8' && encoding !== 'utf-16le'),
    );
}
