import { type Decimal, negateDecimal, parseDecimal } from './decimal';

/** The form in which a bank writes amounts. */
export interface AmountFormat {
  readonly decimalSign: string;
  readonly thousandsSeparators: readonly string[];
}

export type AmountReading =
  /** The amount has the written decimals. `signed`: a plus or a minus preceded it. */
  | { readonly ok: true; readonly amount: Decimal; readonly signed: boolean }
  /** The expected form, for a message. */
  | { readonly ok: false; readonly expected: string };

const SIGNED = /^([-+\u2212]?)(.*)$/su;

/**
 * Reads an amount digit by digit and never through a float. Groups must have three digits, because a separator in
 * another position is probably a wrong decimal sign. The decimals of the currency are checked later, when the currency
 * is known.
 */
export function parseAmountText(text: string, format: AmountFormat): AmountReading {
  const [, sign = '', unsigned = ''] = SIGNED.exec(text.trim()) ?? [];
  const [whole = '', fraction, ...others] = unsigned.split(format.decimalSign, 3);
  if (others.length > 0) return { ok: false, expected: 'an amount with one decimal sign' };
  const digits = ungrouped(whole, format.thousandsSeparators);
  if (digits === undefined) return { ok: false, expected: 'an amount' };
  if (fraction !== undefined && !/^\d+$/.test(fraction)) return { ok: false, expected: 'an amount' };
  const amount = parseDecimal(fraction === undefined ? digits : `${digits}.${fraction}`);
  if (amount === undefined) return { ok: false, expected: 'an amount with fewer digits' };
  return { ok: true, amount: sign === '' || sign === '+' ? amount : negateDecimal(amount), signed: sign !== '' };
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
