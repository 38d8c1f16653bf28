import { counted, formatDinars, formatProbability } from '../kernel';
import type { DailyReport } from './daily-report-read-model';
import { escapeHtml, foreignHtml, type HtmlCell, htmlTable } from './html-page';
import type { PayoutItem } from './payout-items-read-model';
import type { PayoutLine, PayoutsReport } from './payouts-report-read-model';
import type { Reader, Speech } from './speech';

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
export function payoutsSection({ daily, payouts, items }: Given, reader: Reader): string[] {
  const { credits } = payouts;
  const paragraph = (english: string): string => `<p>${escapeHtml(reader.speech.say(english))}</p>`;
  if (credits.length === 0) return [paragraph('The bank booked no credit of the gateway in the period.')];
  const names = new Map(
    daily.credits.flatMap((credit) =>
      credit.payments.map(({ transactionId, fullName }) => [`service:${transactionId}`, fullName]),
    ),
  );
  const shown = credits.slice(-CREDITS_ON_PAGE_MAX).reverse();
  const total = credits.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
  const hidden = credits.length - shown.length;
  return [
    paragraph(`The bank booked ${counted(credits.length, 'credit')} of ${formatDinars(total)}, the latest first.`),
    ...shown.flatMap((credit) => creditHtml(credit, items.get(credit.match?.matchId ?? '') ?? [], names, reader)),
    ...(hidden > 0 ? [paragraph(`The CSV and the JSON have ${counted(hidden, 'earlier credit')}.`)] : []),
  ];
}

function creditHtml(
  credit: PayoutLine,
  items: readonly PayoutItem[],
  names: ReadonlyMap<string, string>,
  reader: Reader,
): string[] {
  const { bookingDate, amount, counterparty, remittance } = credit;
  const from = [counterparty, remittance].filter((text) => text !== '').map(foreignHtml);
  return [
    `<details><summary>${bookingDate} ${escapeHtml(outcomeWords(credit, reader.speech))}`,
    `<span class="number">${escapeHtml(formatDinars(amount))}</span></summary>`,
    ...(from.length === 0 ? [] : [`<p>${from.join(' &middot; ')}</p>`]),
    ...explanation(credit, reader.speech),
    ...(items.length === 0 ? [] : itemsTable(credit, items, names, reader)),
    '</details>',
  ];
}

function outcomeWords({ outcome, match, breakClass }: PayoutLine, { say, word }: Speech): string {
  switch (outcome) {
    case 'matched':
      return say(`paid ${counted(match?.itemCount ?? 0, 'item')}`);
    case 'forced':
      return say(`paid ${counted(match?.itemCount ?? 0, 'item')}, named by people`);
    case 'returned':
      return say('returned by the bank and paid again');
    case 'break':
      return say(`open: ${word('breakClass', breakClass ?? '')}`);
    case 'waiting':
      return say('not explained yet');
  }
}

/** States how the match is known, and that its amounts add up to the credit. */
function explanation({ match, amount }: PayoutLine, { say, word }: Speech): string[] {
  if (match === undefined) return [];
  const { gross, fee, tva, remainder, evidence, claimedError } = match;
  const certain =
    claimedError === undefined
      ? ''
      : ` ${say(`The probability of an error is at most ${formatProbability(Number(claimedError))}.`)}`;
  const parts = [
    `items ${formatDinars(gross)}`,
    ...(fee === 0 ? [] : [`fees ${formatDinars(fee)}`]),
    ...(tva === 0 ? [] : [`TVA ${formatDinars(tva)}`]),
  ]
    .map(say)
    .join(' − ');
  const rest = remainder === 0 ? '' : `, ${say(`and a difference of ${formatDinars(remainder)}`)}`;
  return [
    `<p>${escapeHtml(word('evidenceMeaning', evidence) + certain)}</p>`,
    `<p>${escapeHtml(`${parts}${rest} = ${formatDinars(amount)}`)}</p>`,
  ];
}

function itemsTable(
  { match }: PayoutLine,
  items: readonly PayoutItem[],
  names: ReadonlyMap<string, string>,
  reader: Reader,
): string[] {
  const hidden = (match?.itemCount ?? 0) - items.length;
  const table = {
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
    rows: items.map((item) => ({ cells: itemCells(item, names.get(item.itemId), reader) })),
  };
  return htmlTable(table, reader.speech);
}

function itemCells(
  { itemId, channel, occurredAt, amount, fee, tva }: PayoutItem,
  name: string | undefined,
  { calendar, speech }: Reader,
): HtmlCell[] {
  const id = itemId.slice(itemId.indexOf(':') + 1);
  return [
    { html: occurredAt === undefined ? '' : calendar.formatLocal(occurredAt).slice(0, 16) },
    { html: name === undefined || name === '' ? escapeHtml(speech.word('channel', channel)) : foreignHtml(name) },
    { html: escapeHtml(formatDinars(amount)), isFigure: true },
    { html: fee + tva === 0 ? '–' : escapeHtml(formatDinars(BigInt(fee + tva))), isFigure: true },
    { html: `<code>${escapeHtml(id)}</code>` },
  ];
}
