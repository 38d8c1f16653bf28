import type { SeededRandom } from '../core/seeded-random';
import type { BankLine } from './bank-line';

const LINE_ID_DIGITS = 12;
const BANK_REFERENCE_DIGITS = 10;

/** Adds an id and a bank reference to a line. */
export function newLine(random: SeededRandom, line: Omit<BankLine, 'lineId' | 'bankReference'>): BankLine {
  return {
    lineId: `line-${random.hex(LINE_ID_DIGITS)}`,
    bankReference: `FT${random.hex(BANK_REFERENCE_DIGITS).toUpperCase()}`,
    ...line,
  };
}
