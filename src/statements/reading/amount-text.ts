import { westernDigits } from '../../kernel';
import { currencyOf } from './currencies';
import { type Decimal, negateDecimal, parseDecimal } from './decimal';
import { type Direction, directionOf } from './direction-words';

/** The form in which a bank writes amounts. */
export interface AmountFormat {
  readonly decimalSign: string;
  readonly thousandsSeparators: readonly string[];
  /** By default, an amount is in the currency itself. */
  readonly unit?: 'dinars' | 'millimes';
}

export type AmountReading =
  /** The amount has the written decimals. `signed`: it has a sign, parentheses, or a word for debit or credit. */
  | { readonly ok: true; readonly amount: Decimal; readonly signed: boolean; readonly currency: string | undefined }
  /** The expected form, for a message. */
  | { readonly ok: false; readonly expected: string };

/** An amount without its sign, its currency and its word for debit or credit. */
export interface AmountParts {
  readonly digits: string;
  readonly signed: boolean;
  readonly negative: boolean;
  /** ISO 4217. */
  readonly currency: string | undefined;
}

/** In Arabic text they have one meaning each, whatever the form of the file's other amounts. */
const ARABIC_DECIMAL_SIGN = '\u066b';
const ARABIC_THOUSANDS_SEPARATOR = '\u066c';
/** No amount is longer. */
const CHARACTERS_MAX = 60;
const PLAIN = /^([-+\u2212]?)([^\p{L}€()]*\d)$/u;
const BETWEEN_WORDS = /[^\p{L}€]+/gu;
const NUMBER_END = /[\d)+\u2212-]$/u;
const WORDS = /^(?:[\p{L}€][\p{L}\p{M}.€\s]*)?$/u;
const IN_PARENTHESES = /^\(([^-+\u2212()]+)\)$/u;
const SIGN_BEFORE = /^([-+\u2212])([^-+\u2212()]+)$/u;
const SIGN_BEHIND = /^([^-+\u2212()]+?)\s?([-+\u2212])$/u;

/**
 * Reads an amount digit by digit and never through a float. Groups must have three digits, because a separator in
 * another position is probably a wrong decimal sign. The decimals of the currency are checked later, when the currency
 * is known.
 */
export function parseAmountText(text: string, format: AmountFormat): AmountReading {
  const parts = amountParts(text);
  if (parts === undefined) return { ok: false, expected: 'an amount' };
  const decimalSign = parts.digits.includes(ARABIC_DECIMAL_SIGN) ? ARABIC_DECIMAL_SIGN : format.decimalSign;
  const [whole = '', fraction, ...others] = parts.digits.split(decimalSign, 3);
  if (others.length > 0) return { ok: false, expected: 'an amount with one decimal sign' };
  const digits = ungrouped(whole, [...format.thousandsSeparators, ARABIC_THOUSANDS_SEPARATOR]);
  if (digits === undefined) return { ok: false, expected: 'an amount' };
  if (fraction !== undefined && !/^\d+$/.test(fraction)) return { ok: false, expected: 'an amount' };
  const amount = parseDecimal(fraction === undefined ? digits : `${digits}.${fraction}`);
  if (amount === undefined) return { ok: false, expected: 'an amount with fewer digits' };
  const { signed, negative, currency } = parts;
  const { units, scale } = negative ? negateDecimal(amount) : amount;
  return { ok: true, amount: { units, scale: format.unit === 'millimes' ? scale + 3 : scale }, signed, currency };
}

/**
 * Splits `-5,950`, `5,950-`, `(5,950)`, `5,950 D` and `1 234,567 TND`, as people see them. Undefined for any other form, and for an amount
 * with both a sign and a word for debit or credit, which may say the same or the opposite.
 */
export function amountParts(text: string): AmountParts | undefined {
  const trimmed = westernDigits(text).trim();
  if (trimmed.length > CHARACTERS_MAX) return undefined;
  const [, plainSign, plainDigits] = PLAIN.exec(trimmed) ?? [];
  if (plainDigits !== undefined) return withSign(plainDigits, plainSign);
  const [number = '', ...others] = (trimmed.match(BETWEEN_WORDS) ?? []).filter((part) => /\d/.test(part));
  const around = trimmed.split(number);
  if (others.length > 0 || !NUMBER_END.test(number.trim()) || !around.every((part) => WORDS.test(part.trim()))) {
    return undefined;
  }
  const words = wordsOf(around.join(' '));
  const parts = signedParts(number.trim());
  if (words === undefined || parts === undefined) return undefined;
  const { direction, currency } = words;
  if (direction === undefined) return { ...parts, currency };
  return parts.signed ? undefined : { ...parts, signed: true, negative: direction === 'debit', currency };
}

/** Returns whether a text with an amount states money: it has a digit other than 0. */
export function hasValue(text: string): boolean {
  return /[1-9]/.test(westernDigits(text));
}

function signedParts(number: string): AmountParts | undefined {
  const [, inside] = IN_PARENTHESES.exec(number) ?? [];
  if (inside !== undefined) return withSign(inside.trim(), '-');
  const [, signBefore, behindSign] = SIGN_BEFORE.exec(number) ?? [];
  if (behindSign !== undefined) return withSign(behindSign, signBefore);
  const [, beforeSign, signBehind] = SIGN_BEHIND.exec(number) ?? [];
  if (beforeSign !== undefined) return withSign(beforeSign, signBehind);
  return /[-+\u2212()]/u.test(number) ? undefined : withSign(number, '');
}

function withSign(digits: string, sign = ''): AmountParts {
  return { digits, signed: sign !== '', negative: sign !== '' && sign !== '+', currency: undefined };
}

interface Words {
  readonly direction: Direction | undefined;
  readonly currency: string | undefined;
}

/** Returns the meaning of the words beside a number; undefined for other words. */
function wordsOf(text: string): Words | undefined {
  const words = text.split(/\s+/u).filter((word) => word !== '');
  const directions = words.flatMap((word) => directionOf(word) ?? []);
  const others = words.filter((word) => directionOf(word) === undefined).join(' ');
  const currency = others === '' ? undefined : currencyOf(others);
  if (directions.length > 1 || (others !== '' && currency === undefined)) return undefined;
  return { direction: directions[0], currency };
}

/**
 * Returns the digits of `1 234 567`; undefined unless the first group has one to three digits and each other group
 * three. No grouped number starts with a zero: `0,500` with grouping commas is half a unit that would become five
 * hundred.
 */
function ungrouped(whole: string, separators: readonly string[]): string | undefined {
  if (/^\d+$/.test(whole)) return whole;
  const separator = separators.find((candidate) => whole.includes(candidate));
  if (separator === undefined) return undefined;
  const [first = '', ...others] = whole.split(separator);
  if (!/^[1-9]\d{0,2}$/.test(first) || !others.every((group) => /^\d{3}$/.test(group))) return undefined;
  return [first, ...others].join('');
}
