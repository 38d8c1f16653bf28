// Goal: OFX as banks write it becomes statements and lines, and an unreadable part is refused with its position.
// Method: small hand-written files, in both versions, each with one special feature.
import { describe, expect, test } from '@jest/globals';
import { isAppError } from '../../../../src/kernel';
import { decimalText } from '../../../../src/statements';
import { createOfxReader, DEPTH_MAX, WHOLE_FILE_BYTES_MAX } from '../../../../src/statements/testing';
import { cardFile, ofxFile, statementOf } from '../../../fixtures/statements/ofx-given';
import { type ReadStatement, readStatements } from '../../../support/read-events';

function read(file: string | Buffer): ReadStatement[] {
  return readStatements(createOfxReader(), Buffer.from(file));
}

function only(file: string | Buffer): ReadStatement {
  const [first, ...others] = read(file);
  if (first === undefined || others.length > 0) throw new Error('expected one statement');
  return first;
}

function lineOf(transaction: string) {
  const [line, ...others] = only(ofxFile({ transactions: transaction })).lines;
  if (line === undefined || others.length > 0) throw new Error('expected one line');
  return line;
}

function refusalOf(file: string | Buffer): readonly string[] {
  try {
    read(file);
  } catch (error) {
    if (isAppError(error, 'bad_input')) return error.details;
    throw error;
  }
  throw new Error('the file was read');
}

const PAID = '<STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20260302<TRNAMT>12.500<FITID>F1</STMTTRN>';

describe('an OFX 1 statement', () => {
  test('has its account, currency, days and closing balance, and no opening balance', () => {
    const { statement } = only(ofxFile({ transactions: PAID }));
    expect(statement).toMatchObject({
      kind: 'statement',
      fileLine: 11,
      account: '0801 12345',
      currency: 'TND',
      currencies: ['TND'],
      opening: undefined,
      closing: { amount: { units: 987_650n, scale: 3 }, date: '2026-03-31', intermediate: false },
      from: '2026-03-01',
      through: '2026-03-31',
      notes: [],
    });
  });

  test.each([
    ['that is no amount', { balance: '1e3' }, '"1e3" is no exact amount'],
    ['that is a word', { balance: 'N/A' }, '"N/A" is no exact amount'],
    ['with grouped digits', { balance: '1,000,500' }, '"1,000,500" is no exact amount'],
    ['with more decimals than its currency', { balance: '1000.5005' }, '"1000.5005" is no exact amount'],
    ['beyond exact numbers', { balance: '99999999999999.000' }, '"99999999999999.000" is no exact amount'],
    ['with two amounts', { balance: '1<BALAMT>2' }, '"1 2" is no exact amount'],
    ['that repeats', { more: '<LEDGERBAL><BALAMT>1</LEDGERBAL>' }, '"987.650 1" is no exact amount'],
  ])('is read without a balance %s, and with a note', (_, given, note) => {
    const { statement, lines } = only(ofxFile({ transactions: PAID, ...given }));
    expect(lines).toHaveLength(1);
    expect(statement.closing).toBeUndefined();
    expect(statement.notes.join()).toContain(`the balance ${note} and is not read`);
  });

  test.each([
    ['an empty one', '<AVAILBAL><BALAMT><DTASOF></AVAILBAL>'],
    ['a garbled one', '<AVAILBAL><BALAMT>n.c.<DTASOF>today</AVAILBAL>'],
    ['one that is not closed', '<AVAILBAL><BALAMT>1'],
    ['a bare text', '<AVAILBAL>1.000'],
    ["one of the bank's own", '<CREDITLINE><BALAMT>1</CREDITLINE>'],
    ['two of a kind', '<AVAILBAL><BALAMT>1</AVAILBAL><AVAILBAL><BALAMT>2</AVAILBAL>'],
  ])('has its closing balance beside another one: %s', (_, more) => {
    const { statement, lines } = only(ofxFile({ transactions: PAID, more }));
    expect(lines).toHaveLength(1);
    expect(statement.closing?.amount).toEqual({ units: 987_650n, scale: 3 });
  });

  test.each([
    ['no header', ''],
    ['a mark, spaces and a comment', '\ufeff \n<!-- by a bank -->\n'],
    ['the rest of a header', 'DATA:OFXSGML\nCHARSET:1252\n\n'],
    ['the header of a web answer', 'Content-Type: application/x-ofx\n\nOFXHEADER:100\nDATA:OFXSGML\n\n'],
  ])('may begin with %s', (_, start) => {
    const file = ofxFile({ transactions: PAID });
    expect(only(start + file.slice(file.indexOf('<OFX>'))).lines).toMatchObject([{ amount: { units: 12_500n } }]);
  });

  test('has lines with every text that the bank writes', () => {
    const transaction =
      '<STMTTRN>\n<TRNTYPE>XFER\n<DTPOSTED>20260302235959.000[-5:EST]\n<DTUSER>20260301\n<DTAVAIL>20260303\n' +
      '<TRNAMT>-12,500\n<FITID>F-1\n<CHECKNUM>77\n<NAME>Caf&eacute; &amp; Co\n<BANKACCTTO><ACCTID>TN59\n</BANKACCTTO>\n' +
      '<MEMO>rent &lt;March&gt; & more\n</STMTTRN>';
    expect(lineOf(transaction)).toEqual({
      status: 'booked',
      fileLine: 17,
      bookingDate: '2026-03-02',
      valueDate: '2026-03-03',
      amount: { units: -12_500n, scale: 3 },
      currency: undefined,
      counterparty: 'Caf&eacute; & Co',
      counterpartyAccount: 'TN59',
      remittance: 'rent <March> & more',
      bankReference: 'F-1',
      endToEndId: '77',
      transactionCode: 'XFER',
      details: [],
      balanceAfter: undefined,
      payoutCandidate: undefined,
      raw: transaction,
    });
  });

  test('may have closed values, empty values and lower-case tags', () => {
    const line = lineOf(
      '<stmttrn><trntype>CREDIT</trntype><memo></memo><name/><dtposted>20260302</dtposted><trnamt> 1.5 </trnamt><fitid></stmttrn>',
    );
    expect(line).toMatchObject({
      amount: { units: 15n, scale: 1 },
      remittance: '',
      counterparty: '',
      bankReference: '',
    });
  });

  test('may have a "<" in a text, a CDATA section and comments', () => {
    const line = lineOf(PAID.replace('</STMTTRN>', '<MEMO>a < b <!-- unseen --><![CDATA[<TRNAMT>9 &amp;]]></STMTTRN>'));
    expect(line.remittance).toBe('a < b <TRNAMT>9 &amp;');
    expect(decimalText(line.amount)).toBe('12.500');
  });

  test('has two lines with the same FITID, because both moved money', () => {
    expect(only(ofxFile({ transactions: PAID + PAID })).lines).toHaveLength(2);
  });

  test('has no reference if a FITID names nothing', () => {
    expect(lineOf(PAID.replace('F1', '0000')).bankReference).toBe('');
  });

  test('has the payee as counterparty if the name is missing', () => {
    expect(lineOf(PAID.replace('</STMTTRN>', '<PAYEE><NAME>Ali<CITY>Sfax</PAYEE></STMTTRN>')).counterparty).toBe('Ali');
  });

  test("may have a bank's own tags, which are ignored", () => {
    const own = PAID.replace('<TRNAMT>', '<BANK.EXTRA><BANK.WORD>x</BANK.EXTRA><TRNAMT>');
    expect(lineOf(own)).toMatchObject({ amount: { units: 12_500n, scale: 3 } });
  });

  test('may be of a card, which is read like an account', () => {
    const { statement, lines } = only(cardFile(PAID.replace('12.500', '12.50')));
    expect(statement).toMatchObject({ account: '4111', currency: 'EUR', closing: undefined });
    expect(lines).toHaveLength(1);
  });

  test('has no balance if the tag is empty', () => {
    expect(only(ofxFile({ transactions: PAID, balance: '' })).statement.closing).toBeUndefined();
  });

  test.each([
    ['before a balance', ofxFile({ transactions: PAID }).replace('</BANKTRANLIST>', '')],
    ['before the end of the statement', cardFile(PAID.replace('12.500', '12.50')).replace('</BANKTRANLIST>', '')],
  ])('may leave its list of transactions open %s, which a note states', (_where, file) => {
    const { statement, lines } = only(file);
    expect(lines).toHaveLength(1);
    expect(statement.notes).toEqual([expect.stringContaining('<BANKTRANLIST> is not closed')]);
  });

  test('has the days of a list that stays open', () => {
    const { statement } = only(ofxFile({ transactions: PAID }).replace('</BANKTRANLIST>', ''));
    expect(statement).toMatchObject({ from: '2026-03-01', through: '2026-03-31', closing: { date: '2026-03-31' } });
  });

  test('notes an amount with three decimals in a currency with two', () => {
    const file = ofxFile({ transactions: PAID.replace('12.500', '-30.000'), balance: '970.500' }).replace('TND', 'USD');
    const { statement, lines } = only(file);
    expect(lines.map(({ amount }) => decimalText(amount))).toEqual(['-30.000']);
    expect(statement.closing?.amount).toEqual({ units: 970_500n, scale: 3 });
    expect(statement.notes).toEqual([
      'line 17: "-30.000" is read with three decimals',
      expect.stringContaining('a CREDIT has the amount'),
      'line 19: "970.500" is read with three decimals',
    ]);
  });

  test('notes an invalid date and a sign that contradicts its type', () => {
    const transactions = PAID.replace('CREDIT', 'DEBIT').replace('<TRNAMT>', '<DTAVAIL>20260230<TRNAMT>');
    const { statement, lines } = only(ofxFile({ transactions, until: '****' }));
    expect(statement.through).toBeUndefined();
    expect(lines[0]?.valueDate).toBeUndefined();
    expect(statement.notes).toEqual([
      'line 17: a DEBIT has the amount "12.500"; it is read as a credit',
      'line 17: the value date "20260230" is no day',
      'line 16: DTEND "****" is no date',
    ]);
  });

  test('has line numbers that count CRLF, LF and CR once each', () => {
    for (const lineEnd of ['\r\n', '\n', '\r']) {
      const file = ofxFile({ transactions: PAID }).replaceAll('\n', lineEnd);
      expect(only(file).lines[0]?.fileLine).toBe(17);
    }
  });
});

describe('currencies in OFX', () => {
  const PAID_IN_CENTS = PAID.replace('12.500', '12.50');

  test('are those of a line if CURRENCY states another one', () => {
    const transactions = PAID_IN_CENTS.replace('</STMTTRN>', '<CURRENCY><CURRATE>3.4<CURSYM>EUR</CURRENCY></STMTTRN>');
    const { statement, lines } = only(ofxFile({ transactions }));
    expect(lines[0]?.currency).toBe('EUR');
    expect(statement).toMatchObject({ currency: undefined, currencies: ['TND', 'EUR'] });
  });

  test('are those of the account if only ORIGCURRENCY states another one', () => {
    const line = lineOf(PAID.replace('</STMTTRN>', '<ORIGCURRENCY><CURRATE>3.4<CURSYM>EUR</ORIGCURRENCY></STMTTRN>'));
    expect(line.currency).toBeUndefined();
  });

  test('may be in CURRENCY alone', () => {
    expect(lineOf(PAID_IN_CENTS.replace('</STMTTRN>', '<CURRENCY>EUR</CURRENCY></STMTTRN>')).currency).toBe('EUR');
  });
});

describe('an OFX 2 statement', () => {
  const XML = '<?xml version="1.0" encoding="UTF-8"?>\n<?OFX OFXHEADER="200" VERSION="211"?>\n';

  test('is read with its declaration, and its pending lines are separate', () => {
    const pending =
      '<BANKTRANLISTP><DTASOF>20260331</DTASOF><STMTTRNP><TRNTYPE>POS</TRNTYPE><DTTRAN>20260331</DTTRAN>' +
      '<TRNAMT>-3.000</TRNAMT><NAME>Été</NAME></STMTTRNP></BANKTRANLISTP>';
    const body = statementOf({ transactions: PAID, more: pending });
    const { lines } = only(`${XML}<OFX><BANKMSGSRSV1>${body}</BANKMSGSRSV1></OFX>`);
    expect(lines.map(({ status, bookingDate, counterparty }) => ({ status, bookingDate, counterparty }))).toEqual([
      { status: 'booked', bookingDate: '2026-03-02', counterparty: '' },
      { status: 'pending', bookingDate: '2026-03-31', counterparty: 'Été' },
    ]);
  });

  test('may be one of several, beside answers without a statement', () => {
    const bank = `<BANKMSGSRSV1>${statementOf({})}${statementOf({ account: 'B' })}</BANKMSGSRSV1>`;
    const shares = '<INVSTMTMSGSRSV1><INVSTMTTRNRS><STMTTRN><TRNAMT>9</STMTTRN></INVSTMTTRNRS></INVSTMTMSGSRSV1>';
    const found = read(`${XML}<OFX>${bank}${shares}</OFX>`);
    expect(found.map(({ statement, lines }) => [statement.account, lines.length])).toEqual([
      ['0801 12345', 0],
      ['B', 0],
    ]);
    expect(found[0]?.statement.notes).toEqual([expect.stringContaining('"INVSTMTMSGSRSV1" is not read')]);
  });
});

describe('the encoding of an OFX file', () => {
  const named = (header: string) =>
    ofxFile({ transactions: PAID.replace('</STMTTRN>', '<NAME>caf\u00e9</STMTTRN>'), header });

  test.each([
    ['UTF-8 though the header says 1252', 'CHARSET:1252', 'utf8', 'café'],
    ['windows-1252 by its charset', 'ENCODING:USASCII\nCHARSET:1252', 'latin1', 'café'],
    ['windows-1252 where ENCODING says UTF-8 and is wrong', 'ENCODING:UTF-8\nCHARSET:1252', 'latin1', 'café'],
    ['windows-1252 where nothing is said', 'CHARSET:NONE', 'latin1', 'café'],
    ['ISO-8859-1', 'ENCODING:USASCII\nCHARSET:ISO-8859-1', 'latin1', 'café'],
    ['a charset behind other headers on one line', 'ENCODING:USASCIICHARSET:1251COMPRESSION:NONE', 'latin1', 'cafй'],
  ] as const)('is %s', (_, header, written, name) => {
    expect(only(Buffer.from(named(header), written)).lines[0]?.counterparty).toBe(name);
  });

  test('may start with a byte order mark and end with fillers', () => {
    expect(only(`\ufeff${ofxFile({ transactions: PAID })}\u001a\0\0`).lines).toHaveLength(1);
  });

  test.each([
    [
      'UTF-8 is declared and the bytes are not',
      Buffer.from(named('ENCODING:UTF-8\nCHARSET:NONE'), 'latin1'),
      'line 17: expected UTF-8',
    ],
    ['nobody knows the charset', Buffer.from(named('CHARSET:KLINGON'), 'latin1'), 'got "KLINGON"'],
    [
      'a byte is not in the charset',
      Buffer.from(named('CHARSET:1252').replace('\u00e9', '\u0081'), 'latin1'),
      'line 16: expected text in windows-1252',
    ],
    ['it is UTF-16', Buffer.from(`\ufeff${ofxFile({})}`, 'utf16le'), 'got UTF-16'],
    [
      'there is a NUL in it',
      Buffer.from(named('CHARSET:1252').replace('F1', 'F\0')),
      'line 16: expected text, got a NUL',
    ],
  ])('is refused if %s', (_, bytes, expected) => {
    expect(refusalOf(bytes).join()).toContain(expected);
  });
});

describe('the OFX reader refuses a file that', () => {
  const whole = ofxFile({ transactions: PAID });

  test.each([
    [
      'a line without its date',
      { transactions: PAID.replace('<DTPOSTED>20260302', '') },
      'line 17: expected a date (DTPOSTED) in the transaction "F1", got none',
    ],
    [
      'a day that never was',
      { transactions: PAID.replace('0302', '0230') },
      'line 17: expected a date (DTPOSTED) in the transaction "F1", got "20260230"',
    ],
    [
      'a line without its amount',
      { transactions: PAID.replace('12.500', '') },
      'line 17: expected an amount (TRNAMT) in the transaction "F1", got none',
    ],
    [
      'an amount with a word',
      { transactions: PAID.replace('12.500', '12..34') },
      'line 17: expected an amount (TRNAMT) in the transaction "F1", got "12..34"',
    ],
    [
      'two amounts',
      { transactions: PAID.replace('<FITID>', '<TRNAMT>9<FITID>') },
      'line 17: expected one TRNAMT in <STMTTRN>, got a second',
    ],
    [
      'a transaction after a balance, in a list that stays open',
      { more: PAID },
      'line 20: expected </STMTRS> of line 11, got <STMTTRN>',
    ],
    [
      'a second list',
      { transactions: `${PAID}<BANKTRANLIST>${PAID}` },
      'line 17: expected one <BANKTRANLIST> in <STMTRS>, got another',
    ],
    [
      'a correction',
      { transactions: PAID.replace('<FITID>', '<CORRECTFITID>F0<FITID>') },
      'line 17: expected no correction of an earlier transaction in the transaction "F1", got "F0"',
    ],
    [
      'a line that is not closed',
      { transactions: PAID.replace('</STMTTRN>', '') + PAID },
      'line 17: expected </STMTTRN> of line 17, got <STMTTRN>',
    ],
    [
      'a last line that is not closed',
      { transactions: PAID.replace('</STMTTRN>', '') },
      'line 18: expected </STMTTRN> of line 17, got </BANKTRANLIST>',
    ],
    [
      'text in place of a line',
      { transactions: '<STMTTRN>\n*cut*\n</STMTTRN>' },
      'line 17: expected an element in <STMTTRN>, got "*cut*"',
    ],
    [
      'text between lines',
      { transactions: `${PAID} STMTTRN>` },
      'line 17: expected an element after </STMTTRN>, got "STMTTRN>"',
    ],
    [
      'a line with a misspelt name',
      { transactions: PAID.replaceAll('STMTTRN', 'STMTTRM') },
      'line 17: expected TRNAMT in <STMTTRN> or <STMTTRNP>, got it in <BANKTRANLIST>',
    ],
  ])('has %s', (_, given, expected) => {
    expect(refusalOf(ofxFile(given))).toEqual([expected]);
  });

  test.each([
    ['nothing', '', 'line 1: expected <OFX>, got the end of the file'],
    ['no OFX', 'hello', 'line 1: expected OFXHEADER or <OFX>, got "hello"'],
    ['text before it', `hello ${whole}`, 'line 1: expected OFXHEADER or <OFX>, got'],
    ['another version', whole.replace('OFXHEADER:100', 'OFXHEADER:300'), 'expected OFXHEADER 100 or 200, got "300"'],
    ['another kind of XML', '<Document/>', 'line 1: expected <OFX>, got <DOCUMENT>'],
    ['a DOCTYPE', '<!DOCTYPE OFX [<!ENTITY a "b">]><OFX></OFX>', 'line 1: expected an element, got a declaration'],
    ['an entity declared inside', whole.replace('<CURDEF>', '<!ENTITY a "b"><CURDEF>'), 'got a declaration'],
    [
      'a comment that never ends',
      whole.replace('<CURDEF>', '<!-- <CURDEF>'),
      'expected --> after <!--, got the end of the file',
    ],
    ['another file behind it', whole + whole, 'after </OFX>, got "OFXHEADER:100'],
    ['another root behind it', `${whole}<OFX></OFX>`, 'expected the end of the file after </OFX>, got <OFX>'],
    [
      'nothing asked',
      '<OFX><SIGNONMSGSRSV1><SONRS><STATUS><CODE>0</STATUS></SONRS></SIGNONMSGSRSV1></OFX>',
      'expected a statement, got none; line 1: the bank states "0"',
    ],
    [
      'an answer that failed',
      '<OFX><BANKMSGSRSV1><STMTTRNRS><STATUS><SEVERITY>ERROR<MESSAGE>No such account</STATUS></STMTTRNRS></BANKMSGSRSV1></OFX>',
      'expected a statement, got none; line 1: the bank states "No such account"; line 1: an answer failed',
    ],
  ])('holds %s', (_, file, expected) => {
    expect(refusalOf(file).join()).toContain(expected);
  });

  test('is nested too deeply, but not one with many closed tags', () => {
    const inLine = (text: string): string => ofxFile({ transactions: PAID.replace('<FITID>', `${text}<FITID>`) });
    expect(refusalOf(inLine('<X>'.repeat(DEPTH_MAX)))).toEqual([
      `line 17: expected at most ${DEPTH_MAX} elements inside each other, got <X>`,
    ]);
    expect(read(inLine('<X><Y>1<Z></X><V></V>'.repeat(DEPTH_MAX)))[0]?.lines).toHaveLength(1);
  });

  test('ends early at any point', () => {
    for (let length = 0; length < whole.trimEnd().length; length += 1) {
      expect(refusalOf(whole.slice(0, length))).toHaveLength(1);
    }
  });

  test('is too large, before reading to its end', () => {
    const reader = createOfxReader();
    reader.push(Buffer.alloc(WHOLE_FILE_BYTES_MAX));
    expect(() => reader.push(Buffer.from('x'))).toThrow(expect.objectContaining({ code: 'bad_input' }));
  });

  test('has several faults, and names each line', () => {
    const bad = PAID.replace('12.500', 'x');
    expect(refusalOf(ofxFile({ transactions: `${bad}\n${PAID}\n${bad}` }))).toEqual([
      expect.stringMatching(/^line 17: /),
      expect.stringMatching(/^line 19: /),
    ]);
  });
});
