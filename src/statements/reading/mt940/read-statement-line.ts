import type { BusinessDate } from '../../../kernel';
import { type Decimal, negateDecimal } from '../decimal';
import type { Field } from './field-splitter';
import { amountRun, readAmount } from './read-amount';
import { readDate, readEntryDate } from './read-date';
import { refuse } from './refuse';
import { trimText } from './trim-text';

/** The content of a :61:. */
export interface StatementLine {
  readonly valueDate: BusinessDate;
  readonly bookingDate: BusinessDate;
  /** Positive: credit. */
  readonly amount: Decimal;
  /** Whether the entry is only expected (EC, ED of MT942). */
  readonly expected: boolean;
  /** `NTRF`; empty if the bank omits it. */
  readonly transactionCode: string;
  /** Empty without a reference, or if it is only a word such as NONREF. */
  readonly customerReference: string;
  readonly bankReference: string;
  readonly notes: readonly string[];
}

/** RC reverses a credit and RD a debit, so the money goes the other way. */
const MARKS = {
  C: { debit: false, expected: false },
  D: { debit: true, expected: false },
  RC: { debit: true, expected: false },
  RD: { debit: false, expected: false },
  EC: { debit: false, expected: true },
  ED: { debit: true, expected: true },
} as const;

/** No mark is a prefix of another, so a letter after it is the funds code: `CD12,500` is a credit in TND. */
const MARK = /^(C|D|RC|RD|EC|ED)([A-Z]?)(?![A-Z])/;
/** Some banks write a blank between the mark and the amount. */
const BLANK = ' ';

/**
 * Reads the first line of a :61:, which is YYMMDD [MMDD] mark [funds code] amount type reference [//bank reference].
 * @throws AppError `bad_input` that names the first missing part.
 */
export function readStatementLine(
  { text: untrimmed, fileLine, ended }: Field,
  currency: string | undefined,
): StatementLine {
  const text = untrimmed.trimEnd();
  const fail = (expected: string, found: string): never => refuse({ fileLine, expected, found });
  const value = /^\d{6}/.test(text) ? readDate(text.slice(0, 6)) : undefined;
  if (value === undefined) return fail('a value date YYMMDD after :61:', text);
  // Banks that write columns use four blanks for a missing entry date.
  const entryText = /^(\d{4}| {4})/.exec(text.slice(6))?.[0] ?? '';
  const entry = entryText.trim() === '' ? value : readEntryDate(entryText, value.date);
  if (entry === undefined) return fail('an entry date MMDD after the value date', text.slice(6));

  const marked = untrimmed.slice(6 + entryText.length);
  const [head, mark] = MARK.exec(marked) ?? [];
  if (head === undefined || !isMark(mark)) return fail('a mark C, D, RC or RD after the dates', marked.trimEnd());
  const afterMark = withoutOneBlank(marked.slice(head.length));
  const written = amountRun(afterMark);
  const amount = readAmount(written, currency);
  if (amount === undefined) {
    return fail(`an amount after the mark ${head}`, written === '' ? afterMark.trimEnd() : written);
  }

  // Some banks write a blank before the type, too.
  const afterAmount = afterMark.slice(written.length);
  const rest = withoutOneBlank(afterAmount);
  const transactionCode = transactionCodeOf(rest, ended);
  if (transactionCode === undefined) {
    return fail('a transaction type such as NTRF after the amount', afterAmount.trimEnd());
  }
  if (!/[.,]/.test(written) && DIGITS_AFTER_LETTER.test(rest)) {
    return fail('a comma in the amount before a type of digits', written + rest.trimEnd());
  }
  const references = rest.startsWith(BEFORE_BANK_REFERENCE) ? rest : rest.slice(TYPE_CHARACTERS);
  const slashes = references.indexOf(BEFORE_BANK_REFERENCE);
  return {
    valueDate: value.date,
    bookingDate: entry.date,
    amount: MARKS[mark].debit ? negateDecimal(amount) : amount,
    expected: MARKS[mark].expected,
    transactionCode,
    customerReference: referenceOf(slashes === -1 ? references : references.slice(0, slashes)),
    bankReference: slashes === -1 ? '' : referenceOf(references.slice(slashes + 2)),
    notes: [value, entry].some(({ lateFebruary }) => lateFebruary)
      ? [`line ${fileLine}: ${text.slice(0, 6)}${entryText} names a late day that this February does not have`]
      : [],
  };
}

function withoutOneBlank(text: string): string {
  return text.startsWith(BLANK) ? text.slice(BLANK.length) : text;
}

function isMark(text: string | undefined): text is keyof typeof MARKS {
  return text !== undefined && Object.hasOwn(MARKS, text);
}

const TYPE_CHARACTERS = 4;
const BEFORE_BANK_REFERENCE = '//';
/** Some banks pad a shorter type with blanks: `S   `, and `NOV `, whose blank is lost at the end of a line. */
const TYPE = /^[A-Z](?:[A-Z0-9]{3}|[A-Z0-9]{2}(?: |$)|[A-Z0-9] {2}| {3})/;

/** A type of digits, such as `N110`. After an amount without a comma, a letter in place of the comma looks the same. */
const DIGITS_AFTER_LETTER = /^[A-Z]\d/;

/** Returns the code, empty without one; undefined if it is invalid. A line at the end of the file may be incomplete even in the amount. */
function transactionCodeOf(rest: string, ended: boolean): string | undefined {
  if (rest.trim() === '') return ended ? '' : undefined;
  if (!ended && rest.length < TYPE_CHARACTERS) return undefined;
  // Some banks write no type and no reference of the customer.
  if (rest.startsWith(BEFORE_BANK_REFERENCE)) return '';
  return TYPE.exec(rest)?.[0].trimEnd();
}

/** Words for a reference that is elsewhere or missing. */
const NO_REFERENCES = new Set([
  'NONREF',
  'NOREF',
  'EREF',
  'EREF+',
  'KREF',
  'KREF+',
  'MARF',
  'PREF',
  'NOTPROVIDED',
  'N',
]);

function referenceOf(text: string): string {
  const reference = trimText(text);
  return NO_REFERENCES.has(reference) ? '' : reference;
}
