import { compareBytes } from '../kernel';
import type { PayoutItem } from './payout-items-read-model';
import { PAYOUT_OUTCOMES, type PayoutLine, type PayoutOutcome, type PayoutsReport } from './payouts-report-read-model';
import {
  type Cell,
  cellsOf,
  columnsFor,
  type Field,
  instantCell,
  periodFacts,
  periodTitle,
  probabilityCell,
  type ReportDocument,
  type ReportPlot,
  tableOf,
} from './report-document';

const CREDITS_SHOWN_MAX = 500;

const OUTCOME_WORDS: Readonly<Record<PayoutOutcome, string>> = {
  matched: 'matched',
  forced: 'matched by a person',
  returned: 'returned by the bank',
  break: 'open break',
  waiting: 'not matched, no break yet',
};

export const CREDIT_FIELDS: readonly Field<PayoutLine>[] = [
  { key: 'lineId', label: 'line', cell: ({ lineId }) => lineId },
  { key: 'account', label: 'account', wideOnly: true, cell: ({ account }) => account },
  { key: 'bookingDate', label: 'booked', cell: ({ bookingDate }) => bookingDate },
  { key: 'valueDate', label: 'value date', wideOnly: true, cell: ({ valueDate }) => valueDate },
  { key: 'amountMillimes', label: 'amount', cell: ({ amount }) => BigInt(amount) },
  { key: 'outcome', label: 'outcome', cell: ({ outcome }) => outcome },
  {
    key: 'explainedBy',
    label: 'evidence or break',
    terminalOnly: true,
    cell: ({ match, breakClass }) => match?.evidence ?? breakClass,
  },
  { key: 'evidence', label: 'evidence', wideOnly: true, cell: ({ match }) => match?.evidence },
  { key: 'itemCount', label: 'items', cell: ({ match }) => match?.itemCount },
  { key: 'grossMillimes', label: 'gross', wideOnly: true, cell: ({ match }) => amountCell(match?.gross) },
  { key: 'feeMillimes', label: 'fee', wideOnly: true, cell: ({ match }) => amountCell(match?.fee) },
  { key: 'tvaMillimes', label: 'TVA', wideOnly: true, cell: ({ match }) => amountCell(match?.tva) },
  { key: 'remainderMillimes', label: 'remainder', wideOnly: true, cell: ({ match }) => amountCell(match?.remainder) },
  { key: 'claimedError', label: 'error', cell: ({ match }) => probabilityCell(match?.claimedError) },
  { key: 'model', label: 'model', wideOnly: true, cell: ({ match }) => match?.model },
  { key: 'stream', label: 'stream', wideOnly: true, cell: ({ match }) => match?.stream },
  { key: 'cutAfter', label: 'cut after', wideOnly: true, cell: ({ match }) => instantCell(match?.cutAfter) },
  { key: 'cutUntil', label: 'cut until', wideOnly: true, cell: ({ match }) => instantCell(match?.cutUntil) },
  { key: 'counterparty', label: 'counterparty', wideOnly: true, cell: ({ counterparty }) => counterparty },
  { key: 'remittance', label: 'remittance', wideOnly: true, cell: ({ remittance }) => remittance },
  { key: 'matchId', label: 'match', wideOnly: true, cell: ({ match }) => match?.matchId },
  { key: 'matchedAt', label: 'matched at', wideOnly: true, cell: ({ match }) => instantCell(match?.recordedAt) },
  { key: 'matchedBy', label: 'matched by', wideOnly: true, cell: ({ match }) => match?.recordedBy },
  { key: 'breakId', label: 'break', wideOnly: true, cell: ({ breakId }) => breakId },
  { key: 'breakClass', label: 'class', wideOnly: true, cell: ({ breakClass }) => breakClass },
];

export const ITEM_FIELDS: readonly Field<PayoutItem>[] = [
  { key: 'itemId', label: 'item', cell: ({ itemId }) => itemId },
  { key: 'channel', label: 'channel', cell: ({ channel }) => channel },
  { key: 'occurredAt', label: 'received at', cell: ({ occurredAt }) => instantCell(occurredAt) },
  { key: 'amountMillimes', label: 'amount', cell: ({ amount }) => BigInt(amount) },
  { key: 'feeMillimes', label: 'fee', cell: ({ fee }) => BigInt(fee) },
  { key: 'tvaMillimes', label: 'TVA', wideOnly: true, cell: ({ tva }) => BigInt(tva) },
  { key: 'evidence', label: 'evidence', cell: ({ evidence }) => evidence },
];

/** Renders the credits, one line each; their items are read separately, because there may be a million. */
export function payoutsDocument(report: PayoutsReport): ReportDocument {
  const { credits, evidence, proven } = report;
  return {
    key: 'payouts',
    title: periodTitle('Payouts', report),
    facts: [...periodFacts(report)],
    proven,
    tables: [
      {
        key: 'outcomes',
        title: 'Bank credits by outcome',
        columns: [
          { key: 'outcome', label: 'outcome' },
          { key: 'creditCount', label: 'credits' },
          { key: 'amountMillimes', label: 'amount' },
        ],
        rows: PAYOUT_OUTCOMES.map((outcome) => credits.filter((credit) => credit.outcome === outcome)).flatMap((of) => {
          const outcome = of[0]?.outcome;
          return outcome === undefined ? [] : [[outcome, of.length, amountOf(of)]];
        }),
      },
      tableOf(evidence, {
        key: 'evidence',
        title: 'Credits by grade of evidence; grades are not added up',
        fields: [
          { key: 'evidence', label: 'evidence', cell: (each) => each.evidence },
          { key: 'creditCount', label: 'credits', cell: (each) => each.credits },
          { key: 'creditAmountMillimes', label: 'amount', cell: (each) => each.creditAmount },
          { key: 'itemCount', label: 'items', cell: (each) => each.items },
          { key: 'itemAmountMillimes', label: 'amount of items', cell: (each) => each.itemAmount },
        ],
      }),
      tableOf(credits, {
        key: 'credits',
        title: 'Bank credits',
        fields: CREDIT_FIELDS,
        rowsShownMax: CREDITS_SHOWN_MAX,
        plot: plotOf(credits),
      }),
    ],
  };
}

/** Renders one credit in full: every field and every item. */
export function payoutDocument(
  report: PayoutsReport,
  credit: PayoutLine,
  items: readonly PayoutItem[],
): ReportDocument {
  const cells = cellsOf(CREDIT_FIELDS, credit);
  return {
    key: 'payouts',
    title: `Payout ${credit.lineId}: ${OUTCOME_WORDS[credit.outcome]}`,
    facts: columnsFor('whole', CREDIT_FIELDS)
      .map(({ column: { key, label }, index }) => ({ key, label, value: cells[index] }))
      .filter(({ value }) => value !== undefined && value !== ''),
    proven: report.proven,
    tables: [tableOf(items, { key: 'items', title: 'Items', fields: ITEM_FIELDS })],
  };
}

function amountCell(amount: number | undefined): Cell {
  return amount === undefined ? undefined : BigInt(amount);
}

function amountOf(credits: readonly PayoutLine[]): bigint {
  return credits.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
}

function plotOf(credits: readonly PayoutLine[]): ReportPlot {
  const days = [...new Set(credits.map(({ bookingDate }) => bookingDate))].sort(compareBytes);
  const sums = (isExplained: boolean): bigint[] =>
    days.map((day) =>
      amountOf(credits.filter((credit) => credit.bookingDate === day && (credit.match !== undefined) === isExplained)),
    );
  return {
    title: 'Bank credits by day',
    unit: 'DT',
    description: 'Two bars for each day on which the bank booked a credit: explained, and not explained.',
    categories: days,
    series: [
      { name: 'explained', amounts: sums(true) },
      { name: 'not explained', amounts: sums(false) },
    ],
  };
}
