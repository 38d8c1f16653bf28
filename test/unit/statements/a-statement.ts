import { type BusinessDate, businessDate } from '../../../src/kernel';
import type { Decimal, ParsedLine, ParsedStatement, ScannedStatement } from '../../../src/statements';
import { ProofInProgress } from '../../../src/statements/reading/prove-statement';
import { parseDecimal, type StatedBalance, ZERO_DECIMAL } from '../../../src/statements/testing';

export const ACCOUNT = '11222333333333333344';

export function decimal(text: string): Decimal {
  const parsed = parseDecimal(text);
  if (parsed === undefined) throw new Error(`${text} is a decimal`);
  return parsed;
}

export function balance(text: string, intermediate = false): StatedBalance {
  return { amount: decimal(text), date: undefined, intermediate };
}

/** `2026-04-NN`. */
export function april(day: number): BusinessDate {
  return businessDate(`2026-04-${String(day).padStart(2, '0')}`);
}

export function aParsedLine(amount: string, given: Partial<ParsedLine> = {}): ParsedLine {
  return {
    status: 'booked',
    fileLine: 1,
    bookingDate: april(2),
    valueDate: undefined,
    amount: decimal(amount),
    currency: undefined,
    counterparty: '',
    counterpartyAccount: '',
    remittance: 'X',
    bankReference: '',
    endToEndId: '',
    transactionCode: '',
    details: [],
    balanceAfter: undefined,
    payoutCandidate: undefined,
    raw: '',
    ...given,
  };
}

export function aParsedStatement(given: Partial<ParsedStatement> = {}): ParsedStatement {
  return {
    kind: 'statement',
    fileLine: 1,
    account: ACCOUNT,
    currency: 'TND',
    currencies: ['TND'],
    bankId: '',
    number: '',
    opening: { amount: ZERO_DECIMAL, date: undefined, intermediate: false },
    closing: { amount: ZERO_DECIMAL, date: undefined, intermediate: false },
    totals: {},
    from: undefined,
    through: undefined,
    notes: [],
    ...given,
  };
}

/** As the scan gives it: the statement with the proof of these lines. */
export function aScanned(given: Partial<ParsedStatement>, lines: readonly ParsedLine[] = []): ScannedStatement {
  const parsed = aParsedStatement(given);
  const proof = new ProofInProgress();
  for (const line of lines) proof.add(line);
  return {
    parsed,
    proof: proof.finish(parsed),
    preview: [],
    linesDigest: lines.map(({ remittance }) => remittance).join(','),
    longBefore: [],
    extremes: [],
    credits: { credits: 0, recognized: new Map() },
  };
}
