import { addDays, type BusinessDate, businessDate } from '../../../../src/kernel';
import { type Random, randomFrom } from '../../../support/random';

/** One movement as the bank knows it. Amounts are in the currency's smallest unit; positive: credit. */
export interface TruthLine {
  readonly date: BusinessDate;
  readonly amountMinor: number;
  readonly text: string;
  /** Empty where the bank gives none. */
  readonly reference: string;
}

/** What truly happened on an account. */
export interface AccountLife {
  readonly account: string;
  readonly currency: 'TND' | 'EUR';
  readonly openingMinor: number;
  /** One after another; a day may be without lines. */
  readonly days: readonly BusinessDate[];
  /** In the order in which the bank booked them. */
  readonly lines: readonly TruthLine[];
}

/** A part of a life that the bank makes one statement of. */
export interface Slice {
  readonly life: AccountLife;
  /** Its lines: from the index `start` up to but not with `end`. */
  readonly start: number;
  readonly end: number;
  /** The days it says that it covers. */
  readonly from: BusinessDate;
  readonly through: BusinessDate;
}

const FIRST_DAY = businessDate('2026-03-02');
const LINES_OF_A_DAY_MAX = 5;
/** Few, so that equal lines are common. */
const TEXTS = ['VIR RECU SERVICE DE PAIEMENT SA', 'COMMISSION', 'RETRAIT DAB'];
const AMOUNTS = [1_000, -1_000, 2_500, -300, 40_000];
/** Banks use one again on another day and for another amount; with those, it is of one kind of movement. */
const REFERENCES = ['REF1', 'REF2', 'TRX000017'];

export interface LifeWish {
  readonly seed: number;
  readonly account: string;
  readonly days: number;
  readonly currency?: 'TND' | 'EUR';
}

/** The same wish gives the same life. */
export function lifeOf({ seed, account, days: count, currency = 'TND' }: LifeWish): AccountLife {
  const random = randomFrom(seed, count);
  const days = Array.from({ length: count }, (_, index) => addDays(FIRST_DAY, index));
  const lines = days.flatMap((date, index) => {
    // The first and the last day hold something, so that a life has an end that shows.
    const least = index === 0 || index === count - 1 ? 1 : 0;
    return linesOf(random, date, least + random.below(LINES_OF_A_DAY_MAX + 1 - least));
  });
  return { account, currency, openingMinor: random.below(5) * 1_000 - 1_000, days, lines };
}

function linesOf(random: Random, date: BusinessDate, count: number): TruthLine[] {
  // A day whose lines add up to nothing.
  if (count >= 2 && random.onceIn(5)) {
    const text = random.oneOf(TEXTS);
    return [1_000, -1_000].map((amountMinor) => ({ date, amountMinor, text, reference: '' }));
  }
  const line = (): TruthLine => {
    const kind = random.below(TEXTS.length);
    const reference = random.onceIn(2) ? (REFERENCES[kind] ?? '') : '';
    return { date, amountMinor: random.oneOf(AMOUNTS), text: TEXTS[kind] ?? '', reference };
  };
  const lines: TruthLine[] = [];
  while (lines.length < count) {
    const last = lines.at(-1);
    lines.push(last !== undefined && random.onceIn(2) ? last : line());
  }
  return lines;
}

/** What the account holds before its line with this index. */
export function balanceBefore({ openingMinor, lines }: AccountLife, index: number): number {
  return lines.slice(0, index).reduce((sum, { amountMinor }) => sum + amountMinor, openingMinor);
}

export function closingOf(life: AccountLife): number {
  return balanceBefore(life, life.lines.length);
}

/** All lines of some days that follow each other. */
export function daysOf(life: AccountLife, from: BusinessDate, through: BusinessDate): Slice {
  const before = life.lines.filter(({ date }) => date < from).length;
  const inside = life.lines.filter(({ date }) => date >= from && date <= through).length;
  return { life, start: before, end: before + inside, from, through };
}

/** Cuts a life into statements of one or several days each. */
export function cutAtDays(life: AccountLife, random: Random): Slice[] {
  const slices: Slice[] = [];
  let from = 0;
  for (const [index, day] of life.days.entries()) {
    if (index < life.days.length - 1 && !random.onceIn(2)) continue;
    slices.push(daysOf(life, life.days[from] ?? day, day));
    from = index + 1;
  }
  return slices;
}

/**
 * Cuts a statement within its days. Only where the account holds an amount that it holds at no other moment of that day,
 * and not within a day that adds up to nothing: else the balances fit in more than one way, and nobody can tell which part
 * of the day was first.
 */
export function cutWithinDays(slice: Slice, random: Random): Slice[] {
  const { life, start, end } = slice;
  const cuts: number[] = [];
  for (let index = start + 1; index < end; index += 1) {
    if (tellsItsPlace(life, index) && random.onceIn(2)) cuts.push(index);
  }
  const ends = [...cuts, end];
  return ends.map((until, position): Slice => {
    const since = position === 0 ? start : (cuts[position - 1] ?? start);
    const first = life.lines[since]?.date ?? slice.from;
    const last = life.lines[until - 1]?.date ?? slice.through;
    return {
      life,
      start: since,
      end: until,
      from: position === 0 ? slice.from : first,
      through: position === ends.length - 1 ? slice.through : last,
    };
  });
}

function tellsItsPlace(life: AccountLife, index: number): boolean {
  const date = life.lines[index]?.date;
  if (date === undefined || life.lines[index - 1]?.date !== date) return false;
  const first = life.lines.findIndex((line) => line.date === date);
  const after = life.lines.filter((line) => line.date === date).length + first;
  if (balanceBefore(life, after) === balanceBefore(life, first)) return false;
  const balance = balanceBefore(life, index);
  for (let other = first; other <= after; other += 1) {
    if (other !== index && balanceBefore(life, other) === balance) return false;
  }
  return true;
}

export function shuffled<T>(values: readonly T[], random: Random): T[] {
  const left = [...values];
  const mixed: T[] = [];
  while (left.length > 0) mixed.push(...left.splice(random.below(left.length), 1));
  return mixed;
}
