// Goal: a bank file from outside the project is read with the verdict and figures of an independent reader, or refused.
// Method: every sample beside this repository, if present, as `statements import --dry-run` reads it: format recognized
// by content, no profile. Figures are compared as text.
import { describe, expect, test } from '@jest/globals';
import { isAppError } from '../../../src/kernel';
import { bankFileOfBytes, type FileSummary, summarizeStatements } from '../../../src/statements';
import { scanBankFile } from '../../../src/statements/testing';
import { type Sample, type SampleStatement, statementSamples } from '../../support/statement-samples';

const READABLE: readonly string[] = ['ok', 'unbalanced', 'no-proof'];
const REFUSED: readonly string[] = ['partial', 'malformed', 'fragment', 'empty'];

/** What we refuse and the independent reader took, each with the reason. */
const REFUSED_ON_PURPOSE: Readonly<Record<string, string>> = {
  // Its dates are asterisks: a booking without a day cannot be kept.
  'ofx/bradenmacdonald__ofx-js/example2.ofx': 'no-proof',
};

/** The booked lines where the independent reader, which knows no states of CSV lines, counts an announced one too. */
const ONLY_BOOKED: Readonly<Record<string, Partial<SampleStatement>>> = {
  'csv/omarkohl__ofxstatement-sparkasse-freiburg/simple1.csv': { entries: 1, debits: '0' },
  'csv/omarkohl__ofxstatement-sparkasse-freiburg/simple2.csv': { entries: 17, debits: '1280.46' },
};

function read({ path, bytes }: Sample): FileSummary {
  return summarizeStatements(scanBankFile(bankFileOfBytes(path, bytes()), { format: 'auto' }, []).statements);
}

function refusalOf(sample: Sample): { readonly message: string; readonly details: readonly string[] } | undefined {
  try {
    read(sample);
    return undefined;
  } catch (error) {
    if (isAppError(error, 'bad_input')) return { message: error.message, details: error.details };
    throw error;
  }
}

const samples = statementSamples();
const describeSamples = samples.length === 0 ? describe.skip : describe;
const onPurpose = samples.filter(({ path }) => Object.hasOwn(REFUSED_ON_PURPOSE, path));
const others = samples.filter(({ path }) => !Object.hasOwn(REFUSED_ON_PURPOSE, path));
// A table without rows is an error, where the samples are not there.
const table = (rows: readonly Sample[]): [string, Sample][] =>
  samples.length === 0
    ? [['none', { path: '', format: 'csv', verdict: '', statements: [], bytes: () => Buffer.of() }]]
    : rows.map((sample) => [sample.path, sample]);

describeSamples('a sample statement', () => {
  test.each(table(others.filter(({ verdict }) => READABLE.includes(verdict))))('%s is read', (_path, sample) => {
    const statements = sample.statements.map(({ account, currency, opening, closing, entries, credits, debits }) => ({
      account,
      currency,
      opening,
      closing,
      entries,
      credits,
      debits,
      ...ONLY_BOOKED[sample.path],
    }));
    expect(read(sample)).toMatchObject({ verdict: sample.verdict, statements });
  });

  test.each(table(others.filter(({ verdict }) => REFUSED.includes(verdict))))(
    '%s is refused, and the refusal names the file and what is wrong',
    (path, sample) => {
      const refusal = refusalOf(sample);
      expect(refusal?.message.startsWith(path)).toBe(true);
      expect([refusal?.message.slice(path.length), ...(refusal?.details ?? [])].join(' ')).toMatch(
        /line \d+.* expected |the file is empty|expected a statement, got none/s,
      );
    },
  );

  test.each(table(onPurpose))('%s is refused on purpose', (path, sample) => {
    expect(sample.verdict).toBe(REFUSED_ON_PURPOSE[path]);
    expect(refusalOf(sample)?.details.join(' ')).toMatch(/line \d+.* expected .*got/);
  });

  test('has a verdict that one of these tables knows', () => {
    const unknown = samples.filter(({ verdict }) => ![...READABLE, ...REFUSED].includes(verdict));
    expect(unknown.map(({ path, verdict }) => [path, verdict])).toEqual([]);
  });
});
