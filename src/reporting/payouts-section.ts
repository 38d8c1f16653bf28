import { type BusinessCalendar, counted, formatDinars, formatProbability } from '../kernel';
import type { DailyReport } from './daily-report-read-model';
import { escapeHtml, foreignHtml, type HtmlCell, htmlTable } from './html-page';
import type { PayoutItem } from './payout-items-read-model';
import type { PayoutLine, PayoutsReport } from './payouts-report-read-model';
import { breakWords, channelWords, evidenceWords } from './report-words';

/** The number of credits on the page, the latest first; CSV and JSON have them all. */
export const CREDITS_ON_PAGE_MAX = 100;
/** The number of items of a credit on the page. */
export const ITEMS_ON_PAGE_MAX = 100;

interface Given {
  readonly daily: DailyReport;
  readonly payouts: PayoutsReport;
  readonly items: ReadonlyMap<string, readonly PayoutItem[]>;
}

/** Renders the bank credits of the period, the latest first, each with its explanation folded. */
export function payoutsSection({ daily, payouts, items }: Given, calendar: BusinessCalendar): string[] {
  const { credits } = payouts;
  if (credits.length === 0) return ['<p>The bank booked no credit of the gateway in the period.</p>'];
  const names = new Map(
    daily.credits.flatMap((credit) =>
      credit.payments.map(({ transactionId, fullName }) => [`service:${transactionId}`, fullName]),
    ),
  );
  const shown = credits.slice(-CREDITS_ON_PAGE_MAX).reverse();
  const total = credits.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
  const hidden = credits.length - shown.length;
  return [
    `<p>The bank booked ${escapeHtml(counted(credits.length, 'credit'))} of ${escapeHtml(formatDinars(total))}, the latest first.</p>`,
    ...shown.flatMap((credit) => creditHtml(credit, items.get(credit.match?.matchId ?? '') ?? [], names, calendar)),
    ...(hidden > 0 ? [`<p>The CSV and the JSON have ${escapeHtml(counted(hidden, 'earlier credit'))}.</p>`] : []),
  ];
}

function creditHtml(
  credit: PayoutLine,
  items: readonly PayoutItem[],
  names: ReadonlyMap<string, string>,
  calendar: BusinessCalendar,
): string[] {
  const { bookingDate, amount, counterparty, remittance } = credit;
  const from = [counterparty, remittance].filter((text) => text !== '').map(foreignHtml);
  return [
    `<details><summary>${bookingDate} ${escapeHtml(outcomeWords(credit))}`,
    `<span class="number">${escapeHtml(formatDinars(amount))}</span></summary>`,
    ...(from.length === 0 ? [] : [`<p>${from.join(' &middot; ')}</p>`]),
    ...explanation(credit),
    ...(items.length === 0 ? [] : itemsTable(credit, items, names, calendar)),
    '</details>',
  ];
}

function outcomeWords({ outcome, match, breakClass }: PayoutLine): string {
  switch (outcome) {
    case 'matched':
      return `paid ${counted(match?.itemCount ?? 0, 'item')}`;
    case 'forced':
      return `paid ${counted(match?.itemCount ?? 0, 'item')}, named by people`;
    case 'returned':
      return 'returned by the bank and paid again';
    case 'break':
      return `open: ${breakWords(breakClass ?? '')}`;
    case 'waiting':
      return 'not explained yet';
  }
}

/** States how the match is known, and that its amounts add up to the credit. */
function explanation({ match, amount }: PayoutLine): string[] {
  if (match === undefined) return [];
  const { gross, fee, tva, remainder, evidence, claimedError } = match;
  const certain =
    claimedError === undefined
      ? ''
      : ` The probability of an error is at most ${formatProbability(Number(claimedError))}.`;
  const parts = [
    `items ${formatDinars(gross)}`,
    ...(fee === 0 ? [] : [`fees ${formatDinars(fee)}`]),
    ...(tva === 0 ? [] : [`TVA ${formatDinars(tva)}`]),
  ].join(' − ');
  const rest = remainder === 0 ? '' : `, and a difference of ${formatDinars(remainder)}`;
  return [
    `<p>${escapeHtml(evidenceWords(evidence) + certain)}</p>`,
    `<p>${escapeHtml(`${parts}${rest} = ${formatDinars(amount)}`)}</p>`,
  ];
}

function itemsTable(
  { match }: PayoutLine,
  items: readonly PayoutItem[],
  names: ReadonlyMap<string, string>,
  calendar: BusinessCalendar,
): string[] {
  const hidden = (match?.itemCount ?? 0) - items.length;
  return [
    ...htmlTable({
      caption:
        hidden > 0
          ? `The first ${counted(items.length, 'item')}; the CSV and the JSON have them all`
          : 'Items of the credit',
      columns: [
        { label: 'received' },
        { label: 'from' },
        { label: 'amount', isFigure: true },
        { label: 'fee and TVA', isFigure: true },
        { label: 'id' },
      ],
      rows: items.map((item) => ({ cells: itemCells(item, names.get(item.itemId), calendar) })),
    }),
  ];
}

function itemCells(
  { itemId, channel, occurredAt, amount, fee, tva }: PayoutItem,
  name: string | undefined,
  calendar: BusinessCalendar,
): HtmlCell[] {
  const id = itemId.slice(itemId.indexOf(':') + 1);
  return [
    { html: occurredAt === undefined ? '' : calendar.formatLocal(occurredAt).slice(0, 16) },
    { html: name === undefined || name === '' ? escapeHtml(channelWords(channel)) : foreignHtml(name) },
    { html: escapeHtml(formatDinars(amount)), isFigure: true },
    { html: fee + tva === 0 ? '–' : escapeHtml(formatDinars(BigInt(fee + tva))), isFigure: true },
    { html: `<code>${escapeHtml(id)}</code>` },
  ];
}
