// Goal: one account, whatever a file calls it, is one account with each movement once.
// Method: the same movements arrive under every form of its name; stored names of older versions stay.
import { beforeEach, describe, expect, test } from '@jest/globals';
import { type Database, rowsOf } from '../../../src/db';
import { type Actor, openAuditTrail, OPERATOR } from '../../../src/identity';
import { noticeLine, quoted } from '../../../src/kernel';
import { type AccountDecided, bankFileOfBytes, type ImportOutcome, openStatements } from '../../../src/statements';
import { openAccounts } from '../../../src/statements/testing';
import { ofxFile } from '../../fixtures/statements/ofx-given';
import { type LineGiven, LINES, statementBytes, statementText } from '../../fixtures/statements/statement-bytes';
import { camt053, mt940 } from '../../support/bank-messages';
import { describeOnEachDatabase } from '../../support/db';
import { ribOf } from '../../support/rib';
import { xlsxFile } from '../../support/xlsx-file';
import { storeUnderName } from './set-of-lines/store-under-name';
import { type TheBooks, theBooks } from './set-of-lines/the-books';

const RIB = '08006012345678901231';
const IBAN = `TN59${RIB}`;

const GROUPED = '08-006-0123456789012-31';
/** Their keys are wrong. */
const [WRONG, OTHER_WRONG] = ['08006012345678901232', '08006012345678901233'];
const ONE_ACCOUNT = 'no movement counts under two names of one bank account';

/** Each day begins with what the day before ended with. */
function statementOf(account: string, day: number, through = day): Buffer {
  const days = Array.from({ length: through - day + 1 }, (_, index) => `2026-04-0${day + index}`);
  const opening = 900_000 + day * 100_000;
  return camt053([
    {
      account,
      balances: [
        { type: 'OPBD', amount: opening, day: `2026-04-0${day}` },
        { type: 'CLBD', amount: opening + days.length * 100_000, day: `2026-04-0${through}` },
      ],
      entries: days.map((each) => ({ day: each, amount: 100_000, text: 'VIREMENT' })),
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
      for (const { statement } of (await books.statements.list({ limit: 100 })).rows) {
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
    expect((await books.statements.list({ limit: 100 })).rows).toHaveLength(1);
    await importAs(changed, RIB);
    expect(await books.linesOf(RIB)).toHaveLength(2);
    expect(await books.broken()).toEqual([]);
  });

  test('is refused if it is a number of a workbook, and taken with --account', async () => {
    const rows = [
      ['RIB', Number(RIB)],
      ['Devise', 'TND'],
      ['Date', 'Libellé', 'Débit', 'Crédit'],
      ['2026-04-02', 'VIREMENT', '', 5.95],
    ];
    const bytes = xlsxFile({ sheets: [{ rows }] });
    const given = { file: bankFileOfBytes('bank.xlsx', bytes), actor: OPERATOR, profile: 'proposed' };
    const refused = {
      problem: { code: 'account_changed_by_spreadsheet' },
      message: expect.stringContaining('--account'),
    };
    expect((await books.statements.check(given)).refusals).toMatchObject([refused]);
    await expect(books.statements.import(given)).rejects.toMatchObject(refused);
    expect((await books.statements.list({ limit: 100 })).rows).toEqual([]);
    expect(await books.statements.import({ ...given, account: RIB })).toMatchObject({ kind: 'imported' });
    expect((await books.statements.list({ limit: 100 })).rows).toMatchObject([
      { statement: { account: RIB, currency: 'TND' } },
    ]);
  });

  describe('that the file names otherwise than --account', () => {
    const [TRUE_RIB, TYPO] = [ribOf('112223333333333333'), ribOf('112223333333333334')];
    const ends = { opening: { amount: 0, day: '2026-04-01' }, closing: { amount: 0, day: '2026-04-30' } };
    const rows = statementText({ account: TRUE_RIB, lines: LINES.slice(0, 3) }).split('\r\n');
    const cell = (text: string): string | number =>
      /^-?[\d\u00a0]+,\d{3}$/.test(text) ? Number(text.replaceAll('\u00a0', '').replace(',', '.')) : text;
    const sheet = { rows: rows.map((row) => row.split(';').map(cell)) };
    const files: readonly [string, Uint8Array][] = [
      ['CSV', statementBytes({ account: TRUE_RIB })],
      ['xlsx', xlsxFile({ sheets: [sheet] })],
      ['MT940', mt940([{ account: TRUE_RIB, ...ends, entries: [] }])],
      ['camt', statementOf(TRUE_RIB, 1)],
      ['OFX', Buffer.from(ofxFile({ account: TRUE_RIB }))],
    ];
    const stored = async (): Promise<string[]> =>
      (await books.statements.list({ limit: 100 })).rows.map(({ statement }) => statement.account);

    test.each(files)('is refused alike by a dry run and an import of %s, and read without it', async (_, bytes) => {
      const file = bankFileOfBytes('bank.txt', bytes);
      const check = await books.statements.check({ file, actor: OPERATOR, account: TYPO, readsKnown: true });
      expect(check.refusals.map(({ problem: { code, field } }) => [code, field])).toEqual([
        ['account_differs', 'account'],
      ]);
      expect(check.remarks.filter((text) => text.startsWith('the file names account'))).toEqual([]);
      await expect(importAs(bytes, TYPO)).rejects.toMatchObject({ message: check.refusals[0]?.message });
      expect(await stored()).toEqual([]);
      await importAs(bytes, `TN59 ${TRUE_RIB}`);
      expect(await stored()).toEqual([TRUE_RIB]);
    });

    test.each(files)('is read from %s with --account after both commands of the refusal', async (_, bytes) => {
      await expect(importAs(bytes, TYPO)).rejects.toThrow(
        `account: expected ${TRUE_RIB}, which the file names, or another name of that account, got ${quoted(TYPO)}; ` +
          'import without --account; if the file names the wrong account, run ' +
          `"millime statements accounts accept ${TYPO} --reason ..." and ` +
          `"millime statements accounts join ${TRUE_RIB} --into ${TYPO} --reason ..." once, then import again`,
      );
      const decision = { reason: 'the bank names it wrongly', actor: OPERATOR };
      await books.statements.acceptAccount({ ...decision, name: TYPO });
      await books.statements.joinAccounts({ ...decision, name: TRUE_RIB, into: TYPO });
      await importAs(bytes, TYPO);
      expect(await stored()).toEqual([TYPO]);
      expect(await books.broken()).toEqual([]);
    });

    test('needs only the join if statements of the given account are stored', async () => {
      await books.import(statementOf(TYPO, 2));
      await expect(importAs(statementOf(TRUE_RIB, 1), TYPO)).rejects.toThrow(
        `run "millime statements accounts join ${TRUE_RIB} --into ${TYPO} --reason ..." once`,
      );
    });

    test('counts if the file has no number, or hides it', async () => {
      await importAs(statementOf('NOTPROVIDED', 1), TYPO);
      const { kind } = await importAs(statementOf('****3313', 2), TYPO);
      expect([kind, await stored()]).toEqual(['imported', [TYPO, TYPO]]);
      const file = bankFileOfBytes('bank.csv', statementBytes({ account: '8,00601E+18' }));
      const check = await books.statements.check({ file, actor: OPERATOR, account: TYPO });
      expect([check.outcome, check.remarks]).toEqual([
        'imported',
        [`the file names account 8,00601E+18; used the given one, ${TYPO}: check both`],
      ]);
    });

    test('is not the advice for a file of two accounts', async () => {
      const two = (account: string): Buffer =>
        mt940([TRUE_RIB, account].map((each) => ({ account: each, ...ends, entries: [] })));
      const messageOf = async (account: string): Promise<string> => {
        const file = bankFileOfBytes('bank.sta', two(account));
        const { refusals } = await books.statements.check({ file, actor: OPERATOR });
        return refusals.map(({ message }) => message).join();
      };
      const split = 'split the file by account, and import each part with its --account';
      expect(await messageOf('8,00601E+18')).toContain(`export again, or ${split}`);
      expect(await messageOf(WRONG)).toContain(
        `check the number, then run "millime statements accounts accept ${WRONG} --reason ..." once`,
      );
    });
  });

  describe('whose key is wrong', () => {
    const unproven = { problem: { code: 'account_unproven', field: 'account' } };

    test('needs no question as the first account, nor does a right key or another name', async () => {
      await books.import(statementOf(WRONG, 1));
      await books.import(statementOf(RIB, 1));
      await books.import(statementOf('OTHER-1', 1));
      await books.import(statementOf(WRONG, 2));
      expect((await books.statements.list({ limit: 100 })).rows).toHaveLength(4);
    });

    test('is asked for as a further account, and known once a person named it', async () => {
      await books.import(statementOf(RIB, 1));
      const refusal = books.import(statementOf(WRONG, 1));
      await expect(refusal).rejects.toMatchObject(unproven);
      await expect(refusal).rejects.toMatchObject({
        message:
          `account: expected the key 31, got 32, and no statement of account ${WRONG} is stored; nothing was stored; ` +
          `check the number, then import with --account ${WRONG}, ` +
          `or run "millime statements accounts accept ${WRONG} --reason ..." once`,
      });
      expect((await books.statements.list({ limit: 100 })).rows).toHaveLength(1);
      await importAs(statementOf(WRONG, 1), WRONG);
      await books.import(statementOf(`TN59 ${WRONG}`, 2));
      expect(await books.linesOf(WRONG)).toHaveLength(2);
      expect(await books.broken()).toEqual([]);
    });

    test('is accepted once, by a person with the scope, and the decision is recorded', async () => {
      await books.import(statementOf(RIB, 1));
      const decision = { name: `TN59${WRONG}`, reason: 'the bank wrote it', actor: OPERATOR };
      expect(await books.statements.acceptAccount({ ...decision, dryRun: true })).toMatchObject({ kind: 'accepted' });
      await expect(books.import(statementOf(WRONG, 1))).rejects.toMatchObject(unproven);
      expect(await books.statements.acceptAccount(decision)).toMatchObject({ kind: 'accepted', account: WRONG });
      expect(await books.statements.acceptAccount(decision)).toMatchObject({ kind: 'already', account: WRONG });
      expect(await books.statements.accounts()).toMatchObject([
        { account: RIB, keyFault: undefined },
        { account: WRONG, keyFault: 'expected the key 31, got 32', accepted: { reason: 'the bank wrote it' } },
      ]);
      const { rows: audit } = await harness.database.read((session) => openAuditTrail(session).list({ limit: 9 }));
      expect(audit).toMatchObject([
        { action: 'account.accepted', subject: `bank_account:${WRONG}` },
        { action: 'statement.imported' },
      ]);
      await books.import(statementOf(WRONG, 1));
      const withoutScope: Actor = {
        kind: 'api_key',
        name: 'sami',
        keyId: 'k',
        scopes: new Set(['statements:write'] as const),
      };
      await expect(
        books.statements.acceptAccount({ ...decision, name: OTHER_WRONG, actor: withoutScope }),
      ).rejects.toMatchObject({ code: 'forbidden' });
    });

    test('is asked for in the second of two concurrent first imports', async () => {
      const settled = await Promise.allSettled([WRONG, OTHER_WRONG].map((each) => books.import(statementOf(each, 1))));
      expect(settled.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect(settled.find(({ status }) => status === 'rejected')).toMatchObject({ reason: unproven });
      expect((await books.statements.list({ limit: 100 })).rows).toHaveLength(1);
      expect(await books.broken()).toEqual([]);
    });
  });

  test('stays one account if two concurrent first imports state it as RIB and IBAN', async () => {
    const settled = await Promise.allSettled([RIB, IBAN].map((each) => books.import(statementOf(each, 1))));
    expect(settled.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await books.bankBalance(RIB)).toBe(1_100_000);
    expect((await books.statements.list({ limit: 100 })).rows).toHaveLength(1);
    expect(await books.broken()).toEqual([]);
  });

  describe('of which an older version made two', () => {
    const join = (name: string, into = RIB): Promise<AccountDecided> =>
      books.statements.joinAccounts({ name, into, reason: 'the same account', actor: OPERATOR });

    test('becomes one chain with one opening balance, without a changed row', async () => {
      await storeUnderName(books, statementOf(GROUPED, 1), GROUPED);
      await storeUnderName(books, statementOf(RIB, 2), RIB);
      expect([await books.bankBalance(GROUPED), await books.bankBalance(RIB)]).toEqual([1_100_000, 1_200_000]);
      expect(await books.statements.accounts()).toMatchObject([
        { account: GROUPED },
        { account: RIB, toJoin: [GROUPED] },
      ]);
      const before = await storedRows(harness.database);

      expect(await join(GROUPED)).toMatchObject({ kind: 'joined', name: GROUPED, account: RIB, warnings: [] });
      expect(await join(GROUPED)).toMatchObject({ kind: 'already' });
      await expect(join(RIB, GROUPED)).rejects.toMatchObject({
        problem: { code: 'account_joined' },
        message:
          `${RIB} and ${GROUPED} already are one account, ${RIB}, and a join is permanent; nothing was changed; ` +
          'run "millime statements accounts list" for its names',
      });
      expect(await storedRows(harness.database)).toEqual(expect.arrayContaining(before));
      expect([await books.bankBalance(GROUPED), await books.bankBalance(RIB)]).toEqual([1_100_000, 100_000]);
      expect(await books.broken()).toEqual([]);

      await expect(books.import(statementOf(IBAN, 1))).rejects.toMatchObject({
        problem: { code: 'statements_known' },
      });
      // It repeats a line of each name and brings a third.
      await books.import(statementOf(IBAN, 1, 3));
      await books.import(statementOf(GROUPED, 4));
      expect([await books.linesOf(GROUPED), await books.linesOf(RIB)].map(({ length }) => length)).toEqual([1, 3]);
      expect((await books.bankBalance(GROUPED)) + (await books.bankBalance(RIB))).toBe(1_400_000);
      expect([...(await books.openBreaks(RIB)), ...(await books.openBreaks(GROUPED))]).toEqual([]);
      expect((await books.statements.list({ account: IBAN, limit: 100 })).rows).toHaveLength(4);
      const coverage = await harness.database.read((session) => openStatements(session).coverage());
      expect([...coverage]).toEqual([[RIB, '2026-04-04']]);
      expect(await books.broken()).toEqual([]);
    });

    test('opens the break of a missing statement between its names, and closes it', async () => {
      await storeUnderName(books, statementOf(GROUPED, 1), GROUPED);
      await storeUnderName(books, statementOf(RIB, 3), RIB);
      expect((await join(GROUPED)).warnings).toEqual([expect.stringContaining('gap: a statement is missing')]);
      expect(await books.openBreaks(RIB)).toHaveLength(1);
      await books.import(statementOf(IBAN, 2));
      expect(await books.openBreaks(RIB)).toEqual([]);
      expect((await books.bankBalance(GROUPED)) + (await books.bankBalance(RIB))).toBe(1_300_000);
      expect(await books.broken()).toEqual([]);
    });

    test.each([GROUPED, '="08006012345678901231"', '8,00601E+18', `${RIB}-STEEXEMPLE`])(
      'is reported by ledger verify until it is joined, if %s has the same movements',
      async (name) => {
        await storeUnderName(books, statementOf(name, 1), name);
        await storeUnderName(books, statementOf(RIB, 1), RIB);
        expect(await books.broken()).toEqual([ONE_ACCOUNT]);
        expect(await join(name)).toMatchObject({ kind: 'joined', repeated: { lines: 1, credits: 100_000, debits: 0 } });
        expect((await books.bankBalance(name)) + (await books.bankBalance(RIB))).toBe(1_100_000);
        await books.import(statementOf(IBAN, 2));
        // It repeats the movements of both names and brings another.
        await books.import(statementOf(IBAN, 1, 3));
        expect([await books.linesOf(name), await books.linesOf(RIB)].map(({ length }) => length)).toEqual([0, 3]);
        expect((await books.bankBalance(name)) + (await books.bankBalance(RIB))).toBe(1_300_000);
        expect([...(await books.openBreaks(RIB)), ...(await books.openBreaks(name))]).toEqual([]);
        expect(await books.broken()).toEqual([]);
      },
    );

    test('counts a movement once that its names have with different texts and the same balances', async () => {
      await storeUnderName(books, statementOf(GROUPED, 1), GROUPED);
      const other = statementOf(RIB, 1).toString().replaceAll('VIREMENT', 'OTHER TEXT');
      await storeUnderName(books, Buffer.from(other), RIB);
      expect(await join(GROUPED)).toMatchObject({ repeated: { lines: 1, credits: 100_000, debits: 0 } });
      expect((await books.bankBalance(GROUPED)) + (await books.bankBalance(RIB))).toBe(1_100_000);
      // It repeats the movement of both names and brings two others.
      await books.import(statementOf(IBAN, 1, 3));
      expect([await books.linesOf(GROUPED), await books.linesOf(RIB)].map(({ length }) => length)).toEqual([0, 3]);
      expect(await books.broken()).toEqual([]);
    });

    test('is not joined if its names have different movements of one day', async () => {
      await storeUnderName(books, statementOf(GROUPED, 1), GROUPED);
      const other = statementOf(RIB, 1).toString().replaceAll('>100.000<', '>100.001<');
      await storeUnderName(books, Buffer.from(other.replaceAll('>1100.000<', '>1100.001<')), RIB);
      await expect(join(GROUPED)).rejects.toMatchObject({ problem: { code: 'accounts_overlap' } });
      expect(await harness.database.read((session) => openAccounts(session).decisions())).toEqual([]);
    });
  });

  test('takes any name that a person joins to it, for all files from then on', async () => {
    await books.import(statementOf(RIB, 1));
    const join = (name: string): Promise<AccountDecided> =>
      books.statements.joinAccounts({ name, into: IBAN, reason: 'the name in the export', actor: OPERATOR });
    expect(await join('CPT-1')).toMatchObject({
      kind: 'joined',
      account: RIB,
      warnings: [
        `no stored statement has the name CPT-1; each file that states it brings statements of account ${RIB}`,
      ],
    });
    await books.import(statementOf('CPT-1', 2));
    expect(await books.linesOf(RIB)).toHaveLength(2);
    await expect(
      books.statements.joinAccounts({ name: 'CPT-2', into: 'CPT-9', reason: 'why', actor: OPERATOR }),
    ).rejects.toMatchObject({ code: 'not_found' });
    await expect(
      harness.database.transact((session) => session('bank_account_names').update({ account: 'X' })),
    ).rejects.toThrow();
    expect(await books.broken()).toEqual([]);
  });

  describe('that is stored under a mistyped number as well', () => {
    const TYPO = ribOf('080060123456789021');
    const [JOIN, JOIN_BACK] = [
      `"millime statements accounts join ${TYPO} --into ${RIB} --reason ..." if ${RIB} is right`,
      `"millime statements accounts join ${RIB} --into ${TYPO} --reason ..." if ${TYPO} is right`,
    ];
    const CREDITS: readonly LineGiven[] = [
      ['02/04/2026', 'VERSEMENT', 80_000],
      ['02/04/2026', 'VERSEMENT', 70_000],
      ['03/04/2026', 'VERSEMENT', 60_000],
    ];
    const importCsv = (account: string, lines: readonly LineGiven[], opening = 500_000): Promise<ImportOutcome> =>
      books.import(statementBytes({ account, lines, opening }));
    const warningsOf = async (account: string, lines: readonly LineGiven[], opening = 500_000): Promise<string[]> => {
      const file = bankFileOfBytes('bank.csv', statementBytes({ account, lines, opening }));
      return (await books.statements.check({ file, actor: OPERATOR, readsKnown: true })).warnings.map(noticeLine);
    };

    test('is named by the import and by ledger verify until it is joined', async () => {
      await importCsv(TYPO, CREDITS);
      const [warning, ...others] = await warningsOf(RIB, CREDITS);
      expect([warning, others]).toEqual([expect.stringContaining(`${JOIN}, or ${JOIN_BACK}`), []]);
      expect(warning).toContain(`of account ${TYPO}; if both are one account, its money counts twice`);
      expect(await books.broken()).toEqual([]);
      await importCsv(RIB, CREDITS);
      expect(await books.broken()).toEqual([ONE_ACCOUNT]);
      await books.statements.joinAccounts({ name: TYPO, into: RIB, reason: 'mistyped', actor: OPERATOR });
      expect(await books.broken()).toEqual([]);
      expect(await warningsOf(RIB, CREDITS)).toEqual([]);
    });

    test('is found by ledger verify in statements of one day each', async () => {
      for (const account of [TYPO, RIB]) {
        await importCsv(account, CREDITS.slice(0, 2));
        expect(await books.broken()).toEqual([]);
        await importCsv(account, CREDITS.slice(2), 650_000);
      }
      expect(await books.broken()).toEqual([ONE_ACCOUNT]);
    });

    test.each<[string, readonly LineGiven[], number, boolean]>([
      ['the same fees and deposit', CREDITS.map(([day, , amount]) => [day, 'FRAIS', -amount]), 500_000, true],
      ['the same standing order', CREDITS.map(([day]) => [day, 'VIREMENT', 50_000]), 500_000, true],
      ['the same credits and other balances', CREDITS, 400_000, true],
      ['one fee of the same amount', [['02/04/2026', 'FRAIS', -10_000]], 400_000, false],
    ])('may be another account with %s', async (_, lines, opening, warns) => {
      await importCsv(TYPO, lines);
      expect(await warningsOf(RIB, lines, opening)).toHaveLength(warns ? 1 : 0);
      await importCsv(RIB, lines, opening);
      expect(await books.broken()).toEqual([]);
    });

    test('is named if its bytes are imported again with the right number', async () => {
      const bytes = statementBytes({ account: '8,00601E+18', lines: CREDITS });
      await importAs(bytes, TYPO);
      const file = bankFileOfBytes('bank.csv', bytes);
      for (const readsKnown of [true, false]) {
        const request = { file, actor: OPERATOR, readsKnown };
        const { outcome, warnings } = await books.statements.check({ ...request, account: `TN59 ${RIB}` });
        expect([outcome, warnings.map(noticeLine)]).toEqual([
          'already_imported',
          [
            `the file is stored under account ${TYPO}, not ${RIB}; if both are one account, and ${RIB} is its name, run ` +
              `"millime statements accounts accept ${RIB} --reason ..." and ` +
              `"millime statements accounts join ${TYPO} --into ${RIB} --reason ..."`,
          ],
        ]);
        expect((await books.statements.check({ ...request, account: TYPO })).warnings).toEqual([]);
      }
    });
  });

  test('differs from an account with equal last digits only', async () => {
    await books.import(statementOf(IBAN, 1));
    await books.import(statementOf(`FR59${RIB}`, 1));
    await importAs(statementOf('X', 1), RIB.slice(1));
    expect((await books.statements.list({ limit: 100 })).rows).toHaveLength(3);
    expect(await books.broken()).toEqual([]);
  });
});

/** The rows that a join leaves as they are, oldest first. */
async function storedRows(database: Database): Promise<unknown[]> {
  return database.read(async (session) => {
    const rows: unknown[] = [];
    for (const table of ['bank_statements', 'bank_statement_lines', 'ledger_transactions', 'postings']) {
      const query = session(table).select('*');
      rows.push(...(await rowsOf(table === 'postings' ? query.orderBy('transaction_id') : query.orderBy('id'))));
    }
    return rows;
  });
}
