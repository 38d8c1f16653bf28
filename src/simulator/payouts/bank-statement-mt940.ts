import { addDays, type BusinessDate, type Millimes } from '../../kernel';
import type { BankLine } from './bank-line';
import type { BankStatement } from './bank-statement';
import { accountText, statementNumber, unsignedDinarsText } from './bank-statement-text';

const LINE_END = '\r\n';
const LINE_CHARACTERS_MAX = 65;
const BANK_REFERENCE_CHARACTERS_MAX = 16;
/** The maximum length of one sub-field of `:86:`. */
const SUB_FIELD_CHARACTERS_MAX = 27;
/** `?20` to `?28`: with the name and the booking text they fill the six lines of the field. */
const REMITTANCE_FIELDS_MAX = 9;
const REMITTANCE_FIELD_FIRST = 20;
const NAME_FIELD_FIRST = 32;
const NAME_FIELDS_MAX = 2;

/**
 * Writes the statement as MT940, with a structured `:86:` and the third letter of the currency after each debit or
 * credit mark. Text is reduced to SWIFT characters and lengths, so it contains less than the other formats.
 */
export function bankStatementMt940(statement: BankStatement): string {
  const { account, from, through, openingMillimes, closingMillimes, lines } = statement;
  return [
    `:20:RELEVE${shortDate(through)}`,
    `:25:${narrowed(accountText(account))}`,
    `:28C:${statementNumber(through)}`,
    // The closing balance of the day before, which the standard requires.
    balance(':60F:', openingMillimes, addDays(from, -1)),
    ...lines.flatMap((line) => [entry(line), ...information(line)]),
    balance(':62F:', closingMillimes, through),
    '-',
  ]
    .map((line) => `${line}${LINE_END}`)
    .join('');
}

function balance(tag: ':60F:' | ':62F:', balanceMillimes: Millimes, date: BusinessDate): string {
  return `${tag}${mark(balanceMillimes)}${shortDate(date)}TND${unsignedDinarsText(balanceMillimes, ',')}`;
}

function entry({ valueDate, bookingDate, amountMillimes, bankReference }: BankLine): string {
  const dates = `${shortDate(valueDate)}${shortDate(bookingDate).slice(2)}`;
  // Two slashes would begin a reference inside a reference.
  const reference = narrowed(bankReference).replaceAll('/', '-').slice(0, BANK_REFERENCE_CHARACTERS_MAX).trimEnd();
  const ofBank = reference === '' ? '' : `//${reference}`;
  return `:61:${dates}${mark(amountMillimes)}D${unsignedDinarsText(amountMillimes, ',')}NTRFNONREF${ofBank}`;
}

/**
 * Writes the sub-fields of `:86:`. None continues on the next line, so no line can begin like a tag or like the end of
 * the statement.
 */
function information({ amountMillimes, counterparty, remittance }: BankLine): string[] {
  const isDebit = amountMillimes < 0;
  const fields = [
    isDebit ? '?00DEBIT' : '?00CREDIT',
    ...subFields(REMITTANCE_FIELD_FIRST, remittance, REMITTANCE_FIELDS_MAX),
    ...subFields(NAME_FIELD_FIRST, counterparty, NAME_FIELDS_MAX),
  ];
  const done: string[] = [];
  let line = isDebit ? ':86:020' : ':86:051';
  for (const field of fields) {
    if (line.length + field.length > LINE_CHARACTERS_MAX) {
      done.push(line);
      line = '';
    }
    line += field;
  }
  return [...done, line];
}

function subFields(first: number, text: string, most: number): string[] {
  const fields: string[] = [];
  // A question mark would begin a sub-field.
  let rest = narrowed(text).replaceAll('?', '.');
  while (rest !== '' && fields.length < most) {
    const piece = rest.slice(0, SUB_FIELD_CHARACTERS_MAX).trimEnd();
    fields.push(`?${first + fields.length}${piece}`);
    rest = rest.slice(piece.length);
  }
  return fields;
}

/** Keeps only SWIFT characters: letters lose their accents, and other characters become full stops. */
function narrowed(text: string): string {
  return text
    .toWellFormed()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/\s+/gu, ' ')
    .replace(/[^A-Za-z0-9/?:().,'+ -]/gu, '.')
    .trim();
}

/** Returns the mark. A balance of zero counts as a credit. */
function mark(amountMillimes: Millimes): 'C' | 'D' {
  return amountMillimes < 0 ? 'D' : 'C';
}

/** Writes a date as `YYMMDD`. */
function shortDate(date: BusinessDate): string {
  return date.slice(2).replaceAll('-', '');
}
