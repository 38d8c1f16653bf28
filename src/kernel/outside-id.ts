import { quoted } from './problem-type';

/** The longest identifier from outside, in bytes of UTF-8 (open points 37 and 93). */
const OUTSIDE_ID_BYTES_MAX = 255;

// C0, DEL, C1, and the two Unicode line separators, which would disturb a list or a log.
const CONTROL_CHARACTER = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

/**
 * Returns why a text cannot be an identifier from outside (agentId, transactionId, reference), or undefined when it
 * can. Identifiers are compared byte by byte and never trimmed. Outer spaces are refused and not removed: MariaDB's
 * `_bin` collations ignore trailing spaces, so two different ids would be equal.
 */
export function outsideIdFault(text: string): string | undefined {
  if (text === '') return 'is empty';
  if (!text.isWellFormed()) return 'is not valid Unicode';
  if (Buffer.byteLength(text, 'utf8') > OUTSIDE_ID_BYTES_MAX) return `is longer than ${OUTSIDE_ID_BYTES_MAX} bytes`;
  if (CONTROL_CHARACTER.test(text)) return 'has control characters';
  if (text.trim() !== text) return 'has outer spaces';
  return undefined;
}

// A spreadsheet that takes an identifier for a number writes it with groups or a power of ten, and loses digits.
const SPREADSHEET_NUMBER = /^(?:\d{1,3}(?:[ \u00a0\u202f]\d{3})+|\d(?:[.,]\d+)?E\+\d{2,3})$/;

/** Returns why an identifier of a file cannot be used: the faults of every identifier, and those of spreadsheets. */
export function fileIdFault(text: string): string | undefined {
  if (!SPREADSHEET_NUMBER.test(text)) return outsideIdFault(text);
  return `a spreadsheet changed it to ${quoted(text)}; format the column as text, correct it and export again`;
}

export function isOutsideId(value: unknown): value is string {
  return typeof value === 'string' && outsideIdFault(value) === undefined;
}

/** Compares identifiers by their bytes in UTF-8. All locks and writes use this order. */
export function compareBytes(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at += 1) {
    const [one, other] = [a.charCodeAt(at), b.charCodeAt(at)];
    if (one !== other) return placeInBytes(one) - placeInBytes(other);
  }
  return a.length - b.length;
}

const SURROGATES_FROM = 0xd800;
const SURROGATES_UNTIL = 0xe000;
const UNITS = 0x1_0000;

/** A surrogate is half of a character beyond all others, but its number is not the highest. */
function placeInBytes(unit: number): number {
  return unit >= SURROGATES_FROM && unit < SURROGATES_UNTIL ? unit + UNITS : unit;
}
