import { isAscii } from 'node:buffer';
import iconv from 'iconv-lite';
import type { XmlEncoding } from './xml-encoding';

export interface DecodedPiece {
  /** The text up to the first bytes that are not text. */
  readonly text: string;
  readonly broken: boolean;
}

export interface StreamDecoder {
  /** Decodes the complete characters. The bytes of an incomplete one wait for the next piece. */
  decode(bytes: Buffer): DecodedPiece;
  /** Whether bytes of an incomplete character are left. */
  readonly pending: boolean;
}

const NOTHING: Buffer = Buffer.alloc(0);
// The characters that ISO 8859 and windows-1252 give for bytes that no bank writes. They show a wrong encoding.
const NOT_TEXT = /[\u0080-\u009f\ufffd]/;
const NOT_ASCII = /[\u0080-\u00ff]/;

/** Decodes a file piece by piece. It never replaces bytes that do not fit the encoding. */
export function createStreamDecoder(encoding: XmlEncoding): StreamDecoder {
  const decodeWhole = DECODERS[encoding];
  const cutBytes = CUT_BYTES[encoding] ?? noCutBytes;
  let rest = NOTHING;
  return {
    decode(bytes) {
      const all = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
      const end = all.length - cutBytes(all);
      rest = end === all.length ? NOTHING : Buffer.from(all.subarray(end));
      const whole = all.subarray(0, end);
      if (isAscii(whole) && !encoding.startsWith('utf-16')) return { text: whole.toString('latin1'), broken: false };
      return decodeWhole(whole);
    },
    get pending() {
      return rest.length > 0;
    },
  };
}

function upTo(wrong: RegExp, text: string): DecodedPiece {
  const at = text.search(wrong);
  return at === -1 ? { text, broken: false } : { text: text.slice(0, at), broken: true };
}

const DECODERS: Readonly<Record<XmlEncoding, (whole: Buffer) => DecodedPiece>> = {
  'utf-8': unicode('utf-8'),
  'utf-16le': unicode('utf-16le'),
  'utf-16be': unicode('utf-16be'),
  'us-ascii': (whole) => upTo(NOT_ASCII, whole.toString('latin1')),
  'iso-8859-1': (whole) => upTo(NOT_TEXT, whole.toString('latin1')),
  // In some versions of Node.js, TextDecoder reads windows-1252 as latin1.
  'iso-8859-15': (whole) => upTo(NOT_TEXT, iconv.decode(whole, 'iso-8859-15')),
  'windows-1252': (whole) => upTo(NOT_TEXT, iconv.decode(whole, 'windows-1252')),
};

function unicode(label: string): (whole: Buffer) => DecodedPiece {
  // A mark inside the text is an ordinary character. The mark of the file was removed before.
  const strict = new TextDecoder(label, { fatal: true, ignoreBOM: true });
  const lenient = new TextDecoder(label, { ignoreBOM: true });
  return (whole) => {
    try {
      return { text: strict.decode(whole), broken: false };
    } catch {
      return { text: upTo(/\ufffd/, lenient.decode(whole)).text, broken: true };
    }
  };
}

const CUT_BYTES: Partial<Record<XmlEncoding, (bytes: Buffer) => number>> = {
  'utf-8': cutUtf8,
  'utf-16le': (bytes) => cutUtf16(bytes, 1),
  'utf-16be': (bytes) => cutUtf16(bytes, 0),
};

function noCutBytes(): number {
  return 0;
}

/** Returns the number of bytes at the end that begin an incomplete UTF-8 character. */
function cutUtf8(bytes: Buffer): number {
  for (let back = 1; back <= 3; back += 1) {
    const byte = bytes[bytes.length - back];
    if (byte === undefined || byte < 0x80) return 0;
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return length > back ? back : 0;
    }
  }
  return 0;
}

/**
 * Returns the same for UTF-16: half a unit, and the first unit of a pair. `high` is the position of the high byte in a
 * unit.
 */
function cutUtf16(bytes: Buffer, high: number): number {
  const half = bytes.length % 2;
  const top = bytes[bytes.length - half - 2 + high];
  return top !== undefined && top >= 0xd8 && top <= 0xdb ? half + 2 : half;
}
