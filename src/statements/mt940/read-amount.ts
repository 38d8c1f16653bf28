import { parseDecimal, type Decimal } from '../decimal';

/** Digits with one comma, as SWIFT has it; some banks write a point instead, and nobody groups thousands. */
const AMOUNT = /^\d*[.,]?\d*$/;

/** Reads `1250,50`, `,50`, `0,`, `1234`. Undefined for anything else. */
export function readAmount(text: string): Decimal | undefined {
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
