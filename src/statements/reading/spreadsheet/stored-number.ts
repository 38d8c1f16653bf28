import { dateFromSerial, format, getFormatDateInfo, getFormatInfo, isValidFormat } from 'numfmt';
import { parseBusinessDate } from '../../../kernel';
import { NUMBER_FORMATS_MAX } from '../limits';
import type { CellValue } from './sheet';

export type NumberReading =
  | { readonly ok: true; readonly value: CellValue }
  /** The expected form and the found one, for a message. `lost` is the text of an integer that lost digits. */
  | { readonly ok: false; readonly expected: string; readonly got: string; readonly lost?: string };

/** The day that the serial number 1 means: 1 January 1900, or 2 January 1904 in old workbooks of the Macintosh. */
export type DateSystem = 1900 | 1904;

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
 * without the noise of a double. The shown one must be its rounding. A date format makes it a date; a percentage, a
 * time or a month stays the text that is shown.
 */
export function readStoredNumber(stored: string, code: string, system: DateSystem): NumberReading {
  const value = Number(stored);
  if (!STORED.test(stored) || !Number.isFinite(value)) return { ok: false, expected: 'a number', got: stored };
  const info = infoOf(code);
  if (info === undefined) return { ok: false, expected: 'a number format such as 0.000', got: code };
  if (info.isDate) return dateOf(value, code, system);
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
  return shownAs(format(code, value), { value, exact, code, colored: info.color === 1, scale: info.scale });
}

type FormatInfo = ReturnType<typeof getFormatInfo>;

/** As Excel allows. */
const FORMAT_CHARACTERS_MAX = 255;
/** A workbook has fewer, so that none is parsed twice. */
const KNOWN_FORMATS_MAX = 2 * NUMBER_FORMATS_MAX;
const knownFormats = new Map<string, FormatInfo | undefined>();

function infoOf(code: string): FormatInfo | undefined {
  if (knownFormats.has(code)) return knownFormats.get(code);
  if (knownFormats.size >= KNOWN_FORMATS_MAX) knownFormats.clear();
  const info = code.length <= FORMAT_CHARACTERS_MAX && isValidFormat(code) ? getFormatInfo(code) : undefined;
  knownFormats.set(code, info);
  return info;
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
  readonly code: string;
  /** Whether its format colors a negative number. */
  readonly colored: boolean;
  /** The factor of the format: 0.001 if it shows thousands. */
  readonly scale: number;
}

/** Compares the shown number with the stored one. */
function shownAs(text: string, { value, exact, code, colored, scale }: Shown): NumberReading {
  const differs = (expected: string): NumberReading => ({
    ok: false,
    expected,
    got: `${text.trim()}, stored ${exact}`,
  });
  const [shown, ...others] = text.match(/\d[\d,\u00a0]*(?:\.\d+)?|\.\d+/g) ?? [];
  // Digits around hyphens or inside words do not show an amount.
  if (others.length > 0 && scale === 1) return numberOf(exact);
  if (shown === undefined) return exact === '0' ? numberOf(exact) : differs('a number that is shown');
  const digits = shown.replace(/[,\u00a0]/g, '');
  if (exact !== '0' && value < 0 && !colored && !/[-(\u2212]/.test(text) && text === format(code, -value)) {
    return differs('a negative number that shows its sign');
  }
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

function decimalsOf(text: string): number {
  return text.includes('.') ? text.length - text.indexOf('.') - 1 : 0;
}

function numberOf(text: string): NumberReading {
  return { ok: true, value: { kind: 'number', text } };
}

function textOf(text: string): NumberReading {
  return { ok: true, value: { kind: 'text', text: text.trim() } };
}
