import { exponentOf } from '../currencies';
import { type Decimal, neededScale, parseDecimal } from '../decimal';

export type OfxAmountReading =
  /** `exact`: it has three decimals in a currency with two, and the third is 0. */
  | { readonly ok: true; readonly amount: Decimal; readonly exact: boolean }
  /** The expected form, for a message. */
  | { readonly ok: false; readonly expected: string };

const AMOUNT = /^([+-]?)(\d*)(?:([.,])(\d*))?$/;
const GROUP_DIGITS = 3;
const USUAL_DECIMALS = 2;

/**
 * Reads an amount of OFX: an optional sign, digits, a point or a comma before the decimals, and no exponent or grouping.
 * `1,000` may be thousands, which OFX forbids and some banks write, so it is read only in a currency with three
 * decimals. With a point and a last 0, as in `-30.000`, it is also read in a currency with two.
 */
export function parseOfxAmount(text: string, currency: string | undefined): OfxAmountReading {
  const [, sign = '', whole = '', mark = '', fraction = ''] = AMOUNT.exec(text) ?? [];
  const amount = parseDecimal(`${sign === '-' ? sign : ''}${whole}${mark === '' ? '' : '.'}${fraction}`);
  if (amount === undefined || !AMOUNT.test(text)) return { ok: false, expected: 'an amount' };
  const mayBeGroup = fraction.length === GROUP_DIGITS && /^[1-9]\d{0,2}$/.test(whole);
  if (!mayBeGroup) return { ok: true, amount, exact: false };
  const exponent = currency === undefined ? undefined : exponentOf(currency);
  if (exponent === undefined) {
    return { ok: false, expected: 'a currency (CURDEF) before an amount that may be decimals or thousands' };
  }
  if (exponent >= GROUP_DIGITS) return { ok: true, amount, exact: false };
  const of = `as ${currency ?? ''} has`;
  if (mark === ',' || exponent < USUAL_DECIMALS) {
    return { ok: false, expected: `an amount with at most ${exponent} decimals, ${of}, because this may be thousands` };
  }
  if (neededScale(amount) > exponent) {
    return { ok: false, expected: `an amount with at most ${exponent} decimals, ${of}` };
  }
  return { ok: true, amount, exact: true };
}
