import type { Json } from '../../../api';
import { addDays, businessDate } from '../../../kernel';
import type { Plot, PlotSeries } from '../../../reporting';
import type { Texts } from '../../../texts';

type Figures = NonNullable<Json<'showTrends'>['figures']>;
export type ChannelFigure = Figures['channels'][number];
export type DayCredits = Figures['credits'][number];

const MILLIMES_IN_DINAR = 1000n;
const DAYS_MIN = 7;

/** The parts of a plot whose amounts are in millimes. */
export function inDinars({ t, money, count }: Texts): Pick<Plot, 'unit' | 'amountText' | 'axisText'> {
  return {
    unit: t('morning:plot.inDinars'),
    amountText: money,
    axisText: (amount) => count(amount / MILLIMES_IN_DINAR),
  };
}

/** Returns each day from the first to the last one. */
export function daysFrom(from: string, to: string): string[] {
  const days: string[] = [];
  for (let day = businessDate(from); day <= to; day = addDays(day, 1)) days.push(day);
  return days;
}

/** Returns the first day of a plot: the first one with a row. A plot of few days still has the width of a week. */
export function firstShown(from: string, to: string, rows: readonly { readonly date: string }[]): string {
  const first = rows.map(({ date }) => date).reduce((least, date) => (date < least ? date : least), to);
  const week: string = addDays(businessDate(to), 1 - DAYS_MIN);
  const latest = first < week ? first : week;
  return latest > from ? latest : from;
}

/** Returns the categories of a plot over days. */
export function overDays(
  texts: Texts,
  days: readonly string[],
  knownThrough?: string | null,
): Pick<Plot, 'isOverTime' | 'categories'> {
  const categories = days.map((day) => ({
    name: texts.date(day),
    label: texts.date(day, 'day'),
    isUnknown: knownThrough !== undefined && (knownThrough === null || day > knownThrough),
  }));
  return { isOverTime: true, categories };
}

export interface ByDay {
  readonly from: string;
  readonly to: string;
  /** The last day that bank statements cover. */
  readonly bankThrough: string | null;
  readonly channels: readonly ChannelFigure[];
  readonly credits: readonly DayCredits[];
}

/** Plots what was confirmed and what the bank credited on each day. */
export function byDayPlot(texts: Texts, { from: earliest, to, bankThrough, channels, credits }: ByDay): Plot {
  const { t, date } = texts;
  const from = firstShown(earliest, to, [...channels, ...credits]);
  const days = daysFrom(from, to);
  const confirmed = sumsByDay(channels.map((each) => [each.date, BigInt(each.succeededMillimes)]));
  const creditsOf = new Map(credits.map((each) => [each.date, each]));
  const ofBank = (amountOf: (day: DayCredits) => bigint): (bigint | undefined)[] =>
    days.map((day) => {
      const found = creditsOf.get(day);
      if (found !== undefined) return amountOf(found);
      return bankThrough !== null && day <= bankThrough ? 0n : undefined;
    });
  const series: PlotSeries[] = [
    { name: t('morning:plot.confirmed'), style: 0, place: 0, amounts: days.map((day) => confirmed.get(day) ?? 0n) },
    { name: t('morning:plot.net'), style: 1, place: 1, amounts: ofBank(explainedOf) },
    {
      ...{ name: t('morning:plot.charged'), style: 2, place: 1 },
      amounts: ofBank(({ chargedMillimes }) => BigInt(chargedMillimes)),
    },
    {
      ...{ name: t('morning:plot.unexplained'), style: 3, place: 1 },
      amounts: ofBank(({ unexplained }) => BigInt(unexplained.amountMillimes)),
    },
  ];
  return {
    ...inDinars(texts),
    ...{ id: 'by-day', kind: 'bars', series, ...overDays(texts, days, bankThrough) },
    title: t('morning:plot.byDay'),
    description: t('morning:plot.byDayText', { from: date(from), to: date(to) }),
  };
}

/** Returns what the bank credited on a day and is explained. */
export function explainedOf({ credited, unexplained }: DayCredits): bigint {
  return BigInt(credited.amountMillimes) - BigInt(unexplained.amountMillimes);
}

export function sumsByDay(amounts: readonly (readonly [date: string, amount: bigint])[]): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const [date, amount] of amounts) sums.set(date, (sums.get(date) ?? 0n) + amount);
  return sums;
}
