// Goal: one account, whatever a file calls it, is one account with each movement once.
// Method: the same movements arrive under every form of its name; stored names of older versions stay.
import { beforeEach, expect, test } from '@jest/globals';
import { OPERATOR } from '../../../src/identity';
import { bankFileOfBytes, type ImportOutcome } from '../../../src/statements';
import { camt053 } from '../../support/bank-messages';
import { describeOnEachDatabase } from '../../support/db';
import { storeUnderName } from './set-of-lines/store-under-name';
import { type TheBooks, theBooks } from './set-of-lines/the-books';

const RIB = '08006012345678901231';
const IBAN = `TN59${RIB}`;

/** Each day begins with what the day before ended with. */
function statementOf(account: string, day: number): Buffer {
  const [date, opening] = [`2026-04-0${day}`, 900_000 + day * 100_000];
  return camt053([
    {
      account,
      balances: [
        { type: 'OPBD', amount: opening, day: date },
        { type: 'CLBD', amount: opening + 100_000, day: date },
      ],
      entries: [{ day: date, amount: 100_000, text: 'VIREMENT' }],
    },
  ]);
}

describeOnEachDatabase('an account with several names', (harness) => {
  let books: TheBooks;

  beforeEach(() => {
    books = theBooks(harness);
  });

  const importAs = (bytes: Uint8Array, account: string): Promise<ImportOutcome> =>
    books.statements.import({ file: bankFileOfBytes('bank.txt', bytes), actor: OPERATOR, account });

  test('is one account, whether a file or a person names it', async () => {
    const forms = [RIB, IBAN, '08-006-0123456789012-31', `${RIB} - STE EXEMPLE`, 'TN59 0800 6012 3456 7890 1231'];
    for (const [index, form] of forms.entries()) await books.import(statementOf(form, index + 1));
    expect(await importAs(statementOf('X', 6), `="${RIB}"`)).toMatchObject({
      statements: [{ statement: { account: RIB, hold: undefined } }],
    });
    for (const form of [IBAN, `'${RIB}`, '08 006 0123456789012 31']) {
      await expect(books.import(statementOf(form, 1))).rejects.toMatchObject({
        message: expect.stringContaining('were imported before'),
      });
    }
    expect(await books.linesOf(RIB)).toHaveLength(6);
    expect(await books.bankBalance(RIB)).toBe(1_600_000);
    expect(await books.openBreaks(RIB)).toEqual([]);
    expect(await books.broken()).toEqual([]);
  });

  test.each([IBAN, '08-006-0123456789012-31', `="${RIB}"`, `${RIB}-STEEXEMPLE`])(
    'keeps the name %s, which an older version stored',
    async (stored) => {
      await storeUnderName(books, statementOf(stored, 1), stored);
      await expect(books.import(statementOf(RIB, 1))).rejects.toMatchObject({
        message: expect.stringContaining('were imported before'),
      });
      await books.import(statementOf(IBAN, 2));
      await importAs(statementOf('X', 3), RIB);
      expect(await books.linesOf(stored)).toHaveLength(3);
      expect(await books.linesOf(RIB)).toEqual([]);
      expect(await books.bankBalance(stored)).toBe(1_300_000);
      expect(await books.openBreaks(stored)).toEqual([]);
      for (const { statement } of await books.statements.list()) {
        expect((await books.statements.reread(statement.id)).differences).toEqual([]);
      }
      expect(await books.broken()).toEqual([]);
    },
  );

  test('is refused if a spreadsheet changed its digits, and taken with --account', async () => {
    await books.import(statementOf(RIB, 1));
    const changed = statementOf('8,00601E+18', 2);
    await expect(books.import(changed)).rejects.toMatchObject({
      problem: { code: 'account_changed_by_spreadsheet', field: 'account' },
      message: expect.stringContaining('export again, or give the account with --account'),
    });
    await expect(importAs(changed, '8.00601E18')).rejects.toMatchObject({
      problem: { code: 'account_changed_by_spreadsheet' },
    });
    expect(await books.statements.list()).toHaveLength(1);
    await importAs(changed, RIB);
    expect(await books.linesOf(RIB)).toHaveLength(2);
    expect(await books.broken()).toEqual([]);
  });

  test('differs from an account with equal last digits only', async () => {
    await books.import(statementOf(IBAN, 1));
    await books.import(statementOf(`FR59${RIB}`, 1));
    await books.import(statementOf(RIB.slice(1), 1));
    expect(await books.statements.list()).toHaveLength(3);
    expect(await books.broken()).toEqual([]);
  });
});
