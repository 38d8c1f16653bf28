import { describe, expect, test } from '@jest/globals';
import { decimalText, type ParsedLine, type ParsedStatement } from '../../../../src/statements';
import { createCamtReader, RAW_CHARACTERS_MAX } from '../../../../src/statements/testing';
import { type ReadStatement, readStatements } from '../../../support/read-events';
import { aBalance, ACCOUNT, aMessage, anEntry, type MessageParts } from './a-camt-message';

function read(parts: MessageParts = {}): ReadStatement {
  return readBytes(Buffer.from(aMessage(parts)));
}

function readBytes(bytes: Buffer): ReadStatement {
  const [first, ...others] = readStatements(createCamtReader(), bytes);
  expect(others).toEqual([]);
  if (first === undefined) throw new Error('there is no statement');
  return first;
}

function readEntry(entry: string, parts: MessageParts = {}): ParsedLine {
  const [line] = read({ ...parts, entries: entry }).lines;
  if (line === undefined) throw new Error('there is no line');
  return line;
}

const details = (...all: string[]): string =>
  `<NtryDtls>${all.map((detail) => `<TxDtls>${detail}</TxDtls>`).join('')}</NtryDtls>`;

/** `1` for a balance, `1+` for one between pages. */
function balances({ opening, closing }: ParsedStatement): string[] {
  return [opening, closing].map((found) =>
    found === undefined ? 'none' : decimalText(found.amount) + (found.intermediate ? '+' : ''),
  );
}

describe('a camt statement', () => {
  test('has its account, its number, its days and its balances', () => {
    const header =
      '<ElctrncSeqNb>31</ElctrncSeqNb><LglSeqNb>7</LglSeqNb><FrToDt><FrDtTm>2026-02-01T00:00:00</FrDtTm>' +
      '<ToDtTm>2026-02-02T23:59:59.999Z</ToDtTm></FrToDt>';
    const { statement, lines } = read({ header });

    expect(statement).toMatchObject({
      ...{ kind: 'statement', fileLine: 4, account: ACCOUNT, currency: 'TND', currencies: ['TND'] },
      ...{ bankId: 'S1', number: '31', from: '2026-02-01', through: '2026-02-02', notes: [], totals: {} },
    });
    expect(statement.opening).toEqual({
      amount: { units: 100_000n, scale: 3 },
      date: '2026-02-01',
      intermediate: false,
    });
    expect(balances(statement)).toEqual(['100.000', '112.500']);
    expect(lines).toHaveLength(1);
  });

  test.each([
    ['2026-02-01T00:00:00', '2026-02-03T00:00:00', '2026-02-02'],
    ['2026-02-01T00:00:00', '2026-02-03T00:00:00.000+01:00', '2026-02-02'],
    ['2026-02-28T12:00:00', '2026-03-01T00:00:00Z', '2026-02-28'],
    ['2026-02-01T00:00:00', '2026-02-03T00:00:01', '2026-02-03'],
    ['2026-02-01T00:00:00', '2026-02-03', '2026-02-03'],
    ['2026-02-03T00:00:00', '2026-02-03T00:00:00', '2026-02-03'],
  ])('from %s to %s ends on %s', (from, to, through) => {
    const [start, end] = [`<FrDtTm>${from}</FrDtTm>`, `<ToDtTm>${to}</ToDtTm>`];
    expect(read({ header: `<FrToDt>${start}${end}</FrToDt>` }).statement.through).toBe(through);
    expect(read({ header: `<FrToDt>${end}${start}</FrToDt>` }).statement.through).toBe(through);
  });

  test.each([
    ['camt.052.001.06', 'interim'],
    ['camt.053.001.01', 'statement'],
    ['camt.054.001.13', 'notification'],
  ])('has for %s the kind %s', (message, kind) => {
    expect(read({ message }).statement.kind).toBe(kind);
  });

  test('has a negative balance for DBIT, and a note if the bank writes no side', () => {
    const { statement } = read({
      balances: aBalance('OPBD', '5.1', '<CdtDbtInd>DBIT</CdtDbtInd>') + aBalance('CLBD', '7', ''),
    });
    expect(balances(statement)).toEqual(['-5.1', '7']);
    expect(statement.notes).toEqual(['line 6: the balance CLBD has no CdtDbtInd and is taken as credit']);
  });

  test('opens with PRCD only if OPBD is missing', () => {
    const previous = aBalance('PRCD', '1');
    expect(balances(read({ balances: previous + aBalance('CLBD', '2') }).statement)).toEqual(['1', '2']);
    expect(balances(read({ balances: previous + aBalance('OPBD', '3') }).statement)).toEqual(['3', 'none']);
  });

  test.each([
    ['the first page', 'OPBD ITBD', ['1', '2+']],
    ['an inner page', 'ITBD ITBD', ['1+', '2+']],
    ['the last page', 'ITBD CLBD', ['1+', '2']],
    ['a report that has one balance of the day', 'ITBD', ['none', 'none']],
  ])('uses ITBD as the balance between pages: %s', (_page, types, expected) => {
    const written = types.split(' ').map((type, index) => aBalance(type, String(index + 1)));
    expect(balances(read({ balances: written.join('') }).statement)).toEqual(expected);
  });

  test('may repeat a balance and state one for each day', () => {
    const nextDay = aBalance('CLBD', '3').replace('02-01', '02-02');
    const stated = [aBalance('OPBD', '1'), aBalance('CLBD', '2'), aBalance('CLBD', '2.0'), nextDay];
    expect(balances(read({ balances: stated.join('') }).statement)).toEqual(['1', '3']);
  });

  test('has its page in its number and intermediate balances on inner pages', () => {
    const header = (page: number, last: boolean): string =>
      `<StmtPgntn><PgNb>${page}</PgNb><LastPgInd>${last}</LastPgInd></StmtPgntn><ElctrncSeqNb>31</ElctrncSeqNb>`;
    const inner = read({ header: header(2, false) }).statement;
    expect(inner.number).toBe('31/2');
    expect(balances(inner)).toEqual(['100.000+', '112.500+']);
    expect(read({ header: header(1, false) }).statement.number).toBe('31/1');
    expect(read({ header: header(1, true) }).statement.number).toBe('31');
  });

  test('has the currencies of its balances if the account names none', () => {
    const { statement } = read({
      account: '<Acct><Id><Othr><Id>0042</Id></Othr></Id></Acct>',
      balances: aBalance('OPBD', '1', '', 'EUR') + aBalance('CLBD', '2', '', 'CHF'),
    });
    expect(statement).toMatchObject({ account: '0042', currency: 'EUR', currencies: ['EUR', 'CHF', 'TND'] });
    expect(statement.notes).toContain('line 6: the balance CLBD is in CHF, and the statement is in EUR');
  });

  test('has the totals that the bank states', () => {
    const header =
      '<TxsSummry><TtlCdtNtries><NbOfNtries>2</NbOfNtries><Sum>10.5</Sum></TtlCdtNtries>' +
      '<TtlDbtNtries><NbOfNtries>1</NbOfNtries><Sum>3</Sum></TtlDbtNtries></TxsSummry>';
    expect(read({ header }).statement.totals).toEqual({
      ...{ creditEntries: 2, credits: { units: 105n, scale: 1 } },
      ...{ debitEntries: 1, debits: { units: 3n, scale: 0 } },
    });
  });
});

describe('a camt entry', () => {
  test("becomes a line with the bank's days, reference and text", () => {
    expect(readEntry(anEntry())).toEqual({
      ...{ status: 'booked', fileLine: 7, bookingDate: '2026-02-02', valueDate: '2026-02-03' },
      ...{ amount: { units: 12_500n, scale: 3 }, currency: 'TND', counterparty: '', counterpartyAccount: '' },
      ...{ remittance: '', bankReference: 'REF1', endToEndId: '', transactionCode: '', details: [] },
      ...{ balanceAfter: undefined, payoutCandidate: undefined, raw: anEntry() },
    });
  });

  test('keeps its sign if it is a reversal', () => {
    const entry = anEntry({ side: '<CdtDbtInd>DBIT</CdtDbtInd><RvslInd>true</RvslInd>' });
    expect(decimalText(readEntry(entry).amount)).toBe('-12.500');
  });

  test.each([
    ['<Sts>BOOK</Sts>', 'booked'],
    ['<Sts><Cd>PDNG</Cd></Sts>', 'pending'],
    ['<Sts>FUTR</Sts>', 'pending'],
    ['<Sts><Prtry>PDNG</Prtry></Sts>', 'pending'],
    ['<Sts>\n  <Cd> INFO </Cd>\n</Sts>', 'information'],
    ['', 'booked'],
  ])('has for %s the status %s', (status, expected) => {
    expect(readEntry(anEntry({ status })).status).toBe(expected);
  });

  test('has another day if it lacks a booking date, and adds a note to the statement', () => {
    const withValueDate = anEntry({ dates: '<ValDt><Dt>2026-02-05</Dt></ValDt>' });
    const { statement, lines } = read({ entries: withValueDate + anEntry({ dates: '' }) });
    expect(lines.map(({ bookingDate }) => bookingDate)).toEqual(['2026-02-05', '2026-02-03']);
    expect(statement.notes).toEqual([
      'line 7: an entry has no booking date; it has its value date instead',
      'line 7: an entry has no booking date; it has the day on which the statement was made instead',
    ]);
  });

  test("has the domain codes, or else the bank's codes", () => {
    const domain = '<Domn><Cd>PMNT</Cd><Fmly><Cd>RCDT</Cd><SubFmlyCd>ESCT</SubFmlyCd></Fmly></Domn>';
    const own = '<Prtry><Cd>Z04</Cd></Prtry>';
    const code = (inside: string): string => readEntry(anEntry({ rest: `<BkTxCd>${inside}</BkTxCd>` })).transactionCode;
    expect([code(domain + own), code(own)]).toEqual(['PMNT/RCDT/ESCT', 'Z04']);
  });

  test('does not use a word such as NOTPROVIDED as a reference', () => {
    const rest = '<NtryRef>N7</NtryRef><AcctSvcrRef>NONREF</AcctSvcrRef>';
    const notProvided = details('<Refs><EndToEndId>NOTPROVIDED</EndToEndId></Refs>');
    expect(readEntry(anEntry({ rest: rest + notProvided }))).toMatchObject({ bankReference: 'N7', endToEndId: '' });
  });

  test.each([
    ['<Nm>Salma &amp; Fils</Nm>', 'Salma & Fils'],
    ['<Pty><Nm><![CDATA[Salma <SARL>]]></Nm></Pty>', 'Salma <SARL>'],
    ['<Agt><FinInstnId><Nm>Banque</Nm></FinInstnId></Agt>', 'Banque'],
  ])('has the debtor of its only credit transaction as counterparty, written as %s', (name, expected) => {
    const detail =
      `<Refs><EndToEndId>E1</EndToEndId></Refs><RltdPties><Dbtr>${name}</Dbtr><DbtrAcct><Id><IBAN>TN1</IBAN></Id>` +
      '</DbtrAcct><Cdtr><Nm>We</Nm></Cdtr></RltdPties><RmtInf><Ustrd>one</Ustrd><Ustrd>two</Ustrd>' +
      '<Strd><CdtrRefInf><Ref>RF18</Ref></CdtrRefInf></Strd></RmtInf>';
    const line = readEntry(anEntry({ rest: `${details(detail)}<AddtlNtryInf>more</AddtlNtryInf>` }));
    expect(line).toMatchObject({
      ...{ counterparty: expected, counterpartyAccount: 'TN1', endToEndId: 'E1', remittance: 'one two RF18' },
      details: [{ counterparty: expected, amount: undefined }],
    });
  });

  test('has the creditor of a debit as counterparty, and the ultimate one only if no other is named', () => {
    const parties = (creditor: string): string =>
      details(`<RltdPties><Dbtr><Nm>We</Nm></Dbtr>${creditor}<UltmtCdtr><Nm>Last</Nm></UltmtCdtr></RltdPties>`);
    const side = '<CdtDbtInd>DBIT</CdtDbtInd>';
    expect(readEntry(anEntry({ side, rest: parties('<Cdtr><Nm>Shop</Nm></Cdtr>') })).counterparty).toBe('Shop');
    expect(readEntry(anEntry({ side, rest: parties('') })).counterparty).toBe('Last');
  });

  test('never has the account holder as counterparty, not even in a returned payment', () => {
    const parties =
      `<RltdPties><Dbtr><Nm>We</Nm></Dbtr><DbtrAcct><Id><IBAN>${ACCOUNT}</IBAN></Id></DbtrAcct><Cdtr><Nm>Shop</Nm></Cdtr>` +
      '<CdtrAcct><Id><IBAN>TN2</IBAN></Id></CdtrAcct></RltdPties>';
    expect(readEntry(anEntry({ rest: details(parties) }))).toMatchObject({
      counterparty: 'Shop',
      counterpartyAccount: 'TN2',
    });
  });

  test('has the transactions of a batch in both directions, and no counterparty', () => {
    const first = '<Refs><AcctSvcrRef>A</AcctSvcrRef></Refs><Amt Ccy="TND">20</Amt><CdtDbtInd>CRDT</CdtDbtInd>';
    const second =
      '<CdtDbtInd>DBIT</CdtDbtInd><AmtDtls><TxAmt><Amt Ccy="TND">7.500</Amt></TxAmt></AmtDtls>' +
      '<RltdPties><Cdtr><Nm>Shop</Nm></Cdtr></RltdPties>';
    const rest = `<NtryDtls><Btch><MsgId>B9</MsgId></Btch></NtryDtls>${details(first, second)}`;
    const line = readEntry(anEntry({ rest }));
    expect(line).toMatchObject({ counterparty: '', remittance: 'B9' });
    expect(line.details.map(({ amount }) => amount && decimalText(amount))).toEqual(['20', '-7.500']);
    expect(line.details.map(({ bankReference, counterparty }) => bankReference + counterparty)).toEqual(['A', 'Shop']);
  });

  test('keeps the start of a very long text and all transactions', () => {
    const detail = `<TxDtls><Amt Ccy="TND">1</Amt><CdtDbtInd>CRDT</CdtDbtInd>${' '.repeat(1000)}</TxDtls>`;
    const many = Math.ceil(RAW_CHARACTERS_MAX / 1000);
    const { statement, lines } = read({
      entries: anEntry({ rest: `<NtryDtls>${detail.repeat(many)}</NtryDtls>` }) + anEntry(),
    });
    expect(lines.map((line) => line.details.length)).toEqual([many, 0]);
    expect(lines[0]?.raw).toHaveLength(RAW_CHARACTERS_MAX);
    expect(lines[1]?.raw).toBe(anEntry());
    expect(statement.notes).toEqual(['line 7: an entry is very long; only the beginning of its raw text is kept']);
  });
});

describe('camt XML', () => {
  test('may have a prefix', () => {
    const prefixed = aMessage()
      .replace('xmlns=', 'xmlns:c=')
      .replaceAll(/<(\/?)([A-Z])/g, '<$1c:$2');
    const { statement, lines } = readBytes(Buffer.from(prefixed));
    expect(statement.account).toBe(ACCOUNT);
    expect(lines.map(({ amount }) => decimalText(amount))).toEqual(['12.500']);
  });

  test('may contain unknown elements, which are ignored', () => {
    const unknown = '<SplmtryData><Envlp><x:Ntry xmlns:x="urn:other"><x:Amt>1</x:Amt></x:Ntry></Envlp></SplmtryData>';
    expect(read({ entries: unknown + anEntry({ rest: '<Chrgs><Amt>1</Amt></Chrgs>' }) }).lines).toHaveLength(1);
  });

  test('has line numbers that count CR LF as one line end', () => {
    const entries = `${anEntry()}\n${anEntry()}`;
    const text = aMessage({ entries }).replaceAll('\n', '\r\n');
    expect(readBytes(Buffer.from(text)).lines.map(({ fileLine }) => fileLine)).toEqual([7, 8]);
  });
});

describe('the camt decoder', () => {
  const withName = (declaration: string): string =>
    aMessage({ declaration, entries: anEntry({ rest: '<AddtlNtryInf>Échéance €</AddtlNtryInf>' }) });
  const declared = (name: string): string => withName(`<?xml version="1.0" encoding="${name}"?>`);
  const utf16 = Buffer.from(declared('UTF-16'), 'utf16le');

  test.each([
    ['utf-8', Buffer.from(declared('utf-8'))],
    ['none', Buffer.from(withName('<?xml version="1.0"?>'))],
    ['no declaration', Buffer.from(withName('').trimStart())],
    ['utf-8 with a mark', Buffer.from(`\ufeff${declared('UTF-8')}`)],
    ['utf-16 little endian', Buffer.concat([Buffer.from([0xff, 0xfe]), utf16])],
    ['utf-16 big endian without a mark', Buffer.from(utf16).swap16()],
    ['windows-1252', Buffer.from(declared('Windows-1252').replace('€', '\u0080'), 'latin1')],
    ['iso-8859-15', Buffer.from(declared('ISO-8859-15').replace('€', '\u00a4'), 'latin1')],
  ])('reads %s', (_name, bytes) => {
    const pieces = [1, 2, 3, bytes.length];
    for (const pieceBytes of pieces) {
      const [found] = readStatements(createCamtReader(), bytes, pieceBytes);
      expect(found?.lines.map(({ remittance }) => remittance)).toEqual(['Échéance €']);
    }
  });

  test('reads iso-8859-1', () => {
    const text = declared('iso-8859-1').replace(' €', '');
    expect(readBytes(Buffer.from(text, 'latin1')).lines[0]?.remittance).toBe('Échéance');
  });
});
