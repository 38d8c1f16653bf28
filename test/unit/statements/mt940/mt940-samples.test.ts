// Goal: real MT940 files are read like an independent reader reads them, and broken ones are refused.
// Method: every MT940 and MT942 sample beside this repository, compared as text; the repository contains none of them.
import { isUtf8 } from 'node:buffer';
import { describe, expect, test } from '@jest/globals';
import { isAppError } from '../../../../src/kernel';
import { type Decimal, decimalText } from '../../../../src/statements';
import { looksLikeMt940 } from '../../../../src/statements/reading/mt940/looks-like-mt940';
import { addDecimals, createMt940Reader, negateDecimal, ZERO_DECIMAL } from '../../../../src/statements/testing';
import { type ReadStatement, readStatements } from '../../../support/read-events';
import { type SampleStatement, statementSamples } from '../../../support/statement-samples';

const SAMPLES = statementSamples();
const READABLE = ['ok', 'unbalanced', 'no-proof'];
const MT940 = SAMPLES.filter(({ format }) => format === 'mt940').map((sample) => ({
  ...sample,
  readable: READABLE.includes(sample.verdict),
}));
const OTHERS = SAMPLES.filter(({ format }) => format !== 'mt940');

function sumOf(amounts: readonly Decimal[]): string {
  return decimalText(amounts.reduce(addDecimals, ZERO_DECIMAL));
}

function summaryOf({ statement, lines }: ReadStatement): SampleStatement {
  const amounts = lines.map(({ amount }) => amount);
  return {
    account: statement.account ?? null,
    currency: statement.currency ?? null,
    opening: statement.opening === undefined ? null : decimalText(statement.opening.amount),
    closing: statement.closing === undefined ? null : decimalText(statement.closing.amount),
    entries: lines.length,
    credits: sumOf(amounts.filter(({ units }) => units >= 0n)),
    debits: sumOf(amounts.filter(({ units }) => units < 0n).map(negateDecimal)),
  };
}

function read(bytes: Buffer, pieceBytes?: number): ReadStatement[] {
  return readStatements(createMt940Reader({ utf8: isUtf8(bytes) }), bytes, pieceBytes);
}

const describeSamples = SAMPLES.length === 0 ? describe.skip : describe;

describeSamples('the MT940 reader on sample files', () => {
  test('finds them', () => {
    expect(MT940.length).toBeGreaterThan(100);
    expect(OTHERS.length).toBeGreaterThan(100);
  });

  test.each(MT940.filter(({ readable }) => readable))('reads $path as expected', ({ bytes, statements }) => {
    const wanted = statements.map(({ account, currency, opening, closing, entries, credits, debits }) => {
      return { account, currency, opening, closing, entries, credits, debits };
    });
    expect(read(bytes()).map(summaryOf)).toEqual(wanted);
    expect(read(bytes(), 1)).toEqual(read(bytes()));
  });

  test.each(MT940.filter(({ readable }) => !readable))('refuses $path with the line', ({ bytes }) => {
    let fault: unknown;
    try {
      read(bytes());
    } catch (error) {
      fault = error;
    }
    if (!isAppError(fault, 'bad_input')) throw new Error('the file was read');
    expect(fault.details.join('\n')).toMatch(/^line \d+: expected .+, got /);
  });

  test.each(MT940.filter(({ readable }) => readable))('recognizes $path as MT940', ({ bytes }) => {
    expect(looksLikeMt940(bytes().toString('latin1'))).toBe(true);
  });

  test('recognizes no sample of another format as MT940', () => {
    const taken = OTHERS.filter(({ bytes }) => looksLikeMt940(bytes().subarray(0, 65_536).toString('latin1')));
    expect(taken.map(({ path }) => path)).toEqual([]);
  });
});
