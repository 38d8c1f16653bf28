import { addDays, type BusinessDate, parseBusinessDate, quoted } from '../../../kernel';
import { type Decimal, parseDecimal } from '../decimal';
import { TEXT_CHARACTERS_MAX } from '../limits';
import { refusalAt } from '../refusal';
import type { MoneyDraft, StatementDraft } from './camt-drafts';
import type { XmlText } from './xml-element';

const DATE = /^(\d{4}-\d\d-\d\d)(?:T\d\d:\d\d(?::\d\d(?:[.,]\d{1,12})?)?)?(?:Z|[+-]\d\d:?\d\d)?$/;
const MIDNIGHT = /T00:00(?::00(?:[.,]0+)?)?(?:Z|[+-]\d\d:?\d\d)?$/;
const CURRENCY = /^[A-Z]{3}$/;
/** The words of banks for a missing reference. */
const NO_REFERENCES = new Set(['NOTPROVIDED', 'NOT PROVIDED', 'NONREF']);

/** Returns an amount. In camt it never has a sign: an indicator beside it names its side. */
export function amountOf({ text, line }: XmlText): Decimal {
  const amount = parseDecimal(text);
  if (amount === undefined || text.startsWith('-')) {
    throw refusalAt(line, `expected an amount without a sign, got ${quoted(text)}`);
  }
  return amount;
}

/** Returns the currency of an amount; undefined if it names none. */
export function currencyOf({ attributes, line }: XmlText): string | undefined {
  const text = attributes['Ccy'];
  return text === undefined ? undefined : currencyCode({ text, attributes, line });
}

export function currencyCode({ text, line }: XmlText): string {
  if (!CURRENCY.test(text)) throw refusalAt(line, `expected a currency such as TND, got ${quoted(text)}`);
  return text;
}

export function setAmount(money: MoneyDraft, found: XmlText): void {
  requireFirst(money.amount, 'amount', found);
  money.amount = amountOf(found);
  money.currency = currencyOf(found);
}

export function setSide(money: MoneyDraft, found: XmlText): void {
  requireFirst(money.side, 'CRDT or DBIT', found);
  if (found.text !== 'CRDT' && found.text !== 'DBIT') {
    throw refusalAt(found.line, `expected CRDT or DBIT, got ${quoted(found.text)}`);
  }
  money.side = found.text === 'CRDT' ? 'credit' : 'debit';
}

/** Refuses the second of two elements where one is allowed, because the right one is unknown. */
export function requireFirst(earlier: unknown, what: string, { text, line }: XmlText): void {
  if (earlier !== undefined) throw refusalAt(line, `expected one ${what}, got another: ${quoted(text)}`);
}

/** Returns the day of a date or of an instant as the bank writes it, whatever its time zone. */
export function dateOf({ text, line }: XmlText): BusinessDate {
  const date = readDate(text);
  if (date === undefined) throw refusalAt(line, `expected a date such as 2026-01-31, got ${quoted(text)}`);
  return date;
}

/** Returns the day of an optional date. */
export function readDate(text: string): BusinessDate | undefined {
  const known = knownDates.get(text);
  if (known !== undefined) return known;
  const date = parseBusinessDate(DATE.exec(text)?.[1] ?? '');
  if (knownDates.size >= KNOWN_DATES_MAX) knownDates.clear();
  if (date !== undefined) knownDates.set(text, date);
  return date;
}

// A file has few days and many lines, and checking a day costs more than reading the rest of its entry.
const knownDates = new Map<string, BusinessDate>();
const KNOWN_DATES_MAX = 500;

/** Returns whether an instant is the start of its day. */
export function isMidnight({ text }: XmlText): boolean {
  return MIDNIGHT.test(text);
}

/** Returns the last day of a period. A period that ends at the start of a day does not cover that day. */
export function lastDayOf({
  from,
  through,
  endsAtMidnight,
}: Pick<StatementDraft, 'from' | 'through' | 'endsAtMidnight'>): BusinessDate | undefined {
  const isExclusive = endsAtMidnight && from !== undefined && through !== undefined && through > from;
  return isExclusive ? addDays(through, -1) : through;
}

/** Returns a reference; empty for a word that stands for none. */
export function referenceOf(text: string): string {
  return NO_REFERENCES.has(text) ? '' : text;
}

/** Appends a text to earlier ones of its kind. There may be any number; together they are one text. */
export function appended(earlier: string, { text, line }: XmlText, separator = ' '): string {
  const added = referenceOf(text);
  const all = earlier === '' || added === '' ? earlier + added : `${earlier}${separator}${added}`;
  if (all.length <= TEXT_CHARACTERS_MAX) return all;
  throw refusalAt(line, `expected texts of at most ${TEXT_CHARACTERS_MAX} characters together, got more`);
}
