// Goal: MT940 and MT942 are read as the bank meant them, or refused with the line, the expected and the actual content.
// Method: small hand-written messages, valid or with one fault per test.
import { describe, expect, test } from '@jest/globals';
import { decimalText } from '../../../../src/statements';
import { createMt940Reader, TEXT_CHARACTERS_MAX } from '../../../../src/statements/testing';
import { readStatements } from '../../../support/read-events';
import { faultOf, lineOf, mt940, readText, readWindowsText } from './mt940-text';

const BLOCK = '{1:F01BANKTNTTAXXX0000000000}{2:I940BANKTNTTXXXXN}{4:';

function amountOf(line: string): string {
  return decimalText(lineOf(mt940(line)).amount);
}

function daysOf(line: string): (string | undefined)[] {
  const { valueDate, bookingDate } = lineOf(mt940(line));
  return [valueDate, bookingDate];
}

describe('an MT940 statement', () => {
  test('has an account, a number, balances and lines', () => {
    const [read, ...others] = readText(
      mt940(':61:2603020302CD12,500NTRFINV-7//BANK-9', 'MORE', ':86:FIRST WORDS', 'AND MORE'),
    );
    expect(others).toEqual([]);
    expect(read?.statement).toEqual({
      kind: 'statement',
      fileLine: 1,
      account: 'TN5900000000000000000001',
      currency: 'TND',
      currencies: ['TND'],
      bankId: 'STMT1',
      number: '12/1',
      opening: { amount: { units: 100_000n, scale: 3 }, date: '2026-03-01', intermediate: false },
      closing: { amount: { units: 100_000n, scale: 3 }, date: '2026-03-02', intermediate: false },
      totals: {},
      from: undefined,
      through: undefined,
      notes: [],
    });
    expect(read?.lines).toEqual([
      {
        status: 'booked',
        fileLine: 5,
        bookingDate: '2026-03-02',
        valueDate: '2026-03-02',
        amount: { units: 12_500n, scale: 3 },
        currency: undefined,
        counterparty: '',
        counterpartyAccount: '',
        remittance: 'FIRST WORDS AND MORE',
        bankReference: 'BANK-9',
        endToEndId: 'INV-7',
        transactionCode: 'NTRF',
        details: [],
        balanceAfter: undefined,
        payoutCandidate: undefined,
        raw: ':61:2603020302CD12,500NTRFINV-7//BANK-9\nMORE\n:86:FIRST WORDS\nAND MORE',
      },
    ]);
  });

  test('has pages, each marked if another one follows', () => {
    const page = mt940().replace(':62F:', ':62M:').concat(mt940().replace(':60F:', ':60M:').replace('12/1', '12/2'));
    expect(
      readText(page).map(({ statement }) => [
        statement.number,
        statement.opening?.intermediate,
        statement.closing?.intermediate,
      ]),
    ).toEqual([
      ['12/1', false, true],
      ['12/2', true, false],
    ]);
  });

  test('has the account of the message on a page that starts inside it', () => {
    const text = mt940(':62M:C260302TND90,000', ':60M:C260302TND90,000');
    expect(readText(text).map(({ statement }) => statement.account)).toEqual([
      'TN5900000000000000000001',
      'TN5900000000000000000001',
    ]);
  });

  test('ends at a new reference, with or without a separator', () => {
    expect(readText(mt940().replace('-\r\n', '') + mt940())).toHaveLength(2);
  });

  test('may be in envelopes, several on one line, below lines that banks add', () => {
    const body = mt940(':61:260302D1,NTRF').replace('-\r\n', '');
    const text = `BANKTNTT\r\n940\r\n\u0001${BLOCK}\r\n${body}-}{5:{CHK:0}}\u0003\u0001${BLOCK}\r\n${body}-}$`;
    expect(readText(text).map(({ lines }) => lines.length)).toEqual([1, 1]);
  });

  test('may have the end of the block behind its last field', () => {
    const text = `${BLOCK}:20:A\n:60F:C260301TND1,000\n:62F:C260301TND1,000-}`;
    expect(decimalText(readText(text)[0]?.statement.closing?.amount ?? { units: 0n, scale: 0 })).toBe('1.000');
  });

  test('has negative balances for the mark D', () => {
    const text = mt940().replace(':62F:C', ':62F:D');
    expect(decimalText(readText(text)[0]?.statement.closing?.amount ?? { units: 0n, scale: 0 })).toBe('-100.000');
  });

  test('may lack a closing balance, and then proves nothing', () => {
    const cut = mt940(':61:260302D1,000NTRF').split(':62F:')[0] ?? '';
    expect(readText(cut)[0]?.statement.closing).toBeUndefined();
  });

  test('has no closing day for 31 November, and a note', () => {
    const { statement } = readText(mt940().replace('C260302', 'C261131'))[0] ?? {};
    expect(statement?.closing?.date).toBeUndefined();
    expect(statement?.notes).toEqual(['line 5: the date of :62F: is no day']);
  });

  test('may be in windows-1252 or UTF-8, with or without a byte order mark', () => {
    const text = mt940(':61:260302D1,NTRF', ':86:CAFÉ – €');
    for (const read of [readWindowsText(text), readText(text), readText(`\ufeff${text}`)]) {
      expect(read[0]?.lines[0]?.remittance).toBe('CAFÉ – €');
    }
  });

  test('may be in UTF-16 with a byte order mark', () => {
    const bytes = Buffer.from(`\ufeff${mt940(':61:260302D1,NTRF', ':86:CAFÉ')}`, 'utf16le');
    expect(readStatements(createMt940Reader({ utf8: false }), bytes, 3)[0]?.lines[0]?.remittance).toBe('CAFÉ');
  });

  test.each(['\n', '\r', '\r\n'])('has line numbers that count %j as one line end', (lineBreak) => {
    const text = mt940(':61:260302D1,NTRF', '', ':61:260302D2,NTRF').replaceAll('\r\n', lineBreak);
    expect(readText(text)[0]?.lines.map(({ fileLine }) => fileLine)).toEqual([5, 7]);
  });
});

describe('an MT942 report', () => {
  const report = [
    ':20:NOW',
    ':25:1',
    ':28C:1/1',
    ':34F:TNDD0,000',
    ':13D:2603021200+0100',
    ':61:260302C5,000NTRF',
    ':90D:0TND0,000',
    ':90C:1TND5,000',
    '-',
  ].join('\n');

  test("has pending lines and the bank's control sums", () => {
    const [read] = readText(report);
    expect(read?.statement).toMatchObject({ kind: 'interim', currency: 'TND', opening: undefined, closing: undefined });
    expect(read?.statement.totals).toEqual({
      credits: { units: 5_000n, scale: 3 },
      creditEntries: 1,
      debits: { units: 0n, scale: 3 },
      debitEntries: 0,
    });
    expect(read?.lines.map(({ status }) => status)).toEqual(['pending']);
  });

  test('is recognized by its envelope alone', () => {
    const text = `${BLOCK.replace('I940', 'O942')}\n:20:A\n:61:260302C5,000NTRF\n-}${BLOCK}\n${mt940(':61:260302C5,000NTRF')}-}`;
    expect(readText(text).map(({ statement, lines }) => [statement.kind, lines[0]?.status])).toEqual([
      ['interim', 'pending'],
      ['statement', 'booked'],
    ]);
  });

  test('is recognized by an envelope of several lines, which does not apply to the next message', () => {
    const text = `{1:F01BANKTNTT}\n{2:I942BANKTNTT}\n{4:\n:20:A\n:61:260302C5,000NTRF\n-}\n:20:B\n:61:260302C5,000NTRF\n`;
    expect(readText(text).map(({ statement }) => statement.kind)).toEqual(['interim', 'statement']);
  });

  test('has expected credits and debits by their marks', () => {
    expect(amountOf(':61:260302EC5,NTRF')).toBe('5');
    expect(amountOf(':61:260302ED5,NTRF')).toBe('-5');
    expect(lineOf(mt940(':61:260302EC5,NTRF')).status).toBe('pending');
  });
});

describe('the amount of an MT940 line', () => {
  test.each([
    ['C12,500', '12.500'],
    ['D12,500', '-12.500'],
    ['RC12,500', '-12.500'],
    ['RD12,500', '12.500'],
    ['CD12,500', '12.500'],
    ['DD12,500', '-12.500'],
    ['RCD12,500', '-12.500'],
    ['RDD12,500', '12.500'],
    ['CR12,500', '12.500'],
    ['DR12,500', '-12.500'],
    ['C,50', '0.50'],
    ['C1234', '1234'],
    ['C0,', '0'],
    ['C000000000025,00', '25.00'],
    ['C12.50', '12.50'],
    ['C12.500', '12.500'],
    ['C 12,500', '12.500'],
    ['DD 12,500', '-12.500'],
    ['C999999999999999,999', '999999999999999.999'],
  ])('is for %s %s', (written, expected) => {
    expect(amountOf(`:61:2603020302${written}NTRF`)).toBe(expected);
    expect(amountOf(`:61:260302${written}NTRF`)).toBe(expected);
  });

  test.each(['12..34', '12,34,5', '1.234,56', ',', '.'])('is refused if it is %s', (written) => {
    expect(faultOf(mt940(`:61:2603020302D${written}NTRF`))).toBe(
      `line 5: expected an amount after the mark D, got "${written}"`,
    );
  });

  test.each([
    [':61:', 'line 5: expected a value date YYMMDD after :61:, got ""'],
    [':61:26030', 'line 5: expected a value date YYMMDD after :61:, got "26030"'],
    [':61:261131D1,NTRF', 'line 5: expected a value date YYMMDD after :61:, got "261131D1,NTRF"'],
    [':61:2603021301D1,NTRF', 'line 5: expected an entry date MMDD after the value date, got "1301D1,NTRF"'],
    [':61:260302X1,NTRF', 'line 5: expected a mark C, D, RC or RD after the dates, got "X1,NTRF"'],
    [':61:260302CDR1,NTRF', 'line 5: expected a mark C, D, RC or RD after the dates, got "CDR1,NTRF"'],
    [':61:260302D-1,NTRF', 'line 5: expected an amount after the mark D, got "-1,NTRF"'],
    [':61:260302D1,-', 'line 5: expected a transaction type such as NTRF after the amount, got "-"'],
    [':61:260302D1,N', 'line 5: expected a transaction type such as NTRF after the amount, got "N"'],
    [':61:260302C10E500NTRF', 'line 5: expected a comma in the amount before a type of digits, got "10E500NTRF"'],
    [':61:260302C10N500NTRF', 'line 5: expected a comma in the amount before a type of digits, got "10N500NTRF"'],
    [':61:260302C10E50NTRF', 'line 5: expected a comma in the amount before a type of digits, got "10E50NTRF"'],
    [':61:260302D0P001234567', 'line 5: expected a comma in the amount before a type of digits, got "0P001234567"'],
    [':61:260302D1 000,NTRF', 'line 5: expected a transaction type such as NTRF after the amount, got " 000,NTRF"'],
  ])('is refused in %s, with what was expected', (line, fault) => {
    expect(faultOf(mt940(line))).toBe(fault);
  });
});

describe('an MT940 line with its amount on the next line', () => {
  test('is one line, and the text after it belongs to it', () => {
    const line = lineOf(mt940(':61:2603020302RD', '12,500NTRFINV-7//BANK-9', 'MORE'));
    expect(line).toMatchObject({ endToEndId: 'INV-7', bankReference: 'BANK-9', remittance: 'MORE' });
    expect(decimalText(line.amount)).toBe('12.500');
    expect(line.raw).toBe(':61:2603020302RD\n12,500NTRFINV-7//BANK-9\nMORE');
  });

  test.each(['12', '12,50', '12,50NT'])('is refused if the file ends in %s', (cut) => {
    expect(faultOf(`:20:A\n:60F:C260301TND1,000\n:61:260302C\n${cut}`)).toMatch(/^line 3: expected a transaction type/);
  });

  test.each([':61:260302C', ':61:260302C  12,500NTRF'])('is refused without an amount: %s', (line) => {
    expect(faultOf(mt940(line))).toMatch(/^line 5: expected an amount after the mark C/);
  });
});

describe('a point before three digits in MT940', () => {
  const inEuros = (...lines: string[]): string => mt940(...lines).replaceAll('TND100,000', 'EUR100,00');

  test.each(['1.500', '1234.500', '0.500', '.500'])('is refused in a currency of two decimals: %s', (written) => {
    expect(faultOf(inEuros(`:61:260302C${written}NTRF`))).toBe(
      `line 5: expected an amount after the mark C, got "${written}"`,
    );
    expect(faultOf(inEuros().replace(':62F:C260302EUR100,00', `:62F:C260302EUR${written}`))).toBe(
      `line 5: expected an amount after the currency EUR, got "${written}"`,
    );
  });

  test('is refused in a line before the currency is known', () => {
    expect(faultOf(':20:A\n:61:260302C1.500NTRF\n')).toMatch(/^line 2: expected an amount/);
  });

  test('is not refused if it is the comma of SWIFT decimals, as in 1,500', () => {
    expect(decimalText(readText(inEuros(':61:260302C1,500NTRF'))[0]?.lines[0]?.amount ?? { units: 0n, scale: 0 })).toBe(
      '1.500',
    );
  });
});

describe('the days of an MT940 line', () => {
  test.each([
    ['260302', ['2026-03-02', '2026-03-02']],
    ['260302    ', ['2026-03-02', '2026-03-02']],
    ['2603020228', ['2026-03-02', '2026-02-28']],
    ['2601021231', ['2026-01-02', '2025-12-31']],
    ['2512310102', ['2025-12-31', '2026-01-02']],
    ['2312300229', ['2023-12-30', '2024-02-29']],
    ['2607010101', ['2026-07-01', '2026-01-01']],
    ['2606300101', ['2026-06-30', '2026-01-01']],
    ['9912310101', ['1999-12-31', '2000-01-01']],
    ['2403020229', ['2024-03-02', '2024-02-29']],
  ])('are for %s the value date and the nearest booking date', (written, expected) => {
    expect(daysOf(`:61:${written}D1,NTRF`)).toEqual(expected);
  });

  test('are the last day of February for 30 February, with a note', () => {
    const [read] = readText(mt940(':61:2602300301D1,NTRF'));
    expect(read?.lines[0]).toMatchObject({ valueDate: '2026-02-28', bookingDate: '2026-03-01' });
    expect(read?.statement.notes).toEqual(['line 5: 2602300301 names a late day that this February does not have']);
  });
});

describe('the references of an MT940 line', () => {
  test.each([
    ['NTRFNONREF', ['NTRF', '', '']],
    ['NTRFNONREF//', ['NTRF', '', '']],
    ['NTRFA//NONREF', ['NTRF', 'A', '']],
    ['NTRFA//B//C', ['NTRF', 'A', 'B//C']],
    ['N1103111//B', ['N110', '3111', 'B']],
    ['NOV NONREF', ['NOV', '', '']],
    ['NOV', ['NOV', '', '']],
    ['S   X', ['S', 'X', '']],
    ['S   ', ['S', '', '']],
    ['S1  //B', ['S1', '', 'B']],
    ['   ', ['', '', '']],
    ['', ['', '', '']],
  ])('are separated in %s', (written, expected) => {
    const { transactionCode, endToEndId, bankReference } = lineOf(mt940(`:61:260302D1,00${written}`));
    expect([transactionCode, endToEndId, bankReference]).toEqual(expected);
  });
});

describe('the text of an MT940 line', () => {
  test('is the text after the line if :86: is missing', () => {
    expect(lineOf(mt940(':61:260302D1,NTRF', 'CARD  FEE')).remittance).toBe('CARD FEE');
  });

  test('excludes a :86: before the first line and after the closing balance', () => {
    const text = mt940(':86:HELLO', ':61:260302D1,NTRF').replace('-\r\n', ':86:BYE\r\n-\r\n');
    expect(readText(text)[0]?.lines.map(({ remittance, raw }) => [remittance, raw])).toEqual([
      ['', ':61:260302D1,NTRF'],
    ]);
  });

  test('includes a wrapped time that looks like a tag', () => {
    for (const minutes of ['12', '20', '25', '28']) {
      const [read, ...others] = readText(mt940(':61:260302D1,NTRF', ':86:AT 2026-03-02T10', `:${minutes}:11 X`));
      expect(others).toEqual([]);
      expect(read?.lines[0]?.raw).toContain(`\n:${minutes}:11 X`);
    }
  });

  test('includes a wrapped time in a later message without a separator', () => {
    const text = mt940().replace('-\r\n', '') + mt940(':61:260302D1,NTRF', ':86:AT 10', ':20:11 X');
    expect(readText(text)).toHaveLength(2);
  });

  test('excludes unknown fields and their text', () => {
    const text = mt940(':61:260302D1,NTRF', ':86:A', ':NS:01SECRET', 'MORE', ':99X:B');
    expect(lineOf(text)).toMatchObject({ remittance: 'A', raw: ':61:260302D1,NTRF\n:86:A' });
  });

  test('includes each :86: of the line', () => {
    expect(lineOf(mt940(':61:260302D1,NTRF', ':86:A', ':86:B')).remittance).toBe('A B');
  });

  test('may have a hyphen at the start of a line, and alone on one in an envelope', () => {
    const text = `${BLOCK}\n:20:A\n:61:260302D1,NTRF\n:86:A\n-B\n-\nC\n-}`;
    expect(lineOf(text).remittance).toBe('A -B - C');
  });
});

describe('the MT940 reader', () => {
  test.each([
    ['that is empty', '', 'line 1: expected a :60F: or a :61: of MT940 or MT942, got the end of the file'],
    ['without tags', '1\n2\n', 'line 3: expected a :60F: or a :61: of MT940 or MT942, got the end of the file'],
    [
      'that has only a :86:',
      ':86:091\n-',
      'line 2: expected a :60F: or a :61: of MT940 or MT942, got the end of the file',
    ],
    [
      'whose statement says nothing',
      `${mt940()}:20:B\n:25:1\n`,
      'line 9: expected a balance or a line in the statement that starts on line 7, got "the end of the statement"',
    ],
    [
      'that ends inside an envelope',
      `${BLOCK}\n${mt940()}`.replace('-\r\n', ''),
      'line 7: expected -} to close the block {4: of line 1, got the end of the file',
    ],
    [
      'whose balances are in two currencies',
      mt940().replace(':62F:C260302TND', ':62F:C260302EUR'),
      'line 5: expected a balance in TND as on line 4, got "EUR"',
    ],
    [
      'whose available balance is in another currency',
      mt940().replace('-\r\n', ':64:C260302EUR1,00\r\n'),
      'line 6: expected a balance in TND as on line 4, got "EUR"',
    ],
    [
      'with a second opening balance',
      mt940(':60F:C260301TND1,000'),
      'line 5: expected a closing balance before another opening balance, got ":60F:C260301TND1,000"',
    ],
    [
      'with a second closing balance',
      mt940().replace('-\r\n', ':62F:C260302TND1,000\r\n'),
      'line 6: expected one closing balance in a statement, got ":62F:C260302TND1,000"',
    ],
    [
      'with a balance without mark',
      mt940().replace('C260302', '260302'),
      'line 5: expected the mark C or D after :62F:, got "260302TND100,000"',
    ],
    [
      'with a balance without currency',
      mt940().replace('02TND', '02'),
      'line 5: expected a currency of three letters after the date, got "100,000"',
    ],
    [
      'with a balance of nonsense',
      mt940().replace('02TND100', '02TND1x0'),
      'line 5: expected an amount after the currency TND, got "1x0,000"',
    ],
    ['with a NUL', mt940(':86:A\0B'), 'line 5: expected text, got ":86:A\\u0000B"'],
  ])('refuses a file: %s', (_what, text, fault) => {
    expect(faultOf(text)).toBe(fault);
  });

  test.each([':61:260302D12', ':61:260302D12,50', ':61:260302D12,50NT', ':62F:C260302TND10'])(
    'that ends in the middle of %s',
    (cut) => {
      expect(faultOf(`:20:A\n:60F:C260301TND1,000\n${cut}`)).toMatch(/^line 3: expected /);
    },
  );

  test.each([
    '{',
    '{1',
    '{1:F01BANK',
    '{1:F01BANKTNTT}{',
    '{1:F01BANKTNTT}{2:I94',
    '{1:F01BANKTNTT}\n{2:I940BANK}\n{3:',
  ])('refuses a file that ends in the envelope of its next message, %j', (cut) => {
    const expected = 'expected the rest of the envelope, got the end of the file';
    const message = `${BLOCK}\n${mt940()}-}`;
    expect(faultOf(`${message}${cut}`)).toBe(`line 8: ${expected}`);
    expect(faultOf(`${message}\n${cut}`)).toBe(`line 9: ${expected}`);
  });

  test('accepts a trailer without a message and an envelope without a block', () => {
    expect(readText(`${BLOCK}\n${mt940()}-}{5:{CHK:0}}{S:{SAC:}}`)).toHaveLength(1);
    expect(readText(`${BLOCK}\n${mt940()}-}\n{5:{CHK:0}}\n`)).toHaveLength(1);
    expect(readText(`{1:F01BANKTNTT}{2:I940BANKTNTT}\n${mt940()}`)).toHaveLength(1);
  });

  test('refuses a field that does not end', () => {
    const text = mt940(':61:260302D1,NTRF', ':86:', ...Array<string>(200).fill('X'.repeat(TEXT_CHARACTERS_MAX / 100)));
    expect(faultOf(text)).toMatch(/^line \d+: expected at most 65536 characters in :86:, got /);
  });

  test('refuses a line that does not end before it is in memory', () => {
    const reader = createMt940Reader({ utf8: true });
    const piece = Buffer.alloc(64 * 1024, 'x');
    expect(() => {
      for (let count = 0; count < 17; count += 1) reader.push(piece);
    }).toThrow('has faults; nothing was stored');
  });

  test('refuses too many lines outside a statement before the whole file is read', () => {
    const reader = createMt940Reader({ utf8: true });
    reader.push(Buffer.from(mt940()));
    expect(() => reader.push(Buffer.from('x\n'.repeat(20_000)))).toThrow('has faults; nothing was stored');
  });

  test('accepts an available balance that cannot be read', () => {
    const text = mt940().replace('-\r\n', ':65:Dnull1,3\r\n-\r\n');
    expect(readText(text)[0]?.statement.notes).toEqual(['line 6: the balance :65: cannot be read and was not used']);
  });

  test('reads a statement behind spaces with its account and texts', () => {
    const text = mt940(':61:260302D7,NTRF', ':86:RENT', 'AND MORE') + mt940(':86:HELLO', ':61:260302D8,NTRF');
    const indented = text.replaceAll(/^:/gm, '  :');
    const told = (file: string): unknown =>
      readText(file).map(({ statement, lines }) => [
        statement.account,
        statement.number,
        lines.map(({ remittance }) => remittance),
      ]);
    expect(told(indented)).toEqual([
      ['TN5900000000000000000001', '12/1', ['RENT AND MORE']],
      ['TN5900000000000000000001', '12/1', ['']],
    ]);
    expect(told(text + indented.replaceAll('-\r\n', ''))).toEqual(told(text + text));
  });

  test('reads a tag behind other spaces than those of its line as text', () => {
    const [read, ...others] = readText(mt940(':61:260302D7,NTRF', ':86:SEE', ' :20:TH', ' :86:X'));
    expect(others).toEqual([]);
    expect(read?.lines[0]?.remittance).toBe('SEE :20:TH :86:X');
  });

  test('reads a line of money behind spaces', () => {
    expect(decimalText(lineOf(mt940('  :61:260302D7,NTRF')).amount)).toBe('-7');
  });
});
