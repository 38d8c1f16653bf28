// Goal: one account under two names does not become two accounts, each with the same money.
// Method: the Tunisian IBAN of an account in one file and the RIB inside it in another, in both orders.
import { beforeEach, expect, test } from '@jest/globals';
import { OPERATOR } from '../../../src/identity';
import { bankFileOfBytes } from '../../../src/statements';
import { camt053 } from '../../support/bank-messages';
import { describeOnOneDatabase } from '../../support/db';
import { type TheBooks, theBooks } from './set-of-lines/the-books';

const RIB = '08003000000000000139';
const IBAN = `TN59${RIB}`;

/** Each day begins with what the day before ended with. */
function statementOf(account: string, day: 1 | 2): Buffer {
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

describeOnOneDatabase('an account with two names', (harness) => {
  let books: TheBooks;

  beforeEach(() => {
    books = theBooks(harness);
  });

  const importAs = (bytes: Uint8Array, account: string): Promise<unknown> =>
    books.statements.import({ file: bankFileOfBytes('bank.txt', bytes), actor: OPERATOR, account });

  test.each([
    ['IBAN', IBAN, RIB],
    ['RIB', RIB, IBAN],
  ])('keeps the first name, its %s', async (_name, first, other) => {
    await books.import(statementOf(first, 1));
    for (const day of [1, 2] as const) {
      await expect(books.import(statementOf(other, day))).rejects.toMatchObject({
        code: 'bad_input',
        problem: { field: 'account' },
        message: expect.stringContaining(`nothing was stored; import the file with ${first}`),
      });
    }
    expect(await books.statements.list()).toHaveLength(1);
    expect(await books.bankBalance(other)).toBe(0);

    await expect(importAs(statementOf(other, 1), first)).rejects.toMatchObject({
      code: 'bad_input',
      message: expect.stringContaining('were imported before'),
    });
    expect(await importAs(statementOf(other, 2), first)).toMatchObject({
      kind: 'imported',
      statements: [{ statement: { account: first, hold: undefined } }],
    });
    expect(await books.linesOf(first)).toHaveLength(2);
    expect(await books.linesOf(other)).toEqual([]);
    expect(await books.bankBalance(first)).toBe(1_200_000);
    expect(await books.openBreaks(first)).toEqual([]);
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
