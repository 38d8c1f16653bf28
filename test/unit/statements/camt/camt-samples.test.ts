import { describe, expect, test } from '@jest/globals';
import { isAppError } from '../../../../src/kernel';
import { type Decimal, decimalText } from '../../../../src/statements';
import {
  addDecimals,
  createCamtReader,
  negateDecimal,
  type StatedBalance,
  ZERO_DECIMAL,
} from '../../../../src/statements/testing';
import { type ReadStatement, readStatements } from '../../../support/read-events';
import { type SampleStatement, statementSamples } from '../../../support/statement-samples';

// Goal: real bank files are read like an independent reader reads them, and refused if it cannot read them.
// Method: each sample file is one test; account, currency, balances and sums are compared as text.

const REFUSED = ['partial', 'malformed', 'fragment', 'empty'];
const PIECE_BYTES = 1000;
const samples = statementSamples().filter(({ format }) => format === 'camt');

describe('the camt reader on sample files', () => {
  if (samples.length === 0) test.todo('needs ../shared/samples beside this repository');

  for (const sample of samples) {
    test(`${sample.verdict}: ${sample.path}`, () => {
      if (REFUSED.includes(sample.verdict)) {
        expect(refusalOf(sample.bytes())).toEqual([expect.stringMatching(/^line \d+: .*(expected|found)/)]);
        return;
      }
      const read = readStatements(createCamtReader(), sample.bytes(), PIECE_BYTES);
      expect(read.map(summary)).toEqual(sample.statements.map(wanted));
      expect(read.flatMap(({ lines }) => lines).every(({ raw }) => /^<Ntry[\s>].*<\/Ntry>$/s.test(raw))).toBe(true);
    });
  }
});

/** The details of the error that refuses a file; undefined when it is read. */
function refusalOf(bytes: Buffer): readonly string[] | undefined {
  try {
    readStatements(createCamtReader(), bytes, PIECE_BYTES);
    return undefined;
  } catch (error) {
    if (isAppError(error, 'bad_input')) return error.details;
    throw error;
  }
}

function summary({ statement, lines }: ReadStatement): SampleStatement {
  const amounts = lines.map(({ amount }) => amount);
  return {
    account: statement.account ?? null,
    currency: statement.currency ?? null,
    opening: balanceText(statement.opening),
    closing: balanceText(statement.closing),
    entries: lines.length,
    credits: sumText(amounts.filter(({ units }) => units > 0n)),
    debits: sumText(amounts.filter(({ units }) => units < 0n).map(negateDecimal)),
  };
}

function wanted({ account, currency, opening, closing, entries, credits, debits }: SampleStatement): SampleStatement {
  return { account, currency, opening, closing, entries, credits, debits };
}

function balanceText(balance: StatedBalance | undefined): string | null {
  return balance === undefined ? null : decimalText(balance.amount);
}

function sumText(amounts: readonly Decimal[]): string {
  return decimalText(amounts.reduce(addDecimals, ZERO_DECIMAL));
}
