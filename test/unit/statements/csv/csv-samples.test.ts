// Goal: the proposal reads a CSV file from outside the project with the figures of an independent reader.
// Method: the sample files beside this repository, if present; each also in small chunks.
import { describe, expect, test } from '@jest/globals';
import { isAppError } from '../../../../src/kernel';
import { createCsvReader } from '../../../../src/statements/testing';
import { csvFigures } from '../../../fixtures/statements/csv-figures';
import { readStatements } from '../../../support/read-events';
import { statementSamples } from '../../../support/statement-samples';
import { decidedProfile } from './a-profile';

const READABLE = ['ok', 'unbalanced', 'no-proof'];

describe('the CSV reader on sample files', () => {
  const samples = statementSamples().filter(({ format }) => format === 'csv');

  test('reads them as expected, in one piece and in pieces of 7 bytes', () => {
    for (const sample of samples.filter(({ verdict }) => READABLE.includes(verdict))) {
      const bytes = sample.bytes();
      const profile = decidedProfile(bytes);
      const whole = readStatements(createCsvReader({ profile }), bytes);
      const expected = sample.statements.map(({ account, currency, opening, closing, entries, credits, debits }) => ({
        account,
        currency,
        opening,
        closing,
        entries,
        credits,
        debits,
      }));
      expect({ path: sample.path, statements: whole.map(csvFigures) }).toEqual({
        path: sample.path,
        statements: expected,
      });
      expect(readStatements(createCsvReader({ profile }), bytes, 7)).toEqual(whole);
    }
  });

  test('refuses the damaged ones', () => {
    for (const sample of samples.filter(({ verdict }) => !READABLE.includes(verdict))) {
      const read = (): void => {
        const bytes = sample.bytes();
        readStatements(createCsvReader({ profile: decidedProfile(bytes) }), bytes);
      };
      expect(refusalOf(read)).toMatch(/^line \d+, column .*: expected .*, got /);
    }
  });
});

function refusalOf(work: () => void): string {
  try {
    work();
  } catch (error) {
    if (isAppError(error, 'bad_input')) return error.details.join('\n');
    throw error;
  }
  return 'nothing was refused';
}
