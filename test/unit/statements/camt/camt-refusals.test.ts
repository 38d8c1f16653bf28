import { describe, expect, test } from '@jest/globals';
import { isAppError } from '../../../../src/kernel';
import {
  createCamtReader,
  DEPTH_MAX,
  RAW_CHARACTERS_MAX,
  STATEMENTS_MAX,
  TEXT_CHARACTERS_MAX,
} from '../../../../src/statements/testing';
import { readStatements } from '../../../support/read-events';
import { aBalance, ACCOUNT, aMessage, anEntry, NAMESPACE } from './a-camt-message';

// Goal: an unreadable or ambiguous part is refused with the line, the expected and the actual content.

function refusalOf(file: string | Buffer): string {
  try {
    readStatements(createCamtReader(), Buffer.from(file));
  } catch (error) {
    if (isAppError(error, 'bad_input')) return error.details.join('\n');
    throw error;
  }
  throw new Error('the file was read');
}

const entry = (parts: Parameters<typeof anEntry>[0]): string => aMessage({ entries: anEntry(parts) });
const rest = (text: string): string => entry({ rest: text });
const amount = (text: string): string => entry({ amount: `<Amt Ccy="TND">${text}</Amt>` });
const booked = (text: string): string => entry({ dates: `<BookgDt><Dt>${text}</Dt></BookgDt>` });
const SMALLEST = `<Document xmlns="${NAMESPACE}camt.053.001.02"><BkToCstmrStmt><Stmt/></BkToCstmrStmt></Document>`;

describe('the camt reader refuses a file if', () => {
  test.each([
    ['it holds a document type', `<!DOCTYPE a>${aMessage({ declaration: '' })}`, 'line 1: expected no document type'],
    [
      'it defines an entity of its own',
      `<!DOCTYPE a [<!ENTITY b "bb">]>${aMessage({ declaration: '', entries: '&b;' })}`,
      'line 1: expected no document type',
    ],
    [
      'it uses an entity that XML does not have',
      rest('<NtryRef>&eacute;</NtryRef>'),
      'well-formed XML, got an entity that XML does not have',
    ],
    [
      'it is not well-formed',
      rest('<NtryRef>1</NtryRf>'),
      'line 7: expected well-formed XML, got a closing tag without',
    ],
    ['it stops in the middle', aMessage().slice(0, -20), 'got the end of the file; the file is truncated'],
    ['text follows its end', `${aMessage()}more`, 'line 10: expected well-formed XML, got text outside the elements'],
    ['it is empty', '', 'line 1: expected well-formed XML, got no element'],
    ['a comment after it never ends', `${aMessage()}<!-- `, 'line 10: expected the end of a comment, got the end'],
    [
      'its version of XML is none',
      aMessage({ declaration: '<?xml version="x"?>' }),
      'got a damaged or misplaced declaration',
    ],
    [
      'another document has another encoding',
      `${aMessage()}<?xml version="1.0" encoding="cp1252"?><a/>`,
      'line 10: expected utf-8 in each',
    ],
    ['another document has no statement', `${aMessage()}<OFX></OFX>`, 'line 10: expected a statement, got none inside'],
    ['another document is truncated', aMessage() + aMessage().slice(0, -20), 'line 17: expected well-formed XML'],
    ['it has too many documents', SMALLEST.repeat(STATEMENTS_MAX + 1), `expected at most ${STATEMENTS_MAX} documents`],
    ['it is no XML', 'hello', 'line 1: expected well-formed XML'],
    [
      'it is a payment order',
      aMessage({ message: 'pain.001.001.03' }),
      'line 2: expected camt.052, .053 or .054, got pain.001.001.03',
    ],
    [
      'it is of a version that is not known',
      aMessage({ message: 'camt.053.001.14' }),
      'line 2: expected a version from 01 to 13, got camt.053.001.14',
    ],
    [
      'it has no namespace',
      aMessage().replace(/ xmlns="[^"]*"/, ''),
      'line 2: expected the namespace of camt.052, .053 or .054, got "Document" without a namespace',
    ],
    ['its namespace is another', aMessage().replace(NAMESPACE, 'urn:other:'), 'line 2: expected the namespace'],
    [
      'it starts with another element',
      aMessage().replaceAll('Document', 'Letter'),
      'line 2: expected the element Document, got "Letter"',
    ],
    [
      'there is no statement inside',
      aMessage().replace(/<Stmt>.*<\/Stmt>/s, ''),
      'expected a statement, got none inside',
    ],
    [
      'an element of it has another namespace',
      aMessage().replace('<Ntry>', '<Ntry xmlns="urn:other">'),
      'line 7: expected no other namespace here, got "urn:other"',
    ],
    [
      'an element of it has a prefix that the others do not have',
      aMessage().replaceAll('Ntry>', 'x:Ntry>'),
      'line 7: expected elements of the namespace of the file, got "x:Ntry"',
    ],
    ['an amount is missing', entry({ amount: '' }), 'line 7: expected an entry with Amt, got none'],
    ['a side is missing', entry({ side: '' }), 'line 7: expected an entry with CdtDbtInd, got none'],
    ['an amount is garbled', amount('12..34'), 'line 7: expected an amount without a sign, got "12..34"'],
    ['an amount is negative', amount('-1'), 'line 7: expected an amount without a sign, got "-1"'],
    ['an amount has a comma', amount('1,50'), 'line 7: expected an amount without a sign, got "1,50"'],
    ['an amount is empty', amount(''), 'line 7: expected an amount without a sign, got ""'],
    ['an amount has an exponent', amount('1e3'), 'line 7: expected an amount without a sign, got "1e3"'],
    ['an amount holds an element', amount('1<b/>2'), 'line 7: expected text, got the element "b"'],
    ['an entry has two amounts', rest('<Amt Ccy="TND">1</Amt>'), 'line 7: expected one amount, got another: "1"'],
    [
      'a currency is none',
      entry({ amount: '<Amt Ccy="dinar">1</Amt>' }),
      'line 7: expected a currency such as TND, got "dinar"',
    ],
    ['a side is unknown', entry({ side: '<CdtDbtInd>C</CdtDbtInd>' }), 'line 7: expected CRDT or DBIT, got "C"'],
    [
      'a status is unknown',
      entry({ status: '<Sts>DONE</Sts>' }),
      'line 7: expected the status BOOK, PDNG, INFO or FUTR for the entry 12,500 DT, got "DONE"; ask the bank',
    ],
    ['a code of a status is unknown', entry({ status: '<Sts><Cd>RJCT</Cd></Sts>' }), ', got "RJCT"; ask the bank'],
    [
      "a status is the bank's own",
      entry({ side: '<NtryRef>N1</NtryRef><CdtDbtInd>CRDT</CdtDbtInd>', status: '<Sts><Prtry>HELD</Prtry></Sts>' }),
      'for the entry 12,500 DT, "N1", got "HELD"; ask the bank',
    ],
    ["a bank's own status is empty", entry({ status: '<Sts><Prtry/></Sts>' }), 'for the entry 12,500 DT, got ""'],
    [
      'it has both kinds of status',
      entry({ status: '<Sts><Cd>PDNG</Cd><Prtry>BOOK</Prtry></Sts>' }),
      'expected one status',
    ],
    ['a day never was', booked('2026-02-30'), 'line 7: expected a date such as 2026-01-31, got "2026-02-30"'],
    ['a date is written otherwise', booked('02/02/2026'), 'line 7: expected a date such as 2026-01-31'],
    [
      'an entry has no date at all',
      aMessage({ entries: anEntry({ dates: '' }) }).replace(/<CreDtTm>.*<\/CreDtTm>/, ''),
      'line 7: expected an entry with BookgDt, got no date at all',
    ],
    [
      'a balance is garbled',
      aMessage({ balances: aBalance('OPBD', '1.2.3') }),
      'line 6: expected an amount without a sign, got "1.2.3"',
    ],
    [
      'a balance has no amount',
      aMessage({ balances: '<Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp></Bal>' }),
      'line 6: expected the balance CLBD with Amt, got none',
    ],
    [
      'a balance has two amounts',
      aMessage({ balances: `${aBalance('CLBD', '1.5')}\n${aBalance('CLBD', '2')}` }),
      'line 7: expected the balance CLBD of 2026-02-01 as before, 1,500 DT, got 2,000 DT',
    ],
    [
      'a balance has two sides',
      aMessage({ balances: aBalance('OPBD', '1') + aBalance('OPBD', '1', '<CdtDbtInd>DBIT</CdtDbtInd>') }),
      'line 6: expected the balance OPBD of 2026-02-01 as before, 1,000 DT, got -1,000 DT',
    ],
    [
      'a statement is of two accounts',
      aMessage({ account: `<Acct><Id><IBAN>${ACCOUNT}</IBAN></Id></Acct>`.repeat(2) }),
      'line 5: expected one Acct in a statement, got another',
    ],
    [
      'an account has two IBANs',
      aMessage({ account: `<Acct><Id><IBAN>${ACCOUNT}</IBAN><IBAN>TN1</IBAN></Id></Acct>` }),
      'line 5: expected one IBAN of the account, got another: "TN1"',
    ],
    [
      'an account has two numbers',
      aMessage({ account: '<Acct><Id><Othr><Id>1</Id></Othr><Othr><Id>2</Id></Othr></Id></Acct>' }),
      'line 5: expected one number of the account, got another: "2"',
    ],
    [
      'an entry stands in an entry',
      rest(anEntry()),
      'line 7: expected "Ntry" only where it is read, got one in Document/BkToCstmrStmt/Stmt/Ntry',
    ],
    [
      'an entry stands inside what is not read',
      rest(`<Chrgs><a/>\n<b><c>${anEntry()}</c></b></Chrgs>`),
      'line 8: expected "Ntry" only where it is read, got one in Document/BkToCstmrStmt/Stmt/Ntry/Chrgs',
    ],
    [
      'an entry stands outside a statement',
      aMessage().replace('<Stmt>', `${anEntry()}<Stmt>`),
      'line 4: expected "Ntry" only where it is read, got one in Document/BkToCstmrStmt',
    ],
    [
      'an entry with a prefix that nobody declared there stands inside what is not read',
      rest('<Chrgs><x:Ntry/></Chrgs>'),
      'line 7: expected "x:Ntry" only where it is read, got one in Document/BkToCstmrStmt/Stmt/Ntry/Chrgs',
    ],
    ...['Stmt', 'Rpt', 'Ntfctn'].map((name): [string, string, string] => [
      `${name} stands in a statement`,
      aMessage({ entries: `${anEntry()}\n<a/><${name}/>` }),
      `line 8: expected "${name}" only where it is read, got one in Document/BkToCstmrStmt/Stmt`,
    ]),
    [
      'elements are too deep',
      rest('<a>'.repeat(DEPTH_MAX)),
      `line 7: expected at most ${DEPTH_MAX} elements inside each other`,
    ],
    [
      'a text is too long',
      rest(`<NtryRef>${'x'.repeat(TEXT_CHARACTERS_MAX + 1)}</NtryRef>`),
      `line 7: expected a text of at most ${TEXT_CHARACTERS_MAX} characters`,
    ],
    [
      'texts are too long together',
      rest(`<AddtlNtryInf>${'x'.repeat(TEXT_CHARACTERS_MAX)}</AddtlNtryInf><AddtlNtryInf>y</AddtlNtryInf>`),
      `line 7: expected texts of at most ${TEXT_CHARACTERS_MAX} characters together`,
    ],
    [
      'a comment does not end',
      rest(`<!--${'x'.repeat(RAW_CHARACTERS_MAX)}`),
      `line 7: expected a tag within ${RAW_CHARACTERS_MAX} characters, got none`,
    ],
    [
      'its encoding is unknown',
      aMessage({ declaration: '<?xml version="1.0" encoding="ebcdic"?>' }),
      'line 1: expected an encoding such as utf-8, got "ebcdic"',
    ],
    [
      'it declares an encoding that its first bytes deny',
      aMessage({ declaration: '<?xml version="1.0" encoding="utf-16"?>' }),
      'line 1: expected utf-16, as the file declares, got one byte for each character',
    ],
  ])('%s', (_name, file, expected) => {
    expect(refusalOf(file)).toContain(expected);
  });

  test.each([
    ['utf-8', 'utf-8'],
    ['us-ascii', 'us-ascii'],
    ['iso-8859-1', 'iso-8859-1'],
    ['windows-1252', 'windows-1252'],
  ])('bytes are not in its encoding: %s', (_name, encoding) => {
    const declaration = `<?xml version="1.0" encoding="${encoding}"?>`;
    const text = aMessage({ declaration, entries: anEntry({ rest: '<NtryRef>\u0081</NtryRef>' }) });
    const expected = 'line 7: expected text in the encoding of the file, got other bytes';
    expect(refusalOf(Buffer.from(text, 'latin1'))).toContain(expected);
  });

  test('the file ends inside a character', () => {
    const bytes = Buffer.concat([Buffer.from(aMessage()), Buffer.from([0xc3])]);
    expect(refusalOf(bytes)).toBe('line 10: expected the rest of a character, got the end of the file');
  });

  test('an earlier piece was refused', () => {
    const reader = createCamtReader();
    expect(() => reader.push(Buffer.from('hello there'))).toThrow('has faults');
    expect(() => reader.push(Buffer.from(aMessage()))).toThrow('has faults');
    expect(() => reader.end()).toThrow('has faults');
  });
});
