import type { BusinessDate, Millimes } from '../../kernel';
import type { BankLine } from './bank-line';
import type { BankStatement } from './bank-statement';
import { accountText, statementNumber, unsignedDinarsText } from './bank-statement-text';
import { sumMillimes } from './payable-item';

const NAMESPACE = 'urn:iso:std:iso:20022:tech:xsd:camt.053.001.08';
/** The maximum lengths of `Ustrd`, `Nm` and `AcctSvcrRef`. */
const REMITTANCE_CHARACTERS_MAX = 140;
const NAME_CHARACTERS_MAX = 140;
const REFERENCE_CHARACTERS_MAX = 35;

/**
 * Writes the statement as camt.053.001.08, in UTF-8. Its times are those of the bank's local day, without an offset.
 */
export function bankStatementCamt053(statement: BankStatement): string {
  const { from, through, openingMillimes, closingMillimes, lines } = statement;
  const account = accountText(statement.account);
  const createdAt = `${through}T23:59:59`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<Document xmlns="${NAMESPACE}"><BkToCstmrStmt>`,
    `<GrpHdr>${element('MsgId', `RELEVE-${statementNumber(through)}`)}${element('CreDtTm', createdAt)}</GrpHdr>`,
    '<Stmt>',
    element('Id', `${from}-${through}`),
    element('ElctrncSeqNb', statementNumber(through)),
    element('CreDtTm', createdAt),
    `<FrToDt>${element('FrDtTm', `${from}T00:00:00`)}${element('ToDtTm', createdAt)}</FrToDt>`,
    `<Acct><Id><Othr>${element('Id', account)}</Othr></Id>${element('Ccy', 'TND')}</Acct>`,
    balance('OPBD', openingMillimes, from),
    balance('CLBD', closingMillimes, through),
    totals(lines.map(({ amountMillimes }) => amountMillimes)),
    ...lines.map(entry),
    '</Stmt>',
    '</BkToCstmrStmt></Document>',
    '',
  ].join('\n');
}

function balance(code: 'OPBD' | 'CLBD', balanceMillimes: Millimes, date: BusinessDate): string {
  const type = `<Tp><CdOrPrtry>${element('Cd', code)}</CdOrPrtry></Tp>`;
  return `<Bal>${type}${amount(balanceMillimes)}<Dt>${element('Dt', date)}</Dt></Bal>`;
}

function totals(amounts: readonly Millimes[]): string {
  const of = (name: string, some: readonly Millimes[]): string =>
    `<${name}>${element('NbOfNtries', String(some.length))}${element('Sum', unsignedDinarsText(sumMillimes(some), '.'))}</${name}>`;
  const credits = amounts.filter((each) => each > 0);
  const debits = amounts.filter((each) => each < 0);
  return `<TxsSummry>${of('TtlCdtNtries', credits)}${of('TtlDbtNtries', debits)}</TxsSummry>`;
}

function entry({ amountMillimes, bookingDate, valueDate, bankReference, counterparty, remittance }: BankLine): string {
  return [
    `<Ntry>${amount(amountMillimes)}<Sts>${element('Cd', 'BOOK')}</Sts>`,
    `<BookgDt>${element('Dt', bookingDate)}</BookgDt><ValDt>${element('Dt', valueDate)}</ValDt>`,
    optional('AcctSvcrRef', pieces(oneLine(bankReference), REFERENCE_CHARACTERS_MAX)[0] ?? ''),
    transactionCode(amountMillimes),
    `<NtryDtls><TxDtls><Refs>${element('EndToEndId', 'NOTPROVIDED')}</Refs>${amount(amountMillimes)}`,
    party(amountMillimes, oneLine(counterparty)),
    remittanceInformation(oneLine(remittance)),
    '</TxDtls></NtryDtls></Ntry>',
  ].join('');
}

/** Writes an amount. Zero counts as a credit. */
function amount(amountMillimes: Millimes): string {
  const text = unsignedDinarsText(amountMillimes, '.');
  return `<Amt Ccy="TND">${text}</Amt>${element('CdtDbtInd', amountMillimes < 0 ? 'DBIT' : 'CRDT')}`;
}

/** Writes only whether money was received or issued, because the statement must not reveal the cause of a line. */
function transactionCode(amountMillimes: Millimes): string {
  const family = element('Cd', amountMillimes < 0 ? 'ICDT' : 'RCDT');
  const familyAndKind = `<Fmly>${family}${element('SubFmlyCd', 'OTHR')}</Fmly>`;
  return `<BkTxCd><Domn>${element('Cd', 'PMNT')}${familyAndKind}</Domn></BkTxCd>`;
}

function party(amountMillimes: Millimes, name: string): string {
  if (name === '') return '';
  const role = amountMillimes < 0 ? 'Cdtr' : 'Dbtr';
  const [short = ''] = pieces(name, NAME_CHARACTERS_MAX);
  return `<RltdPties><${role}><Pty>${element('Nm', short)}</Pty></${role}></RltdPties>`;
}

function remittanceInformation(text: string): string {
  const parts = pieces(text, REMITTANCE_CHARACTERS_MAX).map((piece) => element('Ustrd', piece));
  return parts.length === 0 ? '' : `<RmtInf>${parts.join('')}</RmtInf>`;
}

function pieces(text: string, charactersMax: number): readonly string[] {
  return text.match(new RegExp(`.{1,${charactersMax}}`, 'gsu')) ?? [];
}

function optional(name: string, text: string): string {
  return text === '' ? '' : element(name, text);
}

function element(name: string, text: string): string {
  return `<${name}>${escaped(text)}</${name}>`;
}

/** Keeps only characters of XML 1.0: bank texts contain no others, and not even escaping makes those well-formed. */
function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/gu, ' ')
    .replace(/[\ufffe\uffff]/gu, '?')
    .trim();
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
