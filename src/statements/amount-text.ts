import { negateMillimes, parseMillimes, type Millimes } from '../kernel';

/** How a bank writes amounts. */
export interface AmountFormat {
  readonly decimalSign: string;
  readonly thousandsSeparators: readonly string[];
}

export type AmountReading =
  | { readonly ok: true; readonly amount: Millimes; readonly signed: boolean }
  | { readonly ok: false; readonly reason: string };

/** The dinar has three decimals (ISO 4217 exponent 3): more cannot be kept, fewer lose nothing. */
const TND_DECIMALS = 3;

const SIGNED = /^([-+\u2212]?)(.*)$/su;

/**
 * Reads an amount in dinars as integer millimes, digit by digit and never through a float. Grouping must be
 * well-formed: a separator that stands anywhere but between groups of three is more likely a wrong decimal sign.
 */
export function parseAmountText(text: string, format: AmountFormat): AmountReading {
  const [, sign = '', unsigned = ''] = SIGNED.exec(text.trim()) ?? [];
  const parts = unsigned.split(format.decimalSign);
  const [whole = '', fraction] = parts;
  if (parts.length > 2) return { ok: false, reason: 'has two decimal signs' };
  const digits = ungrouped(whole, format.thousandsSeparators);
  if (digits === undefined) return { ok: false, reason: 'is not an amount' };
  if (fraction !== undefined && !/^\d+$/.test(fraction)) return { ok: false, reason: 'is not an amount' };
  if (fraction !== undefined && fraction.length > TND_DECIMALS) {
    return { ok: false, reason: `has more than ${TND_DECIMALS} decimals` };
  }
  const amount = parseMillimes(`${digits}${(fraction ?? '').padEnd(TND_DECIMALS, '0')}`.replace(/^0+(?=\d)/, ''));
  if (amount === undefined) return { ok: false, reason: 'is too large' };
  return { ok: true, amount: sign === '' || sign === '+' ? amount : negateMillimes(amount), signed: sign !== '' };
}

/** The digits of `1 234 567`; undefined unless the first group has one to three digits and each other one three. */
function ungrouped(whole: string, separators: readonly string[]): string | undefined {
  if (/^\d+$/.test(whole)) return whole;
  const separator = separators.find((candidate) => whole.includes(candidate));
  if (separator === undefined) return undefined;
  const [first = '', ...others] = whole.split(separator);
  if (!/^\d{1,3}$/.test(first) || !others.every((group) => /^\d{3}$/.test(group))) return undefined;
  return [first, ...others].join('');
}
