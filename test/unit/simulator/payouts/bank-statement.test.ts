import { describe, expect, test } from '@jest/globals';
import { AssertionError, businessDate, millimes } from '../../../../src/kernel';
import type { BankLine } from '../../../../src/simulator/payouts/bank-line';
import { bankStatementBytes, bankStatementCsv } from '../../../../src/simulator/payouts/bank-statement-csv';
import { type BankStatement, bankStatement } from '../../../../src/simulator/testing';

const line = (lineId: string, date: string, amount: number, remittance = 'VIR RECU'): BankLine => ({
  lineId,
  bookingDate: businessDate(date),
  valueDate: businessDate(date),
  amountMillimes: millimes(amount),
  counterparty: '',
  remittance,
  bankReference: 'FT0123456789',
  cause: { kind: 'unrelated' },
});

const LINES = [
  line('b', '2026-03-03', -1_190, 'COMMISSION'),
  line('c', '2026-03-04', 2_000_000),
  line('a', '2026-03-03', 1_234_567),
  line('d', '2026-03-05', -3_500_000, 'LOYER; "DEPOT"'),
];

const statementOf = (from: string, through: string, lines: readonly BankLine[] = LINES): BankStatement =>
  bankStatement({
    account: '11 222 3333333333333 44',
    accountOpeningMillimes: millimes(50),
    lines,
    from: businessDate(from),
    through: businessDate(through),
  });

describe('A bank statement', () => {
  test('has the lines of its days in the order of booking, between two balances', () => {
    expect(statementOf('2026-03-03', '2026-03-04')).toMatchObject({
      openingMillimes: 50,
      closingMillimes: 3_233_427,
      lines: [{ lineId: 'a' }, { lineId: 'b' }, { lineId: 'c' }],
    });
  });

  test('continues the previous statement, even over a day without lines', () => {
    const days = ['2026-03-02', '2026-03-03', '2026-03-04', '2026-03-05', '2026-03-06'];
    const statements = days.map((day) => statementOf(day, day));
    for (const [index, { openingMillimes }] of statements.entries()) {
      expect(openingMillimes).toBe(statements[index - 1]?.closingMillimes ?? 50);
    }
    expect(statements.at(-1)?.closingMillimes).toBe(statementOf('2026-03-01', '2026-03-31').closingMillimes);
    expect(statements.flatMap(({ lines }) => lines)).toHaveLength(LINES.length);
  });

  test('is independent of the order of its input', () => {
    expect(statementOf('2026-03-01', '2026-03-31', [...LINES].reverse())).toEqual(
      statementOf('2026-03-01', '2026-03-31'),
    );
  });

  test('is refused if it ends before it begins', () => {
    expect(() => statementOf('2026-03-04', '2026-03-03')).toThrow(AssertionError);
  });

  test('has exactly the expected text', () => {
    expect(bankStatementCsv(statementOf('2026-03-03', '2026-03-05')).split('\r\n')).toEqual([
      'RELEVE DE COMPTE SIMULE;;;;;;',
      'RIB :;11 222 3333333333333 44;;;;;',
      'Devise :;TND;;;;;',
      'Période :;du 03/03/2026 au 05/03/2026;;;;;',
      'Solde initial :;;;;;;0,050',
      ';;;;;;',
      'Date opération;Date valeur;Libellé;Référence;Débit;Crédit;Solde',
      '03/03/2026;03/03/2026;VIR RECU;FT0123456789;;1\u00a0234,567;1\u00a0234,617',
      '03/03/2026;03/03/2026;COMMISSION;FT0123456789;1,190;;1\u00a0233,427',
      '04/03/2026;04/03/2026;VIR RECU;FT0123456789;;2\u00a0000,000;3\u00a0233,427',
      '05/03/2026;05/03/2026;"LOYER; ""DEPOT""";FT0123456789;3\u00a0500,000;;-266,573',
      ';;;;;;',
      'Totaux :;;;;3\u00a0501,190;3\u00a0234,567;',
      'Solde final au 05/03/2026 :;;;;;;-266,573',
      '',
    ]);
  });

  test("writes a question mark for characters outside the bank's encoding, and no line break in a cell", () => {
    const odd = [line('x', '2026-03-03', 1, 'شكرا\u2019\r\n=1')];
    expect(bankStatementCsv(statementOf('2026-03-03', '2026-03-03', odd))).toContain(';?????  =1;');
  });

  test('has one byte for each character', () => {
    const statement = statementOf('2026-03-03', '2026-03-05');
    const bytes = bankStatementBytes(statement);
    expect(bytes).toHaveLength(bankStatementCsv(statement).length);
    expect(Buffer.from(bytes).toString('latin1')).toBe(bankStatementCsv(statement));
  });
});
