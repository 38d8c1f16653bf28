import { addDays, type BusinessDate, formatDinars } from '../kernel';
import { MOVEMENT_KINDS, type MovementKind } from './clearing-movements-read-model';
import type { ClearingChannel, ClearingReport } from './clearing-report-read-model';
import { MOVEMENT_WORDS } from './clearing-words';
import {
  type Cell,
  periodFacts,
  periodTitle,
  type ReportColumn,
  type ReportDocument,
  type ReportPlot,
  type ReportTable,
} from './report-document';

const DAYS_SHOWN_MAX = 100;
/** The movements on a terminal; other formats have every movement. */
const SHOWN_BY_DAY: readonly MovementKind[] = ['succeeded', 'payouts'];

export function clearingDocument(report: ClearingReport): ReportDocument {
  const { channels, proven } = report;
  return {
    key: 'clearing',
    title: periodTitle('Clearing: what the gateway owes', report),
    facts: [...periodFacts(report)],
    proven,
    tables: [rollForward(channels), consistsOf(channels), disagreements(channels), daysTable(report)],
  };
}

function rollForward(channels: readonly ClearingChannel[]): ReportTable {
  return {
    key: 'rollForward',
    title: 'Roll-forward by channel',
    columns: [
      { key: 'channel', label: 'channel' },
      { key: 'line', label: 'movement' },
      { key: 'amountMillimes', label: 'amount' },
      { key: 'proof', label: 'proof' },
    ],
    rows: channels.flatMap(({ channel, opening, movements, closing, proven }) => [
      [channel, 'opening', opening, undefined],
      ...MOVEMENT_KINDS.filter((kind) => movements[kind] !== 0n).map((kind) => [
        channel,
        MOVEMENT_WORDS[kind],
        movements[kind],
        undefined,
      ]),
      [channel, 'closing', closing, proven ? 'adds up' : 'DOES NOT ADD UP'],
    ]),
  };
}

function consistsOf(channels: readonly ClearingChannel[]): ReportTable {
  return {
    key: 'consistsOf',
    title: 'Parts of the closing balances',
    columns: [
      { key: 'channel', label: 'channel' },
      { key: 'part', label: 'part' },
      { key: 'items', label: 'items' },
      { key: 'amountMillimes', label: 'amount' },
    ],
    rows: channels.flatMap(({ channel, parts }) =>
      parts.map(({ label, items, amount }) => [channel, label, items, amount]),
    ),
  };
}

function disagreements(channels: readonly ClearingChannel[]): ReportTable {
  return {
    key: 'disagreements',
    title: 'Where postings and rows disagree',
    columns: [
      { key: 'channel', label: 'channel' },
      { key: 'movement', label: 'movement' },
      { key: 'postedMillimes', label: 'posted' },
      { key: 'inRowsMillimes', label: 'in rows' },
    ],
    rows: channels.flatMap((each) =>
      each.disagreements.map(({ kind, posted, inRows }) => [each.channel, MOVEMENT_WORDS[kind], posted, inRows]),
    ),
  };
}

function daysTable(report: ClearingReport): ReportTable {
  const { days } = report;
  const columns: ReportColumn[] = [
    { key: 'date', label: 'day' },
    { key: 'channel', label: 'channel' },
    { key: 'openingMillimes', label: 'opening' },
    ...MOVEMENT_KINDS.map((kind) => ({
      key: `${kind}Millimes`,
      label: MOVEMENT_WORDS[kind],
      ...(SHOWN_BY_DAY.includes(kind) ? {} : { wideOnly: true as const }),
    })),
    { key: 'closingMillimes', label: 'closing' },
  ];
  const rows = days.map(({ date, channel, opening, movements, closing }): Cell[] => [
    date,
    channel,
    opening,
    ...MOVEMENT_KINDS.map((kind) => movements[kind]),
    closing,
  ]);
  return {
    key: 'days',
    title: 'By day',
    columns,
    rows,
    rowsShownMax: DAYS_SHOWN_MAX,
    plot: balancePlot(report),
  };
}

/** Plots what the gateway owed at the end of each day of the period, through all channels. */
export function balancePlot({ from, to, channels, days }: ClearingReport): ReportPlot {
  const balances = new Map(channels.map(({ channel, opening }) => [channel, opening]));
  const dates: BusinessDate[] = [];
  const amounts: bigint[] = [];
  let at = 0;
  for (let date = from; date <= to; date = addDays(date, 1)) {
    for (let day = days[at]; day !== undefined && day.date <= date; day = days[(at += 1)]) {
      balances.set(day.channel, day.closing);
    }
    dates.push(date);
    amounts.push([...balances.values()].reduce((sum, amount) => sum + amount, 0n));
  }
  return {
    title: 'What the gateway owes at the end of each day',
    unit: 'DT',
    description: `From ${formatDinars(amounts[0] ?? 0n)} on ${from} to ${formatDinars(amounts.at(-1) ?? 0n)} on ${to}.`,
    kind: 'line',
    categories: dates,
    series: [{ name: 'owed by the gateway', amounts }],
  };
}
