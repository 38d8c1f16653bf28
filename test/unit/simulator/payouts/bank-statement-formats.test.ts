// Goal: the three files of one statement have the same content.
// Method: a small statement to the character, then random statements read back by Millime's readers, recognized by
// content.
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { addDays, businessDate, millimes } from '../../../../src/kernel';
import type { BankLine } from '../../../../src/simulator/payouts/bank-line';
import { bankStatementCamt053 } from '../../../../src/simulator/payouts/bank-statement-camt053';
import {
  BANK_STATEMENT_FORMATS,
  bankStatementFile,
  type BankStatementFormat,
} from '../../../../src/simulator/payouts/bank-statement-format';
import { bankStatementMt940 } from '../../../../src/simulator/payouts/bank-statement-mt940';
import { type BankStatement, bankStatement } from '../../../../src/simulator/testing';
import {
  bankFileOfBytes,
  type Decimal,
  decimalText,
  type ParsedLine,
  type ParsedStatement,
} from '../../../../src/statements';
import { chooseReader, inspectBankFile, loadProfiles } from '../../../../src/statements/testing';
import { SHIPPED_PROFILES_FILE } from '../../../fixtures/statements/statement-bytes';

const FROM = businessDate('2024-12-20');
const DAYS = 40;
const CASES = 40;

const line = (more: Partial<BankLine>): BankLine => ({
  lineId: 'a',
  bookingDate: businessDate('2026-03-03'),
  valueDate: businessDate('2026-03-02'),
  amountMillimes: millimes(12_500),
  counterparty: '',
  remittance: 'VIR RECU SERVICE DE PAIEMENT SA',
  bankReference: 'FT0123456789',
  cause: { kind: 'unrelated' },
  ...more,
});

const statementOf = (lines: readonly BankLine[]): BankStatement =>
  bankStatement({
    account: '11 222 3333333333333 44',
    accountOpeningMillimes: millimes(50),
    lines,
    from: businessDate('2026-03-03'),
    through: businessDate('2026-03-08'),
  });

const SMALL = statementOf([
  line({ counterparty: 'Société Zoé & Fils' }),
  line({ lineId: 'b', amountMillimes: millimes(-20_000_001), remittance: 'LOYER <1>? "DEPOT"', bankReference: '' }),
]);

describe('A statement as MT940', () => {
  test('has exactly the expected text', () => {
    expect(bankStatementMt940(SMALL).split('\r\n')).toEqual([
      ':20:RELEVE260308',
      ':25:11222333333333333344',
      ':28C:26067',
      ':60F:C260302TND0,050',
      ':61:2603020303CD12,500NTRFNONREF//FT0123456789',
      ':86:051?00CREDIT?20VIR RECU SERVICE DE PAIEMEN?21T SA',
      '?32Societe Zoe . Fils',
      ':61:2603020303DD20000,001NTRFNONREF',
      ':86:020?00DEBIT?20LOYER .1.. .DEPOT.',
      ':62F:D260308TND19987,451',
      '-',
      '',
    ]);
  });

  test('has lines of at most 65 SWIFT characters, and at most six for one text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 500 }),
        fc.string({ unit: 'binary', maxLength: 99 }),
        (a, b) => {
          const lines = bankStatementMt940(
            statementOf([
              line({ remittance: a, counterparty: b, bankReference: `${b}/`, amountMillimes: millimes(1) }),
            ]),
          ).split('\r\n');
          for (const each of lines) expect(each).toMatch(/^[A-Za-z0-9/?:().,'+ -]{0,65}$/);
          const information = lines.findIndex((each) => each.startsWith(':86:'));
          const end = lines.findIndex((each) => each.startsWith(':62F:'));
          expect(end - information).toBeLessThanOrEqual(6);
          for (const each of lines.slice(information + 1, end)) expect(each).toMatch(/^\?\d\d/);
        },
      ),
    );
  });
});

describe('A statement as camt.053', () => {
  test('has balances, totals and entries with escaped text', () => {
    const text = bankStatementCamt053(SMALL);
    expect(text).toContain('<ElctrncSeqNb>26067</ElctrncSeqNb>');
    expect(text).toContain('<Amt Ccy="TND">0.050</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-03-03</Dt></Dt>');
    expect(text).toContain('<Amt Ccy="TND">19987.451</Amt><CdtDbtInd>DBIT</CdtDbtInd><Dt><Dt>2026-03-08</Dt></Dt>');
    expect(text).toContain('<TtlDbtNtries><NbOfNtries>1</NbOfNtries><Sum>20000.001</Sum></TtlDbtNtries>');
    expect(text).toContain('<Dbtr><Pty><Nm>Société Zoé &amp; Fils</Nm></Pty></Dbtr>');
    expect(text).toContain('<Ustrd>LOYER &lt;1&gt;? &quot;DEPOT&quot;</Ustrd>');
    expect(text.match(/<AcctSvcrRef>/g)).toHaveLength(1);
  });

  test('splits a long text into parts of 140 whole characters', () => {
    const text = bankStatementCamt053(statementOf([line({ remittance: `${'a'.repeat(139)}😀${'b'.repeat(10)}` })]));
    expect(text).toContain(`<Ustrd>${'a'.repeat(139)}😀</Ustrd><Ustrd>bbbbbbbbbb</Ustrd>`);
  });
});

describe('The number of a statement', () => {
  const numberOf = (day: string): string | undefined => {
    const date = businessDate(day);
    const empty = bankStatement({
      account: '1',
      accountOpeningMillimes: millimes(0),
      lines: [],
      from: date,
      through: date,
    });
    return /:28C:(\d+)/.exec(bankStatementMt940(empty))?.[1];
  };

  test.each([
    ['2026-01-01', '26001'],
    ['2026-12-31', '26365'],
    ['2028-02-29', '28060'],
    ['2028-03-01', '28061'],
    ['2028-12-31', '28366'],
  ])('of %s is %s', (day, number) => {
    expect(numberOf(day)).toBe(number);
  });
});

/** What all three formats can say: no accents, no case lost, nothing that a format narrows. */
const skeleton = (text: string): string => text.normalize('NFKD').replace(/[^A-Za-z0-9]/gu, '');

const PIECES = 'a b c X Y Z 0 1 8 9 é ç Ê < > & " \' ; : , . / ( ) - ? ! | = @ ش 😀 ]]> &amp; :62F: ?20'.split(' ');

const text = (maxLength: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...PIECES, ' ', '\t', '\u0000', '\r\n-'), maxLength });

const day = fc.nat({ max: DAYS }).map((days) => addDays(FROM, days));

const anyLine = (index: number): fc.Arbitrary<BankLine> =>
  fc.record({
    lineId: fc.constant(String(index).padStart(3, '0')),
    bookingDate: day,
    valueDate: day,
    amountMillimes: fc.integer({ min: -99_999_999_999, max: 99_999_999_999 }).map((amount) => millimes(amount || 1)),
    counterparty: text(15),
    remittance: text(60),
    bankReference: fc.oneof(fc.constant(''), fc.stringMatching(/^FT[0-9A-F]{10}$/)),
    cause: fc.constant({ kind: 'unrelated' as const }),
  });

const anyStatement = fc
  .tuple(fc.nat({ max: 8 }), fc.integer({ min: -99_999_999_999, max: 99_999_999_999 }))
  .chain(([count, opening]) =>
    fc.tuple(...Array.from({ length: count }, (_, index) => anyLine(index))).map((lines) =>
      bankStatement({
        account: '11 222 3333333333333 44',
        accountOpeningMillimes: millimes(opening),
        lines,
        from: FROM,
        through: addDays(FROM, DAYS),
      }),
    ),
  );

interface ReadBack {
  readonly statement: ParsedStatement;
  readonly lines: readonly ParsedLine[];
}

const PROFILES = loadProfiles(SHIPPED_PROFILES_FILE);

function readBack(statement: BankStatement, format: BankStatementFormat): ReadBack {
  const file = bankFileOfBytes('bank', Buffer.from(bankStatementFile(statement, format).bytes));
  const reader = chooseReader(file, inspectBankFile(file), {}, PROFILES).createReader();
  const events = [...[...file.pieces()].flatMap((piece) => reader.push(piece)), ...reader.end()];
  const statements = events.flatMap((event) => (event.kind === 'statement' ? [event.statement] : []));
  const lines = events.flatMap((event) => (event.kind === 'line' ? [event.line] : []));
  expect(statements).toHaveLength(1);
  return { statement: statements[0]!, lines };
}

const exact = (amount: Decimal | undefined): string | undefined => amount && decimalText(amount);
const written = (amount: number): string => decimalText({ units: BigInt(amount), scale: 3 });

describe.each(BANK_STATEMENT_FORMATS)('any statement as %s', (format) => {
  test('is read back with its account, balances and lines', () => {
    fc.assert(
      fc.property(anyStatement, (statement) => {
        const { statement: read, lines } = readBack(statement, format);
        expect({ account: read.account?.replaceAll(' ', ''), currency: read.currency, kind: read.kind }).toEqual({
          account: '11222333333333333344',
          currency: 'TND',
          kind: 'statement',
        });
        expect([exact(read.opening?.amount), exact(read.closing?.amount)]).toEqual([
          written(statement.openingMillimes),
          written(statement.closingMillimes),
        ]);
        expect(
          lines.map((each) => [
            each.bookingDate,
            each.valueDate,
            exact(each.amount),
            each.bankReference,
            skeleton(each.remittance),
            format === 'csv' ? '' : skeleton(each.counterparty),
          ]),
        ).toEqual(
          statement.lines.map((each) => [
            each.bookingDate,
            each.valueDate,
            written(each.amountMillimes),
            each.bankReference,
            skeleton(each.remittance),
            format === 'csv' ? '' : skeleton(each.counterparty),
          ]),
        );
        expect(lines.every(({ status }) => status === 'booked')).toBe(true);
      }),
      { numRuns: CASES },
    );
  });
});
