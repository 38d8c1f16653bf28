// Goal: real OFX files yield the account, currency, balances and sums that an independent reader found.
// Method: every OFX sample, if present; the amounts are compared as text, with their decimals.
import { describe, expect, test } from '@jest/globals';
import { isAppError } from '../../../../src/kernel';
import { decimalText } from '../../../../src/statements';
import { looksLikeOfx } from '../../../../src/statements/reading/ofx/looks-like-ofx';
import { addDecimals, createOfxReader, negateDecimal, ZERO_DECIMAL } from '../../../../src/statements/testing';
import { type ReadStatement, readStatements } from '../../../support/read-events';
import { type Sample, type SampleStatement, statementSamples } from '../../../support/statement-samples';

const READABLE = new Set(['ok', 'unbalanced', 'no-proof']);
const HEAD_BYTES = 64 * 1024;

/** Where this reader means to differ, and why. */
const REFUSED_ON_PURPOSE: Readonly<Record<string, string>> = {
  'ofx/bradenmacdonald__ofx-js/example2.ofx':
    'its dates are masked with asterisks, and a line needs the day it was booked',
};

function summary({ statement, lines }: ReadStatement): SampleStatement {
  const amounts = lines.map(({ amount }) => amount);
  const credits = amounts.filter(({ units }) => units > 0n).reduce(addDecimals, ZERO_DECIMAL);
  const debits = amounts.filter(({ units }) => units < 0n).reduce(addDecimals, ZERO_DECIMAL);
  return {
    account: statement.account ?? null,
    currency: statement.currency ?? null,
    opening: statement.opening === undefined ? null : decimalText(statement.opening.amount),
    closing: statement.closing === undefined ? null : decimalText(statement.closing.amount),
    entries: lines.length,
    credits: decimalText(credits),
    debits: decimalText(negateDecimal(debits)),
  };
}

function expected({ account, currency, opening, closing, entries, credits, debits }: SampleStatement): SampleStatement {
  return { account, currency, opening, closing, entries, credits, debits };
}

function isRefused(sample: Sample): boolean {
  try {
    readStatements(createOfxReader(), sample.bytes());
    return false;
  } catch (error) {
    return isAppError(error, 'bad_input') && error.details.length > 0;
  }
}

const samples = statementSamples();
const ofx = samples.filter(({ format }) => format === 'ofx');
const readable = ofx.filter(({ path, verdict }) => READABLE.has(verdict) && !(path in REFUSED_ON_PURPOSE));
const refused = ofx.filter((sample) => !readable.includes(sample));

describe('the OFX reader on sample files', () => {
  test('finds them, or the run prints that they are missing', () => {
    expect(ofx.length > 0).toBe(samples.length > 0);
  });

  for (const sample of readable) {
    test(`${sample.path} is read as the independent reader read it`, () => {
      const read = readStatements(createOfxReader(), sample.bytes());
      expect(read.map(summary)).toEqual(sample.statements.map(expected));
    });
  }

  for (const sample of refused) {
    const reason = REFUSED_ON_PURPOSE[sample.path] ?? sample.verdict;
    test(`${sample.path} is refused: ${reason}`, () => {
      expect(isRefused(sample)).toBe(true);
    });
  }

  test('recognizes them by their start and no sample of another format', () => {
    const taken = samples.filter((sample) => looksLikeOfx(sample.bytes().toString('latin1', 0, HEAD_BYTES)));
    expect(taken.map(({ path }) => path)).toEqual(ofx.map(({ path }) => path));
  });
});
