import { AppError, type BusinessDate, quoted } from '../../../kernel';
import { type AmountFormat, amountParts, hasValue, parseAmountText } from '../amount-text';
import { formatDecimal } from '../currencies';
import { type DateReader, dateReader } from '../date-text';
import { type Decimal, equalDecimals } from '../decimal';
import type { FormChoice } from './form-choice';
import { noProposal } from './no-proposal';

/** A cell, and its place for a message. */
export interface SeenText {
  readonly line: number;
  readonly text: string;
  readonly place: string;
}

/** A form that fits every cell, and the choice if a person must make it. */
export interface FormFound<T> {
  readonly value: T;
  readonly choice: FormChoice | undefined;
}

/** With points the month is never first. A two-digit year is first only before hyphens. */
const DAYS = [
  ...['/', '-', '.', ' '].map((mark) => `dd${mark}mm${mark}yyyy`),
  ...['/', '-'].map((mark) => `mm${mark}dd${mark}yyyy`),
  ...['/', '-', '.'].map((mark) => `yyyy${mark}mm${mark}dd`),
  ...['/', '-', '.'].map((mark) => `dd${mark}mm${mark}yy`),
  ...['/', '-'].map((mark) => `mm${mark}dd${mark}yy`),
  'yy-mm-dd',
  'yyyymmdd',
  'ddmmyyyy',
];
const NAMED_DAYS = [' ', '-', '/', '.'].flatMap((mark) => [`d${mark}mmm${mark}yyyy`, `d${mark}mmm${mark}yy`]);
/** Each of these also fits two-digit days, so they are tried only if the others do not fit. */
const SHORT_DAYS = ['yyyy', 'yy'].flatMap((year) => [
  ...['/', '-', '.'].map((mark) => `d${mark}m${mark}${year}`),
  ...['/', '-'].map((mark) => `m${mark}d${mark}${year}`),
]);
const DATES = [[...DAYS, ...NAMED_DAYS], SHORT_DAYS].map((days) =>
  [...days, ...days.map((format) => `${format} time`), ...days.map((format) => `${format}Ttime`)].map((format) => ({
    ...{ name: format, value: format },
    read: dateReader(format),
  })),
);

type DateForm = Form<string, BusinessDate> & { readonly read: DateReader };

const SPACES = [' ', '\u00a0', '\u202f'];
const MARKS = [...SPACES, "'", '\u2019'];
const SIGNS = ([',', '.'] as const).map((decimalSign) => {
  const format: AmountFormat = { decimalSign, thousandsSeparators: [...MARKS, decimalSign === ',' ? '.' : ','] };
  const read = (text: string): Decimal | undefined => {
    const reading = parseAmountText(text, format);
    return reading.ok ? reading.amount : undefined;
  };
  return { name: `the decimal sign ${decimalSign}`, value: decimalSign, read };
});

/** Returns the amount that a text states with a decimal sign, by default with either; undefined if it is none. */
export function readAmount(text: string, decimalSign?: ',' | '.'): Decimal | undefined {
  const signs = SIGNS.filter(({ value }) => decimalSign === undefined || value === decimalSign);
  return signs.map(({ read }) => read(text)).find((amount) => amount !== undefined);
}

/** A way of reading cells: what it makes of one, or undefined for a cell that it does not fit. */
interface Form<T, R> {
  readonly name: string;
  readonly value: T;
  readonly read: (text: string) => R | undefined;
}

/** Returns the forms that fit every cell. @throws AppError `bad_input` that names the first cell that none fits with those before. */
function fittingForms<F extends Form<unknown, unknown>>(
  all: readonly F[],
  cells: readonly SeenText[],
  expected: (before: readonly F[]) => string,
): readonly F[] {
  let fitting = all;
  for (const { text, place } of cells) {
    const next = fitting.filter(({ read }) => read(text) !== undefined);
    if (next.length === 0) {
      throw noProposal(`${place}: expected ${expected(fitting)}, got ${quoted(text)}`);
    }
    fitting = next;
  }
  return fitting;
}

/**
 * Returns the form of dates. If several fit, it is the one that a person gave, otherwise the one of the header's language.
 * @throws AppError `bad_input` without any date, or if the given form does not fit every date.
 */
export function dateForm(
  cells: readonly SeenText[],
  { dayFirst, given }: { readonly dayFirst: boolean; readonly given: string | undefined },
): FormFound<string> {
  if (cells.length === 0) throw noProposal('expected a row with a date below the header, got none');
  const [usual = [], short = []] = DATES as readonly (readonly DateForm[])[];
  const isUsual = usual.some(({ read }) => cells.every(({ text }) => read(text) !== undefined));
  // Of dates that no form fits, the usual ones are named.
  const isShort = !isUsual && short.some(({ read }) => cells.every(({ text }) => read(text) !== undefined));
  const found = fittingForms(isShort ? short : usual, cells, (before) =>
    before.length === usual.length ? 'a date' : `a date as ${namesOf(plainOf(before))}, like those above`,
  );
  const fitting = plainOf(found);
  const all = [...fitting, ...(isUsual ? short.filter(({ read }) => cells.every(({ text }) => read(text))) : [])];
  const wanted = given === undefined ? undefined : all.find(({ name }) => name === given);
  if (given !== undefined && wanted === undefined) {
    throw new AppError('bad_input', {
      field: 'dateFormat',
      expected: `${namesOf(fitting, ' or ')}, which every date of the file fits`,
      got: given,
    });
  }
  const chosen = wanted ?? (dayFirst ? dayFirstOf(fitting) : undefined);
  const readings = ({ text }: SeenText): FormChoice['readings'] =>
    fitting.map(({ value, read }) => ({ value, meaning: read(text) ?? '' }));
  const shown = cells.find((cell) => new Set(readings(cell).map(({ meaning }) => meaning)).size > 1) ?? cells[0];
  const choice =
    fitting.length < 2 || shown === undefined
      ? undefined
      : choiceOf('dateFormat', chosen === undefined, shown, readings(shown));
  return { value: (chosen ?? fitting[0])?.value ?? '', choice };
}

/** Returns the forms without those that only allow a time as well. */
function plainOf(forms: readonly DateForm[]): DateForm[] {
  const names = new Set(forms.map(({ name }) => name));
  return forms.filter(({ name }) => !names.has(name.replace(/[ T]time$/, '')) || !name.endsWith('time'));
}

/** Returns the form with the day first, if only one other fits, and differs from it in the order alone. */
function dayFirstOf(fitting: readonly DateForm[]): DateForm | undefined {
  const [dayFirst, ...more] = fitting.filter(({ name }) => name.startsWith('d'));
  const swapped = dayFirst?.name.replace(/^(d+)(.)(m+)/, '$3$2$1');
  const isPair = more.length === 0 && fitting.length === 2 && fitting.some(({ name }) => name === swapped);
  return isPair ? dayFirst : undefined;
}

function namesOf(forms: readonly { readonly name: string }[], between = ' and '): string {
  return forms.map(({ name }) => name).join(between);
}

/** The form of amounts, and what it rests on. */
export interface AmountForm extends FormFound<',' | '.'> {
  /** The separators that occur in some amount, and spaces, which the next file of the bank may have. */
  readonly thousandsSeparators: readonly string[];
  readonly reason: string;
  /** The first amount other than zero if none has decimals; undefined if one has. */
  readonly whole: SeenText | undefined;
}

/**
 * Returns the decimal sign that fits every amount. If both fit, it is the one that a person gave, otherwise `preferred`.
 * @throws AppError `bad_input` if no sign fits every amount, or the given one does not.
 */
export function amountForm(
  cells: readonly SeenText[],
  { preferred, given, currency }: { preferred: ',' | '.'; given: ',' | '.' | undefined; currency: string | undefined },
): AmountForm {
  const fitting = fittingForms(SIGNS, cells, (before) =>
    before.length === SIGNS.length ? 'an amount' : `an amount with ${namesOf(before)}, like those above`,
  );
  const [first, second] = fitting;
  const value = second === undefined ? (first?.value ?? preferred) : (given ?? preferred);
  if (given !== undefined && given !== value) {
    const shown = cells.find(({ text }) => SIGNS.some(({ read }) => read(text) === undefined));
    throw new AppError('bad_input', {
      field: 'decimalSign',
      expected: `${quoted(value)}, because the file has the amount ${quoted(shown?.text ?? '')}`,
      got: given,
      fix: 'import the file without it',
    });
  }
  const doubt = second && cells.find(({ text }) => isTwoNumbers(SIGNS.map(({ read }) => read(text))));
  const readings = SIGNS.map((sign) => {
    const amount = sign.read(doubt?.text ?? '');
    return { value: sign.value, meaning: amount === undefined ? '' : formatDecimal(amount, currency) };
  });
  const choice = doubt && choiceOf('decimalSign', given === undefined, doubt, readings);
  const chosen = SIGNS.find((sign) => sign.value === value);
  const isWhole = cells.every(({ text }) => (chosen?.read(text)?.scale ?? 0) === 0);
  const used = cells.flatMap(({ text }) => amountParts(text)?.digits.match(/\D/gu) ?? []);
  return {
    ...{ value, choice },
    // The Arabic signs are read whatever the profile names.
    thousandsSeparators: [...new Set([...used, ...SPACES])].filter(
      (each) => each !== value && !/[\u066b\u066c]/u.test(each),
    ),
    reason:
      second === undefined
        ? `every amount fits the decimal sign ${value}`
        : given !== undefined
          ? `the decimal sign ${given} is given`
          : choice === undefined
            ? 'no amount has decimals'
            : 'every amount fits both decimal signs',
    whole: isWhole ? cells.find(({ text }) => hasValue(text)) : undefined,
  };
}

/** Returns a choice that the cell shows. */
export function choiceOf(
  field: FormChoice['field'],
  isOpen: boolean,
  { text, place }: Pick<SeenText, 'text' | 'place'>,
  readings: FormChoice['readings'],
): FormChoice {
  return { field, isOpen, text, place, readings };
}

function isTwoNumbers([a, b]: readonly (Decimal | undefined)[]): boolean {
  return a !== undefined && b !== undefined && !equalDecimals(a, b);
}
