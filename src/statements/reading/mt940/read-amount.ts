import { exponentOf } from '../currencies';
import { type Decimal, parseDecimal } from '../decimal';

/** Digits with one comma, as SWIFT requires; some banks write a point instead. */
const AMOUNT = /^\d*(?:[.,]\d*)?$/;

/** Perhaps grouped thousands, which SWIFT forbids, or a point in place of the comma. */
const MAY_BE_GROUPED = /\.\d{3}$/;
const GROUP_DIGITS = 3;

/**
 * Reads `1250,50`, `,50`, `0,`, `1234`. Returns undefined for anything else, and for `1.500` unless its currency has
 * three decimals: it may be one thousand five hundred.
 */
export function readAmount(text: string, currency: string | undefined): Decimal | undefined {
  if (MAY_BE_GROUPED.test(text) && (exponentOf(currency ?? '') ?? 0) < GROUP_DIGITS) return undefined;
  return AMOUNT.test(text) ? parseDecimal(text.replace(',', '.')) : undefined;
}

/** Returns the digits, commas and points at the start of a text, a valid amount or not. */
export function amountRun(text: string): string {
  return /^[\d.,]*/.exec(text)?.[0] ?? '';
}

/** Returns whether an amount may be incomplete if the file ends right after it: SWIFT always writes the comma. */
export function mayBeCut(text: string): boolean {
  return !/[.,]/.test(text);
}
