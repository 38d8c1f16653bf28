import type { Random } from '../../../support/random';
import { ribOf } from '../../../support/rib';
import { type BankWords, LANGUAGES } from './random-exports-words';

export interface Movement {
  readonly day: string;
  /** What the account moved by. */
  minor: number;
  /** What the column of amounts shows, where it is not that. */
  shown?: number;
  isBooked: boolean;
  readonly text: string;
  account: string;
  currency: string;
}

export interface Column {
  heading: string;
  /** Whether its cells are dates, written as those of the booking day. */
  readonly isDate?: boolean;
  readonly cell: (movement: Movement, index: number) => string;
}

export interface Row {
  cells: string[];
  /** Undefined for a row that is none of the bank's lines. */
  readonly movement: Movement | undefined;
}

/** An export that is being thought out: what changes it runs before the columns become rows. */
export interface Draft {
  readonly random: Random;
  readonly words: BankWords;
  delimiter: string;
  encoding: string;
  currency: string;
  readonly account: string;
  decimalSign: string;
  group: string;
  /** The decimals that are written; 0 with `unit` 1: whole dinars. */
  decimals: number;
  /** How many of the smallest unit are 1 in the file. */
  unit: number;
  dateForm: string;
  isNewestFirst: boolean;
  opening: number;
  movements: Movement[];
  date: Column;
  text: Column;
  amounts: Column[];
  balance: Column | undefined;
  others: Column[];
  accountLabel: readonly string[] | undefined;
  currencyLabel: readonly string[] | undefined;
  /** Further rows above the heading. */
  above: string[][];
  hasOpening: boolean;
  hasTotals: boolean;
  options: { account?: string | undefined; currency?: string | undefined };
  /** Changes to the rows below the heading, in their order. */
  readonly rowSteps: ((rows: Row[], headings: readonly string[]) => Row[])[];
  /** Changes to a cell with a date or an amount. */
  readonly cellSteps: ((cell: string) => string)[];
}

/** Stand for characters that are written without quotation marks around their cell. */
export const BARE_DELIMITER = '\ue000';
export const BARE_QUOTE = '\ue001';

const DAY_MS = 86_400_000;
const FIRST_DAY = Date.UTC(2026, 0, 5);

export function randomRib(random: Random): string {
  const digits = Array.from({ length: 13 }, () => random.below(10)).join('');
  return ribOf(`${random.oneOf(['08', '10', '04', '20'])}${random.oneOf(['006', '003', '060'])}${digits}`);
}

/** Returns a RIB in one of the forms in which banks write it. */
export function shownRib(random: Random, rib: string): string {
  const [, bank, branch, account, key] = /^(..)(...)(.{13})(..)$/.exec(rib) ?? [];
  return random.oneOf([rib, rib, `${bank} ${branch} ${account} ${key}`, `TN59${rib}`]);
}

/** Draws up an export that every importer of its language understands. */
export function ordinaryDraft(random: Random): Draft {
  const words = random.oneOf(LANGUAGES);
  const currency = random.oneOf(['TND', 'TND', 'TND', 'EUR']);
  const account = randomRib(random);
  const draft: Draft = {
    ...{ random, words, currency, account },
    ...formOfCurrency(currency),
    delimiter: random.oneOf([';', ';', ';', ',', '\t', '|']),
    encoding: random.oneOf(words.encodings),
    decimalSign: words.decimalSign,
    group: random.oneOf(words.groups),
    dateForm: random.oneOf(words.dates),
    isNewestFirst: random.onceIn(4),
    opening: random.below(5_000_000),
    movements: randomMovements(random, words, { account, currency }),
    date: { heading: random.oneOf(words.date), isDate: true, cell: ({ day }) => shownDate(draft, day) },
    text: { heading: random.oneOf(words.text), cell: ({ text }) => text },
    amounts: [],
    balance: undefined,
    others: [],
    accountLabel: labelOf(random, random.oneOf(words.accountLabel), shownRib(random, account)),
    currencyLabel: labelOf(random, random.oneOf(words.currency), currency),
    above: random.onceIn(2) ? [['BANQUE DE TUNIS']] : [],
    hasOpening: random.onceIn(2),
    hasTotals: false,
    ...{ options: {}, rowSteps: [], cellSteps: [] },
  };
  if (random.onceIn(2)) writeSigned(draft);
  else {
    writeTwoColumns(draft);
    draft.hasTotals = random.onceIn(4);
  }
  if (random.onceIn(2)) writeBalance(draft, random.oneOf(words.balance));
  if (random.onceIn(3)) draft.others.push({ ...draft.date, heading: random.oneOf(words.valueDate) });
  if (random.onceIn(3)) {
    draft.others.push({ heading: random.oneOf(words.reference), cell: (_, index) => `R${4_711 + index}` });
  }
  return draft;
}

function labelOf(random: Random, label: string, value: string): string[] {
  return random.onceIn(3) ? [`${label} : ${value}`] : [label, value];
}

/** With money of both directions, and one amount above a thousand, which shows the decimal sign. */
function randomMovements(random: Random, words: BankWords, own: { account: string; currency: string }): Movement[] {
  let day = FIRST_DAY + random.below(60) * DAY_MS;
  const count = 2 + random.below(9);
  return Array.from({ length: count }, (_, index) => {
    day += random.below(4) * DAY_MS;
    const size =
      index === 0 ? 1_000_000 + random.below(3_000_000) : 1 + random.below(random.oneOf([1_000, 100_000, 900_000]));
    const isCredit = index === 0 || (index > 1 && random.onceIn(2));
    return {
      ...own,
      day: new Date(day).toISOString().slice(0, 10),
      minor: isCredit ? size : -size,
      isBooked: true,
      text: random.oneOf(words.texts),
    };
  });
}

/** Returns the amount of a row without its sign, with the decimals of its currency. */
export function sizeOf(draft: Draft, movement: Movement): string {
  const form = movement.currency === draft.currency ? draft : { ...draft, ...formOfCurrency(movement.currency) };
  return money(form, Math.abs(shownOf(movement)));
}

export function formOfCurrency(currency: string): { readonly decimals: number; readonly unit: number } {
  const decimals = currency === 'TND' ? 3 : 2;
  return { decimals, unit: 10 ** decimals };
}

/** Returns the amount that the column of amounts shows. */
export function shownOf({ shown, minor }: Movement): number {
  return shown ?? minor;
}

/** Writes debits and credits in a column each. */
export function writeTwoColumns(draft: Draft, debitSign = ''): void {
  const side = (sign: 1 | -1, before: string) => (movement: Movement) =>
    shownOf(movement) * sign > 0 ? before + sizeOf(draft, movement) : '';
  const at = draft.random.below(draft.words.debit.length);
  if (debitSign !== '') draft.hasTotals = false;
  // A heading that names dinars is not one of an account in euros.
  const named = (headings: readonly string[]): string => {
    const heading = headings[at] ?? '';
    return draft.currency === 'TND' ? heading : heading.replace(/ \(TND\)$/, '');
  };
  draft.amounts = [
    { heading: named(draft.words.debit), cell: side(-1, debitSign) },
    { heading: named(draft.words.credit), cell: side(1, '') },
  ];
}

/** Writes one column of amounts, by default with a minus before debits. */
export function writeSigned(
  draft: Draft,
  cell: (size: string, isDebit: boolean) => string = (size, isDebit) => (isDebit ? `-${size}` : size),
): void {
  draft.hasTotals = false;
  draft.amounts = [
    {
      heading: draft.random.oneOf(draft.words.amount),
      cell: (movement) => cell(sizeOf(draft, movement), shownOf(movement) < 0),
    },
  ];
}

/** Writes the balance after each row. A row that is not booked does not move it. */
export function writeBalance(draft: Draft, heading: string): void {
  draft.balance = {
    heading,
    cell(movement) {
      const through = draft.movements
        .slice(0, draft.movements.indexOf(movement) + 1)
        .filter(({ isBooked }) => isBooked);
      return signedMoney(
        draft,
        through.reduce((sum, { minor }) => sum + minor, draft.opening),
      );
    },
  };
}

export function signedMoney(draft: Draft, minor: number): string {
  return minor < 0 ? `-${money(draft, -minor)}` : money(draft, minor);
}

/** Returns an amount in the form of the draft, without a sign. */
export function money({ unit, decimals, decimalSign, group }: Draft, minor: number): string {
  const [whole = '', fraction = ''] = (minor / unit).toFixed(decimals).split('.');
  const grouped = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, group);
  return fraction === '' ? grouped : `${grouped}${decimalSign}${fraction}`;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun'];

export function shownDate({ dateForm }: Draft, day: string): string {
  const [year = '', month = '', date = ''] = day.split('-');
  const values: Readonly<Record<string, string>> = {
    ...{ yyyy: year, yy: year.slice(2), mmm: MONTHS[Number(month) - 1] ?? '', mm: month, dd: date },
    ...{ m: String(Number(month)), d: String(Number(date)) },
  };
  return dateForm.replaceAll(/yyyy|yy|mmm|mm|dd|m|d/g, (field) => values[field] ?? '');
}

/** Returns a list in an order of chance. */
function shuffled<T>(random: Random, list: readonly T[]): T[] {
  const rest = [...list];
  return list.map(() => rest.splice(random.below(rest.length), 1)[0] as T);
}

/** Writes the file. */
export function textOf(draft: Draft): string {
  const { random, delimiter, movements } = draft;
  const form = (cell: string): string => draft.cellSteps.reduce((formed, step) => step(formed), cell);
  const formed = (column: Column): Column => ({ ...column, cell: (...given) => form(column.cell(...given)) });
  const amounts = draft.amounts.map(formed);
  const balance = draft.balance === undefined ? [] : [formed(draft.balance)];
  const front = [draft.date, draft.text, ...draft.others].map((column) =>
    column.isDate === true ? formed(column) : column,
  );
  const columns = [
    ...(random.onceIn(2) ? front : shuffled(random, front)),
    ...(random.onceIn(4) ? [...balance, ...amounts] : [...amounts, ...balance]),
  ];
  const headings = columns.map(({ heading }) => heading);
  const ordered = draft.isNewestFirst ? movements.toReversed() : movements;
  let rows: Row[] = ordered.map((movement, index) => ({
    cells: columns.map(({ cell }) => cell(movement, index)),
    movement,
  }));
  for (const step of draft.rowSteps) rows = step(rows, headings);
  const closing = movements.reduce((sum, { minor, isBooked }) => sum + (isBooked ? minor : 0), draft.opening);
  const written = [
    ...draft.above,
    ...[draft.accountLabel, draft.currencyLabel].filter((label) => label !== undefined),
    ...balanceRow(draft, draft.opening, [], form),
    ...(random.onceIn(3) ? [[]] : []),
    headings,
    ...rows.map(({ cells }) => cells),
    ...totalsRow(draft, columns),
    ...balanceRow(draft, closing, columns, form),
  ];
  const quotesAll = random.onceIn(8);
  const cellOf = (cell: string): string =>
    quotesAll || cell.includes(delimiter) || cell.includes('"') ? `"${cell.replaceAll('"', '""')}"` : cell;
  const end = random.oneOf(['\r\n', '\r\n', '\n']);
  return written
    .map((cells) => cells.map(cellOf).join(delimiter) + end)
    .join('')
    .replaceAll(BARE_DELIMITER, delimiter)
    .replaceAll(BARE_QUOTE, quotesAll ? '""' : '"');
}

/** A balance with its label: in the columns of texts and balances, or else in the first two cells that are no dates. Above the heading there are no columns. */
function balanceRow(
  draft: Draft,
  minor: number,
  columns: readonly Column[],
  form: (cell: string) => string,
): string[][] {
  if (!draft.hasOpening) return [];
  const label = draft.random.oneOf(columns.length === 0 ? draft.words.opening : draft.words.closing);
  const value = form(signedMoney(draft, minor));
  const at = (heading: string | undefined): number => columns.findIndex((column) => column.heading === heading);
  const [text, balance] = [at(draft.text.heading), at(draft.balance?.heading)];
  if (text < balance && draft.random.onceIn(2)) {
    return [columns.map((_, index) => (index === text ? label : index === balance ? value : ''))];
  }
  const before = columns.slice(1).findIndex(({ isDate }) => isDate !== true);
  return [[label, ...Array<string>(Math.max(before, 0)).fill(''), value]];
}

/** The sums below the two columns, with their label in the column of texts. */
function totalsRow(draft: Draft, columns: readonly Column[]): string[][] {
  const [debit, credit] = draft.amounts;
  if (!draft.hasTotals || debit === undefined || credit === undefined) return [];
  const sum = (sign: 1 | -1): string =>
    money(
      draft,
      draft.movements.reduce((all, { minor, isBooked }) => all + (isBooked ? Math.max(sign * minor, 0) : 0), 0),
    );
  const cells: Readonly<Record<string, string>> = {
    ...{ [draft.text.heading]: draft.words.totals, [debit.heading]: sum(-1), [credit.heading]: sum(1) },
  };
  return [columns.map(({ heading }) => cells[heading] ?? '')];
}
