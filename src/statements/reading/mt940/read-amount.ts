import { exponentOf } from '../currencies';
import { type Decimal, parseDecimal } from '../decimal';

/** Digits with one comma, as SWIFT has it; some banks write a point instead. */
const AMOUNT = /^\d*[.,]?\d*$/;

/** What a bank that groups thousands writes, which SWIFT forbids, or a bank that writes a point for the comma. */
const MAY_BE_GROUPED = /\.\d{3}$/;
const GROUP_DIGITS = 3;

/**
 * Reads `1250,50`, `,50`, `0,`, `1234`. Undefined for anything else, also for `1.500` unless its currency has three
 * decimals: it may be a thousand and a half.
 */
export function readAmount(text: string, currency: string | undefined): Decimal | undefined {
  if (MAY_BE_GROUPED.test(text) && (exponentOf(currency ?? '') ?? 0) < GROUP_DIGITS) return undefined;
  return AMOUNT.test(text) ? parseDecimal(text.replace(',', '.')) : undefined;
}

/** The digits, commas and points that a text starts with: where an amount stands, right or wrong. */
export function amountRun(text: string): string {
  return /^[\d.,]*/.exec(text)?.[0] ?? '';
}

/** Whether an amount has lost its end when the file stops right after it: SWIFT always writes the comma. */
export function mayBeCut(text: string): boolean {
  return !/[.,]/.test(text);
}
