import { describe, expect, test } from '@jest/globals';
import { describeProof, proveStatement, type StatementProof } from '../../../src/statements/prove-statement';
import { readCsvStatement } from '../../../src/statements/csv/read-csv-statement';
import { summarizeStatements } from '../../../src/statements/statement-summary';
import type { ParsedStatement } from '../../../src/statements';
import {
  dinars,
  shippedProfile,
  statementText,
  windows1252,
  type StatementGiven,
} from '../../fixtures/statements/statement-bytes';

function parsed(text: string): ParsedStatement {
  const [statement] = readCsvStatement(windows1252(text), shippedProfile());
  if (statement === undefined) throw new Error('there is one statement');
  return statement;
}

const prove = (text: string): StatementProof => proveStatement(parsed(text));
const CLOSING = /Solde final.*\r\n/;
const OPENING = /Solde initial.*\r\n/;
const TOTALS = /Totaux.*\r\n/;

describe('the proof of a statement', () => {
  test('holds when opening, lines, running balances, totals and closing agree', () => {
    expect(prove(statementText())).toEqual({
      verdict: 'ok',
      opening: 1_000_000,
      closing: 2_028_120,
      credits: 1_330_500,
      debits: 302_380,
    });
  });

  test('holds below zero, and without the totals', () => {
    const given: StatementGiven = { opening: -5_000, lines: [['02/04/2026', 'X', -1_000]] };
    expect(prove(statementText(given).replace(TOTALS, ''))).toMatchObject({
      verdict: 'ok',
      opening: -5_000,
      closing: -6_000,
    });
  });

  test('names the first line whose running balance does not follow', () => {
    const text = statementText().replace(`;${dinars(2_249_310)}`, ';2\u00a0249,311');
    const proof = prove(text);
    expect(proof).toMatchObject({
      verdict: 'unbalanced',
      fault: { kind: 'running_balance', fileLine: 8, computed: 2_249_310n, stated: 2_249_311 },
    });
    expect(describeProof(proof)).toBe(
      'line 8: the running balance should be 2 249,310 DT and the bank says 2 249,311 DT: a difference of -0,001 DT',
    );
  });

  test('breaks at the line after one that is missing', () => {
    const text = statementText().replace(/^03\/04.*\r\n/m, '');
    expect(prove(text)).toMatchObject({ verdict: 'unbalanced', fault: { kind: 'running_balance', fileLine: 10 } });
  });

  test('breaks at the first line when the opening balance is another', () => {
    const text = statementText().replace('1\u00a0000,000', '1\u00a0000,001');
    expect(prove(text)).toMatchObject({ verdict: 'unbalanced', fault: { kind: 'running_balance', fileLine: 7 } });
  });

  test('breaks when the closing balance is another', () => {
    expect(prove(statementText({ closing: 2_028_121 }))).toMatchObject({
      verdict: 'unbalanced',
      fault: { kind: 'closing', computed: 2_028_120n, stated: 2_028_121 },
    });
  });

  test.each([
    ['credits_total', '1\u00a0330,500', '1\u00a0330,501'],
    ['debits_total', '302,380', '302,381'],
  ])('breaks when the bank states other totals: %s', (kind, from, to) => {
    expect(prove(statementText().replace(from, to))).toMatchObject({ verdict: 'unbalanced', fault: { kind } });
  });

  test('is not there when a balance that the profile declares is missing', () => {
    expect(prove(statementText().replace(CLOSING, ''))).toMatchObject({ verdict: 'no-proof', missing: ['closing'] });
    expect(prove(statementText().replace(OPENING, ''))).toMatchObject({ verdict: 'no-proof', missing: ['opening'] });
  });

  test('sees a contradiction also where a balance is missing', () => {
    const text = statementText()
      .replace(OPENING, '')
      .replace(`;${dinars(2_249_310)}`, ';1,000');
    expect(prove(text)).toMatchObject({ verdict: 'unbalanced' });
  });

  test('holds for a file without lines when nothing changed, and breaks when something did', () => {
    expect(prove(statementText({ lines: [] }))).toMatchObject({
      verdict: 'ok',
      opening: 1_000_000,
      closing: 1_000_000,
    });
    expect(prove(statementText({ lines: [], closing: 1 }))).toMatchObject({ verdict: 'unbalanced' });
    expect(() => prove(statementText({ lines: [] }).replace(CLOSING, ''))).toThrow('there is no statement inside');
  });

  test('goes over lines without a running balance', () => {
    const text = statementText().replace(/;[^;]*\r\n(?=03)/, ';\r\n');
    expect(parsed(text).lines[2]?.balanceAfter).toBeUndefined();
    expect(prove(text)).toMatchObject({ verdict: 'ok' });
  });

  test('refuses lines that add up to more than an amount can be', () => {
    const max = Number.MAX_SAFE_INTEGER;
    const text = statementText({
      opening: 0,
      lines: [
        ['02/04/2026', 'X', max],
        ['02/04/2026', 'X', -max],
        ['02/04/2026', 'X', max],
      ],
    });
    expect(() => prove(text.replace(TOTALS, ''))).toThrow('add up to more than we can keep');
  });
});

describe('the summary of a file', () => {
  test('says amounts as decimal text, and a plain 0 where no line goes that way', () => {
    const summary = summarizeStatements([parsed(statementText({ opening: -5, lines: [['02/04/2026', 'X', 1_005]] }))]);
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
        },
      ],
      faults: [],
    });
  });

  test('has the worst verdict of its statements', () => {
    const good = parsed(statementText());
    const unproven = parsed(statementText().replace(CLOSING, ''));
    const wrong = parsed(statementText({ closing: 1 }));
    expect(summarizeStatements([good, unproven]).verdict).toBe('no-proof');
    expect(summarizeStatements([unproven, wrong, good]).verdict).toBe('unbalanced');
  });
});
