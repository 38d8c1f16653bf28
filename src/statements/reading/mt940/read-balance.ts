import type { BusinessDate } from '../../../kernel';
import { type Decimal, negateDecimal } from '../decimal';
import type { Field } from './field-splitter';
import { amountRun, mayBeCut, readAmount } from './read-amount';
import { readDate } from './read-date';
import { refuse } from './refuse';

export interface Balance {
  readonly currency: string;
  /** Positive: credit. */
  readonly amount: Decimal;
  /** Undefined for six digits that are no day, such as 31 November. */
  readonly date: BusinessDate | undefined;
}

/** Returns whether a balance can be read at all. An unreadable available balance only gives a note. */
export function isBalance(text: string): boolean {
  const found = BALANCE.exec(text.trimEnd());
  return found !== null && readAmount(found[4] ?? '', found[3]) !== undefined;
}

const BALANCE = /^(C|D)(\d{6})([A-Z]{3})([\d.,]+)$/;

/**
 * Reads `C260701EUR1000,00`: mark, date, currency, amount.
 *
 * @throws AppError `bad_input`
 */
export function readBalance({ tag, text: untrimmed, fileLine, ended }: Field): Balance {
  const text = untrimmed.trimEnd();
  const fail = (expected: string, found: string): never => refuse({ fileLine, expected, found });
  const mark = text.slice(0, 1);
  if (mark !== 'C' && mark !== 'D') fail(`the mark C or D after :${tag}:`, text);
  const digits = text.slice(1, 7);
  if (!/^\d{6}$/.test(digits)) fail(`a date YYMMDD after the mark ${mark}`, text.slice(1));
  const currency = text.slice(7, 10);
  if (!/^[A-Z]{3}$/.test(currency)) fail('a currency of three letters after the date', text.slice(7));
  const written = text.slice(10);
  const amount = readAmount(written, currency);
  if (amount === undefined) return fail(`an amount after the currency ${currency}`, written);
  if (!ended && mayBeCut(written)) fail(`an amount with a comma after the currency ${currency}`, written);
  return { currency, amount: mark === 'D' ? negateDecimal(amount) : amount, date: readDate(digits)?.date };
}

export interface ControlSum {
  readonly entries: number | undefined;
  readonly currency: string;
  readonly amount: Decimal;
}

/** A larger number of lines is invalid. */
const ENTRIES_DIGITS_MAX = 9;

/**
 * Reads `12EUR1500,00` of :90C: and :90D:, the number of lines and their sum.
 * @throws AppError `bad_input`
 */
export function readControlSum({ tag, text: untrimmed, fileLine, ended }: Field): ControlSum {
  const text = untrimmed.trimEnd();
  const fail = (expected: string, found: string): never => refuse({ fileLine, expected, found });
  const count = /^\d*/.exec(text)?.[0] ?? '';
  if (count.length > ENTRIES_DIGITS_MAX) fail(`a number of entries after :${tag}:`, text);
  const currency = text.slice(count.length, count.length + 3);
  if (!/^[A-Z]{3}$/.test(currency)) fail('a currency of three letters after the number of entries', text);
  const written = text.slice(count.length + 3);
  const amount = readAmount(written, currency);
  if (amount === undefined) return fail(`an amount after the currency ${currency}`, written);
  if (!ended && mayBeCut(written)) fail(`an amount with a comma after the currency ${currency}`, written);
  return { entries: count === '' ? undefined : Number(count), currency, amount };
}

/** Returns the currency of `EURD5,`, the floor limit of an interim report; undefined if it cannot be read. */
export function floorLimitCurrency(text: string): string | undefined {
  const found = /^([A-Z]{3})[CD]?(?=[\d.,])/.exec(text);
  return found === null || amountRun(text.slice(found[0].length)) === '' ? undefined : found[1];
}
