// Goal: a balance in debit is posted as a debit, however the bank shows it, and nothing is stored if its sign is unclear.
// Method: on both databases, CSV files whose lines add up to zero, so that the balances agree with either sign.
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { OPERATOR } from '../../../src/identity';
import { bankFileOfBytes, type ImportOutcome, PROPOSED_PROFILE } from '../../../src/statements';
import { windows1252 } from '../../fixtures/statements/statement-bytes';
import { describeOnEachDatabase } from '../../support/db';
import { type TheBooks, theBooks } from './set-of-lines/the-books';

const ACCOUNT = '11222333333333333344';

function exportOf(opening: string, closing: string): Buffer {
  return windows1252(
    [
      ...[`RIB;${ACCOUNT}`, 'Devise;DT', 'Date;Libellé;Débit;Crédit;Solde', opening],
      ...['01/04/2026;FRAIS;5,000;;', '02/04/2026;VIREMENT;;5,000;', closing, ''],
    ].join('\r\n'),
  );
}

describeOnEachDatabase('a balance whose lines add up to zero', (harness) => {
  let books: TheBooks;

  beforeEach(() => {
    books = theBooks(harness);
  });

  afterEach(async () => expect(await books.broken()).toEqual([]));

  const importBytes = (bytes: Buffer): Promise<ImportOutcome> =>
    books.statements.import({ file: bankFileOfBytes('bank.csv', bytes), actor: OPERATOR, profile: PROPOSED_PROFILE });

  test.each([
    ['in the column of debits', ';Solde initial;1 000,000;;', ';Solde final;1 000,000;;'],
    ['with a label', ';Solde initial débiteur;;;1 000,000', ';Solde final débiteur;;;1 000,000'],
    ['with a mark', ';Solde initial;;;1 000,000 D', ';Solde final;;;1 000,000 Db'],
  ])('is posted as a debit %s', async (_what, opening, closing) => {
    expect(await importBytes(exportOf(opening, closing))).toMatchObject({
      kind: 'imported',
      statements: [{ statement: { verdict: 'ok', openingMinor: -1_000_000, closingMinor: -1_000_000 } }],
    });
    expect(await books.bankBalance(ACCOUNT)).toBe(-1_000_000);
  });

  test.each([
    ['a label against its column', ';Solde initial créditeur;1 000,000;;', ';Solde final;1 000,000;;'],
    ['both columns', ';Solde initial;1 000,000;2 000,000;', ';Solde final;1 000,000;;'],
    ['an unclear closing balance', ';Solde initial;;;1 000,000', ';Solde final;1 000,000;;1 000,000'],
  ])('is refused and stores nothing with %s', async (_what, opening, closing) => {
    await expect(importBytes(exportOf(opening, closing))).rejects.toMatchObject({
      code: 'bad_input',
      details: [expect.stringContaining('expected a balance that is clearly a debit or a credit in the row')],
    });
    expect((await books.statements.list({ limit: 100 })).rows).toEqual([]);
    expect(await books.bankBalance(ACCOUNT)).toBe(0);
  });
});
