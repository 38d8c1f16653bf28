import type { SeededRandom } from '../core/seeded-random';
import type { BankLine } from './bank-line';

const LINE_ID_DIGITS = 12;
const BANK_REFERENCE_DIGITS = 10;

/** Gives a line its id, and the reference that a bank would print. */
export function newLine(random: SeededRandom, line: Omit<BankLine, 'lineId' | 'bankReference'>): BankLine {
  return {
    lineId: `line-${random.hex(LINE_ID_DIGITS)}`,
    bankReference: `FT${random.hex(BANK_REFERENCE_DIGITS).toUpperCase()}`,
    ...line,
  };
}
