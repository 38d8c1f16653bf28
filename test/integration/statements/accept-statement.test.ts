// Goal: a statement that cannot prove itself counts when a named person takes responsibility for it, and not before.
// Method: the room on both databases, with statements whose balances are missing or wrong.
import { beforeEach, expect, test } from '@jest/globals';
import { type Actor, OPERATOR } from '../../../src/identity';
import { businessDate } from '../../../src/kernel';
import { openStatements } from '../../../src/statements';
import { statementBytes, statementText, windows1252 } from '../../fixtures/statements/statement-bytes';
import { describeOnEachDatabase } from '../../support/db';
import { type TheBooks, theBooks } from './set-of-lines/the-books';

const ACCOUNT = '11222333333333333344';
const REASON = 'compared with the paper statement of the branch';
const NO_PROOF = windows1252(statementText().replace(/Solde final.*\r\n/, ''));
const UNBALANCED = windows1252(statementText({ closing: 5 }));

describeOnEachDatabase('accepting a statement', (harness) => {
  let books: TheBooks;

  beforeEach(() => {
    books = theBooks(harness);
  });

  const candidates = async (): Promise<number> => {
    const through = businessDate('2026-04-30');
    const found = await harness.database.read((session) => openStatements(session).payoutCandidates({ through }));
    return found.length;
  };
  const onlyId = async (bytes: Uint8Array): Promise<string> => {
    const outcome = await books.import(bytes);
    const id = outcome.kind === 'imported' ? outcome.statements[0]?.statement.id : undefined;
    if (id === undefined) throw new Error('the file holds a statement');
    return id;
  };

  test.each([
    ['no-proof', NO_PROOF],
    ['unbalanced', UNBALANCED],
  ])('lets a statement that is %s count, which it did not before', async (verdict, bytes) => {
    const id = await onlyId(bytes);
    expect(await books.statements.list({ waiting: true })).toMatchObject([{ statement: { id, verdict } }]);
    expect(await books.linesOf(ACCOUNT)).toEqual([]);
    expect(await books.bankBalance(ACCOUNT)).toBe(0);
    expect(await candidates()).toBe(0);

    const outcome = await books.statements.accept({ id, reason: REASON, actor: OPERATOR });
    expect(outcome).toMatchObject({ kind: 'accepted', listed: { acceptance: { acceptedBy: 'cli', reason: REASON } } });
    expect(await books.linesOf(ACCOUNT)).toHaveLength(5);
    expect(await candidates()).toBe(1);
    expect(await books.statements.list({ waiting: true })).toEqual([]);
    expect(await books.broken()).toEqual([]);
  });

  test('changes nothing the second time', async () => {
    const id = await onlyId(NO_PROOF);
    await books.statements.accept({ id, reason: REASON, actor: OPERATOR });
    const balance = await books.bankBalance(ACCOUNT);
    const again = await books.statements.accept({ id, reason: 'another reason, given later', actor: OPERATOR });
    expect(again).toMatchObject({ kind: 'already_accepted', listed: { acceptance: { reason: REASON } } });
    expect(await books.bankBalance(ACCOUNT)).toBe(balance);
  });

  test('is refused for a statement that proves itself, and for one that is not there', async () => {
    const id = await onlyId(statementBytes());
    const accept = (which: string): Promise<unknown> =>
      books.statements.accept({ id: which, reason: REASON, actor: OPERATOR });
    await expect(accept(id)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining(
        'its balances prove it, and its lines are posted; run "statements list --waiting"',
      ),
    });
    await expect(accept('MISSING')).rejects.toMatchObject({
      code: 'not_found',
      message: 'statement not found: "MISSING"; run "statements list"',
    });
  });

  test('is refused to a key without the scope', async () => {
    const id = await onlyId(NO_PROOF);
    const actor: Actor = { kind: 'api_key', name: 'amal', keyId: 'K1', scopes: new Set(['statements:write']) };
    await expect(books.statements.accept({ id, reason: REASON, actor })).rejects.toMatchObject({ code: 'forbidden' });
    expect(await books.linesOf(ACCOUNT)).toEqual([]);
  });

  test('is not needed for lines that a statement with a proof has too', async () => {
    await onlyId(NO_PROOF);
    await onlyId(statementBytes());
    expect(await books.linesOf(ACCOUNT)).toHaveLength(5);
    expect(await books.bankBalance(ACCOUNT)).toBe(2_028_120);
    expect(await books.broken()).toEqual([]);
  });
});
