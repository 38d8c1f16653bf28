import { windows1252 } from '../../fixtures/statements/statement-bytes';
import { xlsxFile } from '../../support/xlsx-file';

/** A small file that proves itself, and where in it the money stands. Each has the same five lines of an account. */
export interface BalancedFile {
  readonly name: string;
  readonly text: string;
  readonly encode: (text: string) => Buffer;
  /** Finds each amount and each balance, and nothing else. */
  readonly money: RegExp;
  /** How many of them there are, so that an expression that finds too few does not go unseen. */
  readonly moneyCount: number;
  /** Finds each line of the account as the file has it, up to where the next one starts. */
  readonly entry: RegExp;
  /** Finds what says that an amount is a credit or a debit. */
  readonly mark: RegExp;
  /** What makes a credit of a debit, and a debit of a credit. */
  readonly otherMarks: (mark: string) => readonly string[];
}

/** Two lines are equal but for their reference, and one balance of the account is in debit. */
const MT940 = [
  ':20:RELEVE',
  ':25:08003000514000000123',
  ':28C:7/1',
  ':60F:D260401TND1000,000',
  ':61:2604020402C1250,500NTRFNONREF//R1',
  ':86:VIREMENT RECU',
  ':61:2604020402D1,190NCHGNONREF//R2',
  ':86:COMMISSION',
  ':61:2604020402D1,190NCHGNONREF//R3',
  ':86:COMMISSION',
  ':61:2604030403D40,250NCHKNONREF//R4',
  ':86:CHEQUE 7',
  ':61:2604060406C80,000NTRFNONREF//R5',
  ':86:VERSEMENT',
  ':62F:C260430TND287,870',
  '-',
  '',
].join('\r\n');

/** With hyphens in texts, blanks before types, and lines without a type. */
const MT940_VARIANTS = MT940.replace('1250,500NTRF', '1250,500 NTRF')
  .replaceAll('1,190NCHGNONREF', '1,190')
  .replaceAll(':86:COMMISSION', ':86:COMMISSION\r\n-\r\nDE TENUE');

const MT940_MARKS: Readonly<Record<string, readonly string[]>> = { C: ['D', 'RC'], D: ['C', 'RD'] };

function camtMoney(amount: string, side: string): string {
  return `<Amt Ccy="TND">${amount}</Amt>\n<CdtDbtInd>${side}</CdtDbtInd>\n`;
}

function camtBalance(type: string, amount: string, side: string): string {
  return (
    `<Bal>\n<Tp><CdOrPrtry><Cd>${type}</Cd></CdOrPrtry></Tp>\n${camtMoney(amount, side)}` +
    `<Dt><Dt>2026-04-30</Dt></Dt>\n</Bal>\n`
  );
}

function camtEntry(reference: string, amount: string, side: string, day: string): string {
  return (
    `<Ntry>\n${camtMoney(amount, side)}<Sts>BOOK</Sts>\n<BookgDt><Dt>${day}</Dt></BookgDt>\n` +
    `<AcctSvcrRef>${reference}</AcctSvcrRef>\n</Ntry>\n`
  );
}

const CAMT =
  '<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02">\n' +
  '<BkToCstmrStmt>\n<GrpHdr><MsgId>M</MsgId><CreDtTm>2026-05-01T08:00:00</CreDtTm></GrpHdr>\n<Stmt>\n<Id>S-7</Id>\n' +
  '<Acct>\n<Id><Othr><Id>08003000514000000123</Id></Othr></Id>\n<Ccy>TND</Ccy>\n</Acct>\n' +
  camtBalance('OPBD', '1000.000', 'DBIT') +
  camtBalance('CLBD', '287.870', 'CRDT') +
  camtEntry('R1', '1250.500', 'CRDT', '2026-04-02') +
  camtEntry('R2', '1.190', 'DBIT', '2026-04-02') +
  camtEntry('R3', '1.190', 'DBIT', '2026-04-02') +
  camtEntry('R4', '40.250', 'DBIT', '2026-04-03') +
  camtEntry('R5', '80.000', 'CRDT', '2026-04-06') +
  '</Stmt>\n</BkToCstmrStmt>\n</Document>\n';

const CAMT_IN_ENVELOPE = CAMT.replace(
  '<Document',
  '<message>\n<AppHdr xmlns="urn:h"><Id>1</Id></AppHdr>\n<Document',
).replace('</Document>\n', '</Document>\n</message>\n');

/** In the format of the shipped profile. */
const CSV = [
  'BANQUE D’ESSAI;;;;;;',
  'RIB :;08003000514000000123;;;;;',
  'Devise :;TND;;;;;',
  'Solde initial :;;;;;;-1 000,000',
  'Date opération;Date valeur;Libellé;Référence;Débit;Crédit;Solde',
  '02/04/2026;02/04/2026;VIREMENT RECU;R1;;1 250,500;250,500',
  '02/04/2026;02/04/2026;COMMISSION;R2;1,190;;249,310',
  '02/04/2026;02/04/2026;COMMISSION;R3;1,190;;248,120',
  '03/04/2026;03/04/2026;CHEQUE 7;R4;40,250;;207,870',
  '06/04/2026;06/04/2026;VERSEMENT;R5;;80,000;287,870',
  'Totaux :;;;;42,630;1 330,500;',
  'Solde final au 30/04/2026 :;;;;;;287,870',
  '',
].join('\r\n');

/** Which no profile reads: one is proposed. It has no running balance and no totals. */
const CSV_OF_ANOTHER_BANK = [
  'RIB;08003000514000000123',
  'Devise;TND',
  'Solde initial;-1000,000',
  'Date;Libellé;Montant',
  '02/04/2026;VIREMENT RECU;1250,500',
  '02/04/2026;COMMISSION;-1,190',
  '02/04/2026;COMMISSION;-1,190',
  '13/04/2026;CHEQUE 7;-40,250',
  '16/04/2026;VERSEMENT;80,000',
  'Solde final;287,870',
  '',
].join('\r\n');

const DEBIT_AND_CREDIT = [
  'RIB;08003000514000000123;;;',
  'Devise;DT;;;',
  'Date;Libellé;Débit;Crédit;Solde',
  '02/04/2026;VIREMENT RECU;;1 250,500;250,500',
  '02/04/2026;COMMISSION;1,190;;249,310',
  '02/04/2026;COMMISSION;1,190;;248,120',
  '13/04/2026;CHEQUE 7;40,250;;207,870',
  '16/04/2026;VERSEMENT;;80,000;287,870',
];

/** Which no profile reads either: the totals and the running balances prove it together. */
const CSV_WITH_TOTALS = [...DEBIT_AND_CREDIT, 'Totaux;;42,630;1 330,500;', ''].join('\r\n');

/** A word behind each balance shows its sign. */
const CSV_WITH_MARKS = [
  ...DEBIT_AND_CREDIT.slice(0, 3),
  ';Solde initial;;;1 000,000 D',
  ...DEBIT_AND_CREDIT.slice(3).map((row) => `${row} C`),
  ';Solde final;;;287,870 C',
  '',
].join('\r\n');

/** A column of words shows the sign of each balance, and the opening one is brought forward. */
const CSV_WITH_WORDS = [
  'RIB;08003000514000000123;;;;',
  'Devise;DT;;;;',
  'Date;Libellé;Débit;Crédit;Solde;Sens',
  ';REPORT;;;1 000,000;D',
  '02/04/2026;COMMISSION;1,190;;1 001,190;D',
  '02/04/2026;COMMISSION;1,190;;1 002,380;D',
  '02/04/2026;VIREMENT RECU;;1 250,500;248,120;C',
  '13/04/2026;CHEQUE 7;40,250;;207,870;C',
  '16/04/2026;VERSEMENT;;80,000;287,870;C',
  ';Solde final;;;287,870;C',
  '',
].join('\r\n');

/** A balance has the sign of its column. */
const CSV_WITH_SIDES = [
  ...DEBIT_AND_CREDIT.slice(0, 3).map((row) => row.replace(';Solde', '')),
  ';Solde initial;1 000,000;',
  ...DEBIT_AND_CREDIT.slice(3).map((row) => row.replace(/;[^;]*$/, '')),
  ';Solde final;;287,870',
  '',
].join('\r\n');

/** A minus stands behind its amount. */
const CSV_WITH_MINUS_BEHIND = CSV_OF_ANOTHER_BANK.replaceAll(/-(\d+,\d{3})/g, '$1-');

/** The cells of a debit and a credit beside each other. */
const SIDES = /(?<=\/\d{4};[^;]*;)[^;\r]*;[^;\r]*/.source;

function turned(mark: string): readonly string[] {
  if (mark.includes(';')) return [mark.split(';').reverse().join(';')];
  return [{ C: 'D', D: 'C', '-': '', '': '-' }[mark] ?? mark];
}

const CSV_PARTS = {
  encode: windows1252,
  money: /\d[\d ]*,\d{3}/g,
  entry: /\d\d\/\d\d\/\d{4};.*\r\n/g,
  otherMarks: turned,
};

/** The cells of a worksheet: a style of `SHEET_FORMATS`, and a stored number or a text. */
const SHEET_FORMATS = ['#,##0.000', 'dd/mm/yyyy'];
const text = (value: string): string => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
const amount = (value: string): string => `<c s="0"><v>${value}</v></c>`;
const day = (serial: number): string => `<c s="1"><v>${serial}</v></c>`;

/** The XML of a worksheet. Each row has its number, so that a missing or repeated one shows. */
const WORKSHEET = [
  '<worksheet><sheetData>',
  ...[
    text('RIB') + text('08003000514000000123'),
    text('Devise') + text('TND'),
    text('Solde initial') + amount('-1000.000'),
    text('Date') + text('Libellé') + text('Montant'),
    day(46_114) + text('VIREMENT RECU') + amount('1250.500'),
    day(46_114) + text('COMMISSION') + amount('-1.190'),
    day(46_114) + text('COMMISSION') + amount('-1.190'),
    day(46_115) + text('CHEQUE 7') + amount('-40.250'),
    day(46_118) + text('VERSEMENT') + amount('80.000'),
    text('Solde final') + amount('287.870'),
  ].map((cells, index) => `<row r="${index + 1}">${cells}</row>`),
  '</sheetData></worksheet>',
  '',
].join('\n');

const HTML_TABLE = [
  '<html><body><table>',
  ...CSV_OF_ANOTHER_BANK.trimEnd()
    .split('\r\n')
    .map((line) => `<tr><td>${line.replaceAll(';', '</td><td>')}</td></tr>`),
  '</table></body></html>',
  '',
].join('\n');

export const BALANCED_FILES: readonly BalancedFile[] = [
  {
    name: 'MT940',
    text: MT940,
    encode: (text) => Buffer.from(text),
    money: /\d+,\d{3}/g,
    moneyCount: 7,
    entry: /:61:.*\r\n:86:.*\r\n/g,
    mark: /[CD](?=\d{6}TND|\d+,)/g,
    otherMarks: (mark) => MT940_MARKS[mark] ?? [],
  },
  {
    name: 'MT940 with forms of banks',
    text: MT940_VARIANTS,
    encode: (text) => Buffer.from(text),
    money: /\d+,\d{3}/g,
    moneyCount: 7,
    entry: /:61:.*?\r\n(?=:6[12])/gs,
    mark: /[CD](?=\d{6}TND|\d+,)/g,
    otherMarks: (mark) => MT940_MARKS[mark] ?? [],
  },
  {
    name: 'MT940 in one line',
    text: `${MT940.trimEnd().replaceAll('\r\n', '@@')}\n`,
    encode: (text) => Buffer.from(text),
    money: /\d+,\d{3}/g,
    moneyCount: 7,
    entry: /:61:.*?@@:86:.*?@@/g,
    mark: /[CD](?=\d{6}TND|\d+,)/g,
    otherMarks: (mark) => MT940_MARKS[mark] ?? [],
  },
  ...[CAMT, CAMT_IN_ENVELOPE].map((text) => ({
    name: text === CAMT ? 'camt.053' : 'camt.053 in an envelope',
    text,
    encode: (changed: string) => Buffer.from(changed),
    money: /(?<=>)\d+\.\d{3}(?=<)/g,
    moneyCount: 7,
    entry: /<Ntry>.*?<\/Ntry>\n/gs,
    mark: /CRDT|DBIT/g,
    otherMarks: (mark: string) => [mark === 'CRDT' ? 'DBIT' : 'CRDT'],
  })),
  {
    name: 'CSV',
    text: CSV,
    encode: windows1252,
    money: /\d[\d ]*,\d{3}/g,
    moneyCount: 14,
    entry: /\d\d\/\d\d\/\d{4};\d\d.*\r\n/g,
    // The two cells side by side: an amount moves to the other side. A balance has its sign.
    mark: /(?<=;R\d;)[^;]*;[^;]*(?=;)|(?<=;)-?(?=[\d ]+,\d{3}\r)/g,
    otherMarks: (mark) => [mark.includes(';') ? mark.split(';').reverse().join(';') : mark === '' ? '-' : ''],
  },
  {
    name: 'CSV without a profile',
    text: CSV_OF_ANOTHER_BANK,
    encode: windows1252,
    money: /\d+,\d{3}/g,
    moneyCount: 7,
    entry: /\d\d\/\d\d\/\d{4};.*\r\n/g,
    mark: /(?<=;)-?(?=\d+,\d{3})/g,
    otherMarks: (mark) => [mark === '' ? '-' : ''],
  },
  {
    ...{ ...CSV_PARTS, name: 'CSV with totals and running balances', text: CSV_WITH_TOTALS },
    ...{ moneyCount: 12, mark: new RegExp(`${SIDES}|(?<=;)-?(?=\\d+,\\d{3}\\r)`, 'g') },
  },
  {
    ...{ ...CSV_PARTS, name: 'CSV with marks behind balances', text: CSV_WITH_MARKS },
    ...{ moneyCount: 12, mark: new RegExp(`${SIDES}|(?<=,\\d{3} )[CD](?=\\r)`, 'g') },
  },
  {
    ...{ ...CSV_PARTS, name: 'CSV with words for the signs of balances', text: CSV_WITH_WORDS },
    ...{ moneyCount: 12, mark: new RegExp(`${SIDES}|(?<=;)[CD](?=\\r)`, 'g') },
  },
  {
    ...{ ...CSV_PARTS, name: 'CSV with balances in the columns of amounts', text: CSV_WITH_SIDES },
    ...{ moneyCount: 7, mark: new RegExp(`${SIDES}|(?<=;Solde [a-z]+;)[^;]*;[^;\\r]*`, 'g') },
  },
  {
    ...{ ...CSV_PARTS, name: 'CSV with a minus behind amounts', text: CSV_WITH_MINUS_BEHIND },
    ...{ moneyCount: 7, mark: /(?<=,\d{3})-?(?=\r)/g },
  },
  {
    name: 'workbook',
    text: WORKSHEET,
    encode: (xml) => xlsxFile({ sheets: [{ xml }], formats: SHEET_FORMATS }),
    money: /(?<=<v>-?)\d+\.\d{3}/g,
    moneyCount: 7,
    entry: /<row r="\d+"><c s="1">.*\n/g,
    mark: /(?<=<v>)-?(?=\d+\.\d{3})/g,
    otherMarks: (mark) => [mark === '' ? '-' : ''],
  },
  {
    name: 'HTML table',
    text: HTML_TABLE,
    encode: (html) => Buffer.from(html),
    money: /\d+,\d{3}/g,
    moneyCount: 7,
    entry: /<tr><td>\d\d\/\d\d\/\d{4}.*\n/g,
    mark: /(?<=<td>)-?(?=\d+,\d{3})/g,
    otherMarks: (mark) => [mark === '' ? '-' : ''],
  },
];

/** It has one balance and cannot prove itself, so nothing is said of its amounts here. */
export const OFX_FILE = Buffer.from(
  'OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\nENCODING:USASCII\nCHARSET:1252\n\n<OFX>\n<SIGNONMSGSRSV1><SONRS>\n' +
    '<STATUS><CODE>0<SEVERITY>INFO</STATUS>\n</SONRS></SIGNONMSGSRSV1>\n<BANKMSGSRSV1><STMTTRNRS><STMTRS>\n' +
    '<CURDEF>TND\n<BANKACCTFROM>\n<BANKID>08\n<ACCTID>08003000514000000123\n<ACCTTYPE>CHECKING\n</BANKACCTFROM>\n' +
    '<BANKTRANLIST><DTSTART>20260401<DTEND>20260430\n' +
    '<STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20260402<TRNAMT>1250.500<FITID>R1<NAME>VIREMENT</STMTTRN>\n' +
    '<STMTTRN><TRNTYPE>FEE<DTPOSTED>20260402<TRNAMT>-1.190<FITID>R2<NAME>COMMISSION</STMTTRN>\n' +
    '</BANKTRANLIST>\n<LEDGERBAL><BALAMT>287.870<DTASOF>20260430</LEDGERBAL>\n</STMTRS></STMTTRNRS></BANKMSGSRSV1>\n' +
    '</OFX>\n',
);
