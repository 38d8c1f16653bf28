import { exponentOf } from '../currencies';
import { type Decimal, parseDecimal } from '../decimal';

const AMOUNT = /^([+-]?)(\d*)(?:([.,])(\d*))?$/;
const GROUP_DIGITS = 3;

/**
 * Reads an amount of OFX: an optional sign, digits, a point or a comma before the decimals. Returns undefined for
 * anything else, such as an exponent or grouping. `1,000` and `1.500` are thousands for some banks and not for others:
 * they are read, with three decimals, only in a currency that has them.
 */
export function parseOfxAmount(text: string, currency: string | undefined): Decimal | undefined {
  const found = AMOUNT.exec(text);
  if (found === null) return undefined;
  const [, sign = '', whole = '', mark = '', fraction = ''] = found;
  const mayBeGroup = fraction.length === GROUP_DIGITS && /^[1-9]\d{0,2}$/.test(whole);
  if (mayBeGroup && (exponentOf(currency ?? '') ?? 0) < GROUP_DIGITS) return undefined;
  return parseDecimal(`${sign === '-' ? sign : ''}${whole}${mark === '' ? '' : '.'}${fraction}`);
}
