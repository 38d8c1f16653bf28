import { describe, expect, test } from '@jest/globals';
import {
  bankFileOfBytes,
  type Decimal,
  decimalText,
  type ScannedStatement,
  summarizeStatements,
} from '../../../src/statements';
import { describeProof, describeRemark, type StatementProof } from '../../../src/statements/reading/prove-statement';
import { scanBankFile } from '../../../src/statements/testing';
import {
  dinars,
  shippedProfile,
  type StatementGiven,
  statementText,
  windows1252,
} from '../../fixtures/statements/statement-bytes';
import { camt052, camt053 } from '../../support/bank-messages';
import { aParsedLine, april, aScanned, balance, decimal } from './a-statement';

function scanned(text: string): ScannedStatement {
  const file = bankFileOfBytes('bank.csv', windows1252(text));
  const [statement] = scanBankFile(file, {}, [shippedProfile()]).statements;
  if (statement === undefined) throw new Error('there is one statement');
  return statement;
}

const prove = (text: string): StatementProof => scanned(text).proof;
const fault = (text: string): Record<string, unknown> => {
  const { verdict, fault: found } = prove(text);
  return { verdict, ...found, computed: textOf(found?.computed), stated: textOf(found?.stated) };
};
const textOf = (amount: Decimal | undefined): string | undefined => amount && decimalText(amount);
const CLOSING = /Solde final.*\r\n/;
const OPENING = /Solde initial.*\r\n/;
const TOTALS = /Totaux.*\r\n/;

describe('proveStatement', () => {
  test('proves a statement whose opening, lines, running balances, totals and closing agree', () => {
    const sums = {
      entries: 5,
      credits: decimal('1330.500'),
      debits: decimal('302.380'),
      firstDate: april(2),
      lastDate: april(6),
    };
    const proof = prove(statementText());
    expect(proof).toEqual({ verdict: 'ok', all: sums, booked: sums, fault: undefined, missing: [] });
    expect(describeProof(proof)).toBe('');
  });

  test('proves negative balances, and a statement without totals', () => {
    const given: StatementGiven = { opening: -5_000, lines: [['02/04/2026', 'X', -1_000]] };
    expect(prove(statementText(given).replace(TOTALS, ''))).toMatchObject({ verdict: 'ok' });
  });

  test('names the first line whose running balance does not follow', () => {
    const text = statementText().replace(`;${dinars(2_249_310)}`, ';2\u00a0249,311');
    expect(fault(text)).toEqual({
      verdict: 'unbalanced',
      kind: 'running_balance',
      fileLine: 8,
      computed: '2249.310',
      stated: '2249.311',
    });
    expect(describeProof(prove(text))).toBe(
      'line 8: the running balance should be 2249.310 and the bank says 2249.311: a difference of -0.001',
    );
  });

  test('names the line after a missing one', () => {
    const text = statementText().replace(/^03\/04.*\r\n/m, '');
    expect(prove(text)).toMatchObject({ verdict: 'unbalanced', fault: { kind: 'running_balance', fileLine: 10 } });
  });

  test('names the first line if the opening balance differs', () => {
    const text = statementText().replace('1\u00a0000,000', '1\u00a0000,001');
    expect(prove(text)).toMatchObject({ verdict: 'unbalanced', fault: { kind: 'running_balance', fileLine: 7 } });
  });

  test('names the first line if its running balance and a later one do not follow', () => {
    const text = statementText()
      .replace('1\u00a0000,000', '1\u00a0000,001')
      .replace(`;${dinars(2_249_310)}`, ';2\u00a0249,311');
    expect(prove(text)).toMatchObject({ verdict: 'unbalanced', fault: { kind: 'running_balance', fileLine: 7 } });
  });

  test('reports a closing balance that differs', () => {
    expect(fault(statementText({ closing: 2_028_121 }))).toEqual({
      verdict: 'unbalanced',
      kind: 'closing',
      computed: '2028.120',
      stated: '2028.121',
    });
  });

  test.each([
    ['credits_total', '1\u00a0330,500', '1\u00a0330,501'],
    ['debits_total', '302,380', '302,381'],
  ])('reports totals of the bank that differ: %s', (kind, from, to) => {
    expect(prove(statementText().replace(from, to))).toMatchObject({ verdict: 'unbalanced', fault: { kind } });
  });

  test('proves nothing if a balance that the profile declares is missing', () => {
    expect(prove(statementText().replace(CLOSING, ''))).toMatchObject({ verdict: 'no-proof', missing: ['closing'] });
    expect(prove(statementText().replace(OPENING, ''))).toMatchObject({ verdict: 'no-proof', missing: ['opening'] });
    expect(describeProof(prove(statementText().replace(CLOSING, '')))).toBe(
      'the closing balance is missing, so the statement cannot be proven; the file may be truncated',
    );
    expect(describeProof(prove(statementText().replace(OPENING, '')))).toBe(
      'the opening balance is missing, so the statement cannot be proven',
    );
    const neither = prove(statementText().replace(OPENING, '').replace(CLOSING, ''));
    expect(describeProof(neither)).toBe(
      'the opening and the closing balance is missing, so the statement cannot be proven',
    );
  });

  test('reports a contradiction even if a balance is missing', () => {
    const text = statementText()
      .replace(OPENING, '')
      .replace(`;${dinars(2_249_310)}`, ';1,000');
    expect(prove(text)).toMatchObject({ verdict: 'unbalanced' });
  });

  test('proves a statement without lines only if its balances are equal', () => {
    expect(prove(statementText({ lines: [] }))).toMatchObject({ verdict: 'ok', booked: { entries: 0 } });
    expect(prove(statementText({ lines: [], closing: 1 }))).toMatchObject({ verdict: 'unbalanced' });
    expect(() => prove(statementText({ lines: [] }).replace(CLOSING, ''))).toThrow(
      'expected a statement, got neither lines nor both balances',
    );
  });

  test('skips lines without a running balance', () => {
    const text = statementText().replace(/;[^;]*\r\n(?=03)/, ';\r\n');
    expect(scanned(text).preview[2]?.balanceAfter).toBeUndefined();
    expect(prove(text)).toMatchObject({ verdict: 'ok' });
  });

  test('proves booked lines only, and sums all lines', () => {
    const lines = [
      aParsedLine('10.000'),
      aParsedLine('7.5', { status: 'pending', bookingDate: april(9), balanceAfter: decimal('1') }),
      aParsedLine('-3', { status: 'information' }),
    ];
    const { proof } = aScanned({ opening: balance('1'), closing: balance('11.00') }, lines);
    expect(proof).toMatchObject({
      verdict: 'ok',
      booked: { entries: 1, credits: decimal('10.000'), debits: decimal('0'), lastDate: april(2) },
      all: { entries: 3, credits: decimal('17.500'), debits: decimal('3'), lastDate: april(9) },
    });
  });

  test('ignores the totals of an interim report, which may count unlisted entries', () => {
    const totals = { credits: decimal('99') };
    const given = { opening: undefined, closing: undefined, totals };
    expect(aScanned({ ...given, kind: 'interim' }, [aParsedLine('1')]).proof.verdict).toBe('no-proof');
    expect(aScanned(given, [aParsedLine('1')]).proof).toMatchObject({
      verdict: 'unbalanced',
      fault: { kind: 'credits_total' },
    });
  });

  test.each([
    ['booked', '10'],
    ['all', '17.5'],
  ])('accepts totals of the bank that are those of %s lines', (_which, credits) => {
    const lines = [aParsedLine('10'), aParsedLine('7.5', { status: 'pending' })];
    const given = { opening: balance('1'), closing: balance('11'), totals: { credits: decimal(credits) } };
    expect(aScanned(given, lines).proof).toMatchObject({ verdict: 'ok', remark: undefined });
  });

  test('remarks on other totals of an interim report only', () => {
    const totals = { credits: decimal('99') };
    const interim = aScanned({ kind: 'interim', totals }, [aParsedLine('1')]).proof;
    expect(describeRemark(interim)).toMatch(/^the total of the credits should be 1 .* 99: a difference of -98$/);
    const statement = aScanned({ totals }, [aParsedLine('1')]).proof;
    expect([statement.remark, describeRemark(statement)]).toEqual([undefined, '']);
  });

  test('adds amounts beyond floating point exactly', () => {
    const most = '9007199254740991.001';
    const lines = Array.from({ length: 1_000 }, () => aParsedLine(most));
    const right = { opening: balance('0'), closing: balance('9007199254740991001.000') };
    expect(aScanned(right, lines).proof.verdict).toBe('ok');
    expect(aScanned({ ...right, closing: balance('9007199254740991001.001') }, lines).proof.verdict).toBe('unbalanced');
  });
});

describe('summarizeStatements', () => {
  test('prints amounts as decimal text, and 0 for a direction without lines', () => {
    const summary = summarizeStatements([scanned(statementText({ opening: -5, lines: [['02/04/2026', 'X', 1_005]] }))]);
    expect(summary).toEqual({
      verdict: 'ok',
      statements: [
        {
          account: '11222333333333333344',
          currency: 'TND',
          opening: '-0.005',
          closing: '1.000',
          entries: 1,
          credits: '1.005',
          debits: '0',
          pendingEntries: 0,
          verdict: 'ok',
          missing: [],
        },
      ],
    });
  });

  test('returns the worst verdict of the statements', () => {
    const good = scanned(statementText());
    const unproven = scanned(statementText().replace(CLOSING, ''));
    const wrong = scanned(statementText({ closing: 1 }));
    expect(summarizeStatements([good, unproven]).verdict).toBe('no-proof');
    expect(summarizeStatements([unproven, wrong, good]).verdict).toBe('unbalanced');
  });

  const OFX =
    '<OFX><SIGNONMSGSRSV1></SIGNONMSGSRSV1><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>TND<BANKACCTFROM><BANKID>08' +
    '<ACCTID>08006013011<ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST><STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20260302' +
    '<TRNAMT>100.000<FITID>1<NAME>A</STMTTRN></BANKTRANLIST><BANKTRANLISTP><DTASOF>20260331<STMTTRNP><TRNTYPE>DEBIT' +
    '<DTTRAN>20260330<TRNAMT>-40.000<NAME>B</STMTTRNP></BANKTRANLISTP></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>';
  const entries = [
    { day: '2026-03-02', amount: 100_000 },
    { day: '2026-03-03', amount: -40_000, status: 'PDNG' },
  ] as const;
  const CSV = 'Date;Libellé;Montant;Statut\n02/03/2026;A;1100,500;Comptabilisé\n03/03/2026;B;-1040,500;En attente\n';

  test.each([
    ['camt', '100.000', camt053([{ account: '1', balances: [], entries }])],
    ['CSV', '1100.500', Buffer.from(CSV)],
    ['OFX', '100.000', Buffer.from(OFX)],
  ])('adds up the booked lines of %s, and only counts the announced ones', (_format, credits, bytes) => {
    const { statements } = scanBankFile(bankFileOfBytes('bank', bytes), {}, []);
    expect(summarizeStatements(statements).statements).toMatchObject([
      { entries: 1, credits, debits: '0', pendingEntries: 1 },
    ]);
  });

  test('adds up what an interim report announces, because it books nothing', () => {
    const bytes = camt052([{ account: '1', balances: [], entries }]);
    const { statements } = scanBankFile(bankFileOfBytes('bank.xml', bytes), {}, []);
    expect(summarizeStatements(statements).statements).toMatchObject([{ entries: 2, pendingEntries: 2 }]);
  });
});
