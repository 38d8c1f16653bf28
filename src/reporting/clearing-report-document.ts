import { compareBytes } from '../kernel';
import { MOVEMENT_KINDS, type MovementKind } from './clearing-movements-read-model';
import type { ClearingChannel, ClearingReport } from './clearing-report-read-model';
import { MOVEMENT_WORDS } from './clearing-words';
import {
  asOfFacts,
  type Cell,
  periodTitle,
  type ReportColumn,
  type ReportDocument,
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
    facts: [
      { key: 'from', label: 'from', value: report.from },
      { key: 'to', label: 'to', value: report.to },
      ...asOfFacts(report.to, report),
    ],
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

function daysTable({ days, channels }: ClearingReport): ReportTable {
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
  const dates = [...new Set(days.map(({ date }) => date))].sort(compareBytes);
  const paidOut = new Map(days.map((day) => [`${day.date} ${day.channel}`, -day.movements.payouts]));
  return {
    key: 'days',
    title: 'By day',
    columns,
    rows,
    rowsShownMax: DAYS_SHOWN_MAX,
    plot: {
      title: 'Payouts by day and channel',
      description: 'One bar for each day with a movement; the table below has the figures.',
      categories: dates,
      series: channels.map(({ channel }) => ({
        name: channel,
        amounts: dates.map((date) => paidOut.get(`${date} ${channel}`) ?? 0n),
      })),
    },
  };
}
