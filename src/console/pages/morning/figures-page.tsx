import type { VNode } from 'preact';
import type { Json } from '../../../api';
import { addDays, businessDate } from '../../../kernel';
import type { Plot } from '../../../reporting';
import type { Texts } from '../../../texts';
import type { Page, Visit } from '../../page/page';
import { PlotFigure } from '../../parts/plot';
import { Before } from './before';
import { byDayPlot, daysFrom, explainedOf, firstShown, inDinars, overDays } from './plots';

type Trends = NonNullable<Json<'showTrends'>['figures']>;

const DAYS_IN_BARS = 30;
const CLAIMED_LIMITS = [0.0001, 0.001, 0.01, 0.05];

/** The plots of the last cut-off, each with its table. */
export const FIGURES_PAGE: Page = {
  path: '/figures',
  scope: 'reports:read',
  menu: { group: 'daily', label: 'common:menu.figures' },
  async show(visit) {
    const { texts } = visit;
    const { figures } = await visit.call('showTrends');
    const body = figures === null ? <Before visit={visit} /> : <FiguresView visit={visit} trends={figures} />;
    return { title: texts.t('morning:figures.title'), body, isWide: true };
  },
};

function FiguresView({ visit: { texts }, trends }: { visit: Visit; trends: Trends }): VNode {
  const { t } = texts;
  const { last, channels, credits } = trends;
  const from = addDays(businessDate(last.date), 1 - DAYS_IN_BARS);
  const recent = <Row extends { readonly date: string }>(rows: readonly Row[]): Row[] =>
    rows.filter(({ date }) => date >= from);
  const bars = { from, to: last.date, bankThrough: last.bankThrough };
  const byDay = byDayPlot(texts, { ...bars, channels: recent(channels), credits: recent(credits) });
  const plots: readonly (readonly [Plot, string])[] = [
    [byDay, t('morning:plot.day')],
    [clearingPlot(texts, trends), t('morning:plot.day')],
    [expectedPlot(texts, trends, firstShown(from, last.date, [...channels, ...credits])), t('morning:plot.day')],
    [stagesPlot(texts, trends), t('morning:plot.stage')],
    [breaksPlot(texts, trends), t('morning:plot.age')],
    [claimedPlot(texts, trends), t('morning:plot.claimedName')],
  ];
  return (
    <>
      <p class="cut-off">
        {t('common:state.cutOff', { date: texts.date(last.date, 'long'), instant: texts.instant(last.knownAt) })}
      </p>
      <div class="plots">
        {plots.map(([plot, names]) => (
          <section class="panel">
            {isEmpty(plot) ? (
              <>
                <h2>{plot.title}</h2>
                <p class="empty">{t('morning:plot.empty')}</p>
              </>
            ) : (
              <PlotFigure texts={texts} plot={plot} names={names} />
            )}
          </section>
        ))}
      </div>
    </>
  );
}

function isEmpty({ series }: Plot): boolean {
  return series.every(({ amounts }) => amounts.every((amount) => amount === undefined || amount === 0n));
}

function clearingPlot(texts: Texts, { last, channels }: Trends): Plot {
  const { t, date, word } = texts;
  const from = channels[0]?.date ?? last.date;
  const days = daysFrom(from, last.date);
  const balances = new Map(channels.map((each) => [`${each.channel} ${each.date}`, BigInt(each.closingMillimes)]));
  const names = [...new Set(channels.map(({ channel }) => channel))].sort();
  return {
    ...inDinars(texts),
    ...{ id: 'clearing', kind: 'lines', ...overDays(texts, days) },
    title: t('morning:plot.clearing'),
    description: t('morning:plot.clearingText', { from: date(from), to: date(last.date) }),
    series: names.map((channel, style) => ({
      ...{ name: word('channel', channel), style },
      amounts: days.map((day) => balances.get(`${channel} ${day}`)),
    })),
  };
}

function expectedPlot(texts: Texts, { last, credits, expectations }: Trends, from: string): Plot {
  const { t } = texts;
  const lastExpected = expectations.at(-1)?.date ?? last.date;
  const days = daysFrom(from, lastExpected > last.date ? lastExpected : last.date);
  const expected = new Map(expectations.map((each) => [each.date, BigInt(each.amountMillimes)]));
  const received = new Map(credits.map((each) => [each.date, explainedOf(each) + BigInt(each.chargedMillimes)]));
  const isKnown = (day: string): boolean => last.bankThrough !== null && day <= last.bankThrough;
  return {
    ...inDinars(texts),
    ...{ id: 'expected', kind: 'bars', ...overDays(texts, days, last.bankThrough) },
    title: t('morning:plot.expected'),
    description: t('morning:plot.expectedText'),
    series: [
      { name: t('morning:plot.expectedName'), style: 1, amounts: days.map((day) => expected.get(day)) },
      {
        ...{ name: t('morning:plot.received'), style: 0 },
        amounts: days.map((day) => received.get(day) ?? (isKnown(day) ? 0n : undefined)),
      },
    ],
  };
}

function stagesPlot(texts: Texts, { last: { inTransit }, breaks }: Trends): Plot {
  const { t } = texts;
  const all = [
    [t('morning:plot.processing'), inTransit.processing],
    [t('morning:plot.available'), inTransit.available],
    [t('morning:plot.late'), inTransit.late],
    [t('morning:plot.inBreaks'), breaks.open],
  ] as const;
  const stages = all.filter(([, { amountMillimes }]) => BigInt(amountMillimes) !== 0n);
  return {
    ...inDinars(texts),
    ...{ id: 'stages', kind: 'bars', categories: stages.map(([name]) => ({ name, label: name })) },
    title: t('morning:plot.stages'),
    description: t('morning:plot.stagesText'),
    series: [
      {
        ...{ name: t('morning:plot.amount'), style: 0 },
        amounts: stages.map(([, { amountMillimes }]) => BigInt(amountMillimes)),
      },
    ],
  };
}

function breaksPlot(texts: Texts, { breaks: { byAge } }: Trends): Plot {
  const { t, word } = texts;
  return {
    ...inNumbers(texts, t('morning:plot.inNumber')),
    ...{ id: 'breaks', kind: 'bars' },
    categories: byAge.map(({ band }) => ({ name: word('ageBand', band), label: word('ageBand', band) })),
    title: t('morning:plot.breaks'),
    description: t('morning:plot.breaksText'),
    series: [{ name: t('morning:plot.openBreaks'), style: 1, amounts: byAge.map(({ count }) => BigInt(count)) }],
  };
}

function claimedPlot(texts: Texts, { claimedErrors }: Trends): Plot {
  const { t, probability } = texts;
  const errors = (claimedErrors?.errors ?? []).map(Number);
  const bandOf = (error: number): number => CLAIMED_LIMITS.filter((limit) => error > limit).length;
  const bands = errors.map(bandOf);
  const last = CLAIMED_LIMITS.at(-1) ?? 0;
  const names = [
    ...CLAIMED_LIMITS.map((limit) => t('morning:plot.claimedUpTo', { limit: probability(limit) })),
    t('morning:plot.claimedOver', { limit: probability(last) }),
  ];
  return {
    ...inNumbers(texts, t('morning:plot.inCredits')),
    ...{ id: 'claimed', kind: 'bars', categories: names.map((name) => ({ name, label: name })) },
    title: t('morning:plot.claimed'),
    description: t('morning:plot.claimedText'),
    series: [
      {
        ...{ name: t('morning:plot.claimedName'), style: 2 },
        amounts: names.map((_, band) => BigInt(bands.filter((each) => each === band).length)),
      },
    ],
  };
}

function inNumbers({ count }: Texts, unit: string): Pick<Plot, 'unit' | 'amountText' | 'axisText'> {
  return { unit, amountText: count, axisText: count };
}
