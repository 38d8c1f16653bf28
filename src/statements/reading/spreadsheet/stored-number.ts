import { dateFromSerial, format, getFormatDateInfo, getFormatInfo, isValidFormat, tokenize } from 'numfmt';
import { parseBusinessDate } from '../../../kernel';
import { NUMBER_FORMATS_MAX } from '../limits';
import type { CellValue } from './sheet';

export type NumberReading =
  | { readonly ok: true; readonly value: CellValue }
  /** The expected form and the found one, for a message. `lost` is the text of an integer that lost digits. */
  | { readonly ok: false; readonly expected: string; readonly got: string; readonly lost?: string };

/** The day that the serial number 1 means: 1 January 1900, or 2 January 1904 in old workbooks of the Macintosh. */
export type DateSystem = 1900 | 1904;

/** The language of a format, such as `[$€-40C]`, changes its signs and names of months, but no number and no day. */
const LANGUAGE = /\[\$([^\]-]*)-[^\]]*\]/g;
const STORED = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d{1,3})?$/;
/** From here on a double does not have all digits of an integer that people write, or all millimes of an amount. */
const INTEGER_END = 1e15;
const AMOUNT_END = 1e12;
const MILLIME_DECIMALS = 3;
/** A sum of doubles misses the exact decimal by far less, and no price has such a part of a millime. */
const NOISE_MAX = 1e-6;
const DOUBLE_DIGITS = 15;
const SERIAL_END = 2_958_466;
const DAYS_BEFORE_1904 = 1_462;

/**
 * Reads a number that a workbook stores, together with its number format. The stored number counts, to the millime and
 * without the noise of a double. The shown one must be its rounding, unless its format has a literal decimal sign: then
 * the shown one counts. A date format makes it a date; a percentage, a time or a month stays the text that is shown.
 */
export function readStoredNumber(stored: string, given: string, system: DateSystem): NumberReading {
  const code = given.replace(LANGUAGE, (_, currency: string) => (currency === '' ? '' : `[$${currency}]`));
  const value = Number(stored);
  if (!STORED.test(stored) || !Number.isFinite(value)) return { ok: false, expected: 'a number', got: stored };
  const { info, marked } = knownFormat(code);
  if (info === undefined) return { ok: false, expected: 'a number format such as 0.000', got: given };
  if (info.isDate) return dateOf(value, given, system);
  if (info.isPercent || info.type === 'fraction') return textOf(format(code, value));
  if (Number.isInteger(value) ? Math.abs(value) >= INTEGER_END : Math.abs(value) >= AMOUNT_END) {
    const expected =
      'at most 15 digits, because a spreadsheet loses the others; format the column as text and fill it again';
    const lost = Number.isInteger(value) ? { lost: value.toExponential() } : {};
    return { ok: false, expected, got: stored, ...lost };
  }
  const exact = exactText(value);
  if (info.type === 'general' && info.code === 'G') return numberOf(exact);
  if (info.isText || info.type === 'scientific') return numberOf(exact);
  const text = format(code, value);
  const colored = info.color === 1;
  if (exact !== '0' && value < 0 && !colored && !/[-(\u2212]/.test(text) && text === format(code, -value)) {
    return differing('a negative number that shows its sign', text, exact);
  }
  const literal = marked === undefined ? undefined : withLiteralSign(value, marked, text);
  return literal ?? shownAs(text, { value, exact, scale: info.scale });
}

interface KnownFormat {
  /** Undefined for a code that is no format. */
  readonly info: ReturnType<typeof getFormatInfo> | undefined;
  /** The code with marks for its literal signs; undefined without one. */
  readonly marked: string | undefined;
}

/** As Excel allows. */
const FORMAT_CHARACTERS_MAX = 255;
/** A workbook has fewer, so that none is parsed twice. */
const KNOWN_FORMATS_MAX = 2 * NUMBER_FORMATS_MAX;
const knownFormats = new Map<string, KnownFormat>();

function knownFormat(code: string): KnownFormat {
  const known = knownFormats.get(code);
  if (known !== undefined) return known;
  if (knownFormats.size >= KNOWN_FORMATS_MAX) knownFormats.clear();
  const isValid = code.length <= FORMAT_CHARACTERS_MAX && isValidFormat(code);
  const marked = isValid ? markedCode(code) : code;
  const found = { info: isValid ? getFormatInfo(code) : undefined, marked: marked === code ? undefined : marked };
  knownFormats.set(code, found);
  return found;
}

function dateOf(value: number, code: string, system: DateSystem): NumberReading {
  const { year, month, day } = getFormatDateInfo(code);
  if (!year || !month || !day) return textOf(format(code, value));
  const serial = value + (system === 1904 ? DAYS_BEFORE_1904 : 0);
  const [y = 0, m = 0, d = 0] = serial >= 1 && serial < SERIAL_END ? dateFromSerial(serial) : [];
  const date = parseBusinessDate([String(y).padStart(4, '0'), two(m), two(d)].join('-'));
  if (date === undefined) return { ok: false, expected: 'the number of a day', got: String(value) };
  return { ok: true, value: { kind: 'date', date } };
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}

/** Returns the decimal to the millime if the double means one, otherwise all digits of the double. */
function exactText(value: number): string {
  const millimes = value.toFixed(MILLIME_DECIMALS);
  const isNoise = Math.abs(value - Number(millimes)) < NOISE_MAX;
  const text = isNoise ? millimes : value.toPrecision(DOUBLE_DIGITS);
  const trimmed = text.includes('.') ? text.replace(/(?:\.|(?<!0))0+$/, '') : text;
  return trimmed === '-0' ? '0' : trimmed;
}

interface Shown {
  readonly value: number;
  readonly exact: string;
  /** The factor of the format: 0.001 if it shows thousands. */
  readonly scale: number;
}

/** Compares the shown number with the stored one. */
function shownAs(text: string, { value, exact, scale }: Shown): NumberReading {
  const differs = (expected: string): NumberReading => differing(expected, text, exact);
  const [shown, ...others] = text.match(/\d[\d,\u00a0]*(?:\.\d+)?|\.\d+/g) ?? [];
  // Digits around hyphens or inside words do not show an amount.
  if (others.length > 0 && scale === 1) return numberOf(exact);
  if (shown === undefined) return exact === '0' ? numberOf(exact) : differs('a number that is shown');
  const digits = shown.replace(/[,\u00a0]/g, '');
  const decimals = digits.includes('.') ? digits.length - digits.indexOf('.') - 1 : 0;
  if (Math.abs(Number(digits) - Math.abs(value)) > 0.5 * 10 ** -decimals + NOISE_MAX) {
    return differs('a shown number that is the rounding of the stored one');
  }
  if (decimalsOf(exact) > Math.max(decimals, MILLIME_DECIMALS)) {
    return differs(`a number that is exact to ${MILLIME_DECIMALS} decimals`);
  }
  // Numbers of accounts and checks keep the zeros that their format shows.
  return /^0\d+$/.test(text.trim()) ? textOf(text) : numberOf(exact);
}

function differing(expected: string, text: string, exact: string): NumberReading {
  return { ok: false, expected, got: `${text.trim()}, stored ${exact}` };
}

/** Stand for the literal signs of a format, apart from those that it computes. */
const MARKS: ReadonlyMap<string, string> = new Map(
  [',', '.', '\u066b'].map((sign, index) => [sign, String.fromCharCode(0xe000 + index)]),
);
const LITERALS: ReadonlySet<string> = new Set(['string', 'escaped', 'char']);
const MARK_IN_NUMBER = /(?<=\d\s?)[\ue000-\ue002](?=\s?\d)|[\ue000-\ue002](?=\d)/g;
const ALL_DIGITS = 123_456_789_012;

/**
 * Reads a whole number under a format such as `0","000`, which shows 1200500 as 1200,500: that amount is meant. If a
 * sign may also group digits, the number is the shown text, as in a CSV file. Undefined for a format without a sign of
 * its own between its digits, and with computed decimals behind it.
 */
function withLiteralSign(value: number, marked: string, text: string): NumberReading | undefined {
  const shown = value === 0 ? '' : format(marked, value);
  const marks: readonly string[] = shown.match(MARK_IN_NUMBER) ?? [];
  const last = marks.at(-1);
  if (last === undefined || Number(digitsOf(shown)) !== Math.round(Math.abs(value))) return undefined;
  if (!Number.isInteger(value)) return differing('a whole number', text, String(value));
  const decimalsOfShown = (magnitude: number): string =>
    digitsOf(
      format(marked, Math.sign(value) * magnitude)
        .split(last)
        .slice(1)
        .join(''),
    );
  const { length } = decimalsOfShown(ALL_DIGITS);
  const isDecimal = marks.indexOf(last) === marks.length - 1 && decimalsOfShown(1) === '1'.padStart(length, '0');
  if (!isDecimal) return textOf(text);
  const digits = String(Math.abs(value)).padStart(length + 1, '0');
  return numberOf(`${value < 0 ? '-' : ''}${digits.slice(0, -length)}.${digits.slice(-length)}`);
}

/** Returns a format with marks for its literal signs. */
function markedCode(code: string): string {
  const marked = (literal: string): string => literal.replace(/[,.\u066b]/g, (sign) => MARKS.get(sign) ?? sign);
  return tokenize(code)
    .map(({ type, raw }) => (LITERALS.has(type) ? marked(raw) : raw))
    .join('');
}

function digitsOf(text: string): string {
  return text.replace(/\D/g, '');
}

function decimalsOf(text: string): number {
  return text.includes('.') ? text.length - text.indexOf('.') - 1 : 0;
}

function numberOf(text: string): NumberReading {
  return { ok: true, value: { kind: 'number', text } };
}

function textOf(text: string): NumberReading {
  return { ok: true, value: { kind: 'text', text: text.trim() } };
}
