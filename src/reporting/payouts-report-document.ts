import { compareBytes, formatInstant } from '../kernel';
import type { PayoutItem } from './payout-items-read-model';
import { PAYOUT_OUTCOMES, type PayoutLine, type PayoutOutcome, type PayoutsReport } from './payouts-report-read-model';
import {
  type Cell,
  columnsFor,
  periodTitle,
  type ReportColumn,
  type ReportDocument,
  type ReportPlot,
  type ReportTable,
} from './report-document';

const CREDITS_SHOWN_MAX = 500;

const OUTCOME_WORDS: Readonly<Record<PayoutOutcome, string>> = {
  matched: 'matched',
  forced: 'matched by a person',
  returned: 'returned by the bank',
  break: 'open break',
  waiting: 'not matched, no break yet',
};

export const CREDIT_COLUMNS: readonly ReportColumn[] = [
  { key: 'lineId', label: 'line' },
  { key: 'account', label: 'account', wideOnly: true },
  { key: 'bookingDate', label: 'booked' },
  { key: 'valueDate', label: 'value date', wideOnly: true },
  { key: 'amountMillimes', label: 'amount' },
  { key: 'outcome', label: 'outcome' },
  { key: 'explainedBy', label: 'evidence or break', mayBeCut: true, terminalOnly: true },
  { key: 'evidence', label: 'evidence', wideOnly: true },
  { key: 'itemCount', label: 'items' },
  { key: 'grossMillimes', label: 'gross', wideOnly: true },
  { key: 'feeMillimes', label: 'fee', wideOnly: true },
  { key: 'tvaMillimes', label: 'TVA', wideOnly: true },
  { key: 'remainderMillimes', label: 'remainder', wideOnly: true },
  { key: 'claimedError', label: 'error' },
  { key: 'model', label: 'model', wideOnly: true },
  { key: 'stream', label: 'stream', wideOnly: true },
  { key: 'cutAfter', label: 'cut after', wideOnly: true },
  { key: 'cutUntil', label: 'cut until', wideOnly: true },
  { key: 'counterparty', label: 'counterparty', wideOnly: true },
  { key: 'remittance', label: 'remittance', wideOnly: true },
  { key: 'matchId', label: 'match', wideOnly: true },
  { key: 'matchedAt', label: 'matched at', wideOnly: true },
  { key: 'matchedBy', label: 'matched by', wideOnly: true },
  { key: 'breakId', label: 'break', wideOnly: true },
  { key: 'breakClass', label: 'class', wideOnly: true },
];

export const ITEM_COLUMNS: readonly ReportColumn[] = [
  { key: 'itemId', label: 'item' },
  { key: 'channel', label: 'channel' },
  { key: 'occurredAt', label: 'received at' },
  { key: 'amountMillimes', label: 'amount' },
  { key: 'feeMillimes', label: 'fee' },
  { key: 'tvaMillimes', label: 'TVA', wideOnly: true },
  { key: 'evidence', label: 'evidence', mayBeCut: true },
];

/** Renders the credits, one line each; their items are read separately, because there may be a million. */
export function payoutsDocument(report: PayoutsReport): ReportDocument {
  const { credits, evidence, proven } = report;
  return {
    key: 'payouts',
    title: periodTitle('Payouts', report),
    facts: [
      { key: 'from', label: 'from', value: report.from },
      { key: 'to', label: 'to', value: report.to },
    ],
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
      {
        key: 'evidence',
        title: 'Credits by grade of evidence; grades are not added up',
        columns: [
          { key: 'evidence', label: 'evidence' },
          { key: 'creditCount', label: 'credits' },
          { key: 'creditAmountMillimes', label: 'amount' },
          { key: 'itemCount', label: 'items' },
          { key: 'itemAmountMillimes', label: 'amount of items' },
        ],
        rows: evidence.map((each) => [each.evidence, each.credits, each.creditAmount, each.items, each.itemAmount]),
      },
      {
        key: 'credits',
        title: 'Bank credits',
        columns: CREDIT_COLUMNS,
        rows: credits.map(creditCells),
        rowsShownMax: CREDITS_SHOWN_MAX,
        plot: plotOf(credits),
      },
    ],
  };
}

/** Renders one credit in full: every field and every item. */
export function payoutDocument(
  report: PayoutsReport,
  credit: PayoutLine,
  items: readonly PayoutItem[],
): ReportDocument {
  const cells = creditCells(credit);
  return {
    key: 'payouts',
    title: `Payout ${credit.lineId}: ${OUTCOME_WORDS[credit.outcome]}`,
    facts: columnsFor('whole', CREDIT_COLUMNS)
      .map(({ column: { key, label }, index }) => ({ key, label, value: cells[index] }))
      .filter(({ value }) => value !== undefined && value !== ''),
    proven: report.proven,
    tables: [itemsTable(items)],
  };
}

function itemsTable(items: readonly PayoutItem[]): ReportTable {
  return { key: 'items', title: 'Items', columns: ITEM_COLUMNS, rows: items.map(itemCells) };
}

export function creditCells(credit: PayoutLine): Cell[] {
  const { match } = credit;
  const at = (instant: number | undefined): string | undefined =>
    instant === undefined ? undefined : formatInstant(instant);
  return [
    credit.lineId,
    credit.account,
    credit.bookingDate,
    credit.valueDate,
    BigInt(credit.amount),
    credit.outcome,
    match?.evidence ?? credit.breakClass,
    match?.evidence,
    match?.itemCount,
    ...(match === undefined
      ? [undefined, undefined, undefined, undefined]
      : [match.gross, match.fee, match.tva, match.remainder].map(BigInt)),
    match?.claimedError,
    match?.model,
    match?.stream,
    at(match?.cutAfter),
    at(match?.cutUntil),
    credit.counterparty,
    credit.remittance,
    match?.matchId,
    at(match?.recordedAt),
    match?.recordedBy,
    credit.breakId,
    credit.breakClass,
  ];
}

export function itemCells({ itemId, channel, occurredAt, amount, fee, tva, evidence }: PayoutItem): Cell[] {
  const came = occurredAt === undefined ? undefined : formatInstant(occurredAt);
  return [itemId, channel, came, BigInt(amount), BigInt(fee), BigInt(tva), evidence];
}

function amountOf(credits: readonly PayoutLine[]): bigint {
  return credits.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
}

function plotOf(credits: readonly PayoutLine[]): ReportPlot {
  const days = [...new Set(credits.map(({ bookingDate }) => bookingDate))].sort(compareBytes);
  const sums = new Map<string, bigint>();
  for (const { bookingDate, outcome, amount } of credits) {
    const key = `${bookingDate} ${outcome}`;
    sums.set(key, (sums.get(key) ?? 0n) + BigInt(amount));
  }
  return {
    title: 'Bank credits by day and outcome',
    description: 'One bar for each day on which the bank booked a credit. The table below has the figures.',
    categories: days,
    series: PAYOUT_OUTCOMES.map((outcome) => ({
      name: OUTCOME_WORDS[outcome],
      amounts: days.map((day) => sums.get(`${day} ${outcome}`) ?? 0n),
    })).filter(({ amounts }) => amounts.some((amount) => amount !== 0n)),
  };
}
