import { type BusinessCalendar, formatDinars } from '../kernel';
import type { ChannelDay } from './channel-days-read-model';
import { creditStateText, dayStateText } from './daily-report-format';
import type { DailyReport, ReportCredit } from './daily-report-read-model';
import { escapeHtml, type Heading, htmlPage } from './html-page';
import { asOfText, LEDGER_DATE_TEXT } from './ledger-date';

/** Renders the whole report as one self-contained page without scripts. */
export function dailyReportToHtml(report: DailyReport, calendar: BusinessCalendar): string {
  return htmlPage(dailyReportTitle(report), dailyReportBody(report, calendar, 'h2'));
}

export function dailyReportTitle({ through }: DailyReport): string {
  return `Daily report through ${through}`;
}

/** Renders the body below the title, with headings of the given level. */
export function dailyReportBody(report: DailyReport, calendar: BusinessCalendar, heading: Heading): string[] {
  const section = (title: string, rows: readonly string[]): string[] => sectionHtml(heading, title, rows);
  const { agents, confirmed, confirmedToday, matched, onTheWay, confirmsProven } = report;
  const proof = confirmsProven
    ? '<p>Proof: confirmed = paid out + in transit.</p>'
    : '<p class="wrong">DOES NOT ADD UP: confirmed is not paid out + in transit.</p>';
  return [
    `<p>As of ${escapeHtml(asOfText(report.through))}, known at ${calendar.formatLocal(report.knownAt)}.</p>`,
    `<p>${escapeHtml(LEDGER_DATE_TEXT)}</p>`,
    `<p>The day is ${escapeHtml(dayStateText(report.day, calendar))}.</p>`,
    ...section('Agents', [
      row('open agents', agents.open, ''),
      row('owe', agents.owing, formatDinars(agents.due)),
      row('have credit', agents.inCredit, formatDinars(agents.credit)),
    ]),
    ...section('Payments of agents', [
      row('confirmed on the day', confirmedToday.count, formatDinars(confirmedToday.amount)),
      row('confirmed so far', confirmed.count, formatDinars(confirmed.amount)),
      row('paid out by the bank (credits)', matched.count, formatDinars(matched.amount)),
      row('in transit', onTheWay.count, formatDinars(onTheWay.amount)),
    ]),
    proof,
    ...section('What the gateway owes, by channel, on the day', report.channels.flatMap(channelRows)),
    ...section(
      `Bank credits (statements through ${report.bankCoveredThrough ?? 'none yet'})`,
      report.credits.flatMap((credit) => creditRows(credit, calendar)),
    ),
    ...section(
      "Agents' payments in transit, by day of payment",
      onTheWay.byDay.map(({ day, count, amount }) => row(day, count, formatDinars(amount))),
    ),
    ...section(
      'Breaks',
      report.breaks.map(({ breakClass, count, amount }) => row(breakClass, count, formatDinars(amount))),
    ),
  ];
}

/** Renders the rows of amounts that are not 0. */
function channelRows(day: ChannelDay): string[] {
  const { channel, succeeded, refunded } = day;
  const moved: readonly (readonly [label: string, amount: bigint, count: number | ''])[] = [
    ['succeeded', succeeded.amount, succeeded.count],
    ['refunded', -refunded.amount, refunded.count],
    ['fees', -day.fees, ''],
    ['TVA on fees', -day.tva, ''],
    ['paid out', -day.paidOut, ''],
    ['payouts returned', day.returned, ''],
    ['written off', day.writtenOff, ''],
    ['corrected', day.corrected, ''],
  ];
  return [
    row(`${channel}, before`, '', formatDinars(day.opening)),
    ...moved
      .filter(([, amount]) => amount !== 0n)
      .map(([label, amount, count]) => row(label, count, formatDinars(amount), [], 'payment')),
    row(`${channel}, after`, '', formatDinars(day.closing), day.proven ? [] : 'DOES NOT ADD UP'),
  ];
}

function creditRows(credit: ReportCredit, calendar: BusinessCalendar): string[] {
  const state = credit.matched ? `paid out (${credit.evidence ?? ''})` : creditStateText(credit);
  return [
    row(
      `${credit.bookingDate} ${state}`,
      credit.itemCount,
      formatDinars(credit.amount),
      [credit.counterparty, credit.remittance].filter(Boolean).join(' '),
    ),
    ...credit.payments.map(({ transactionId, agentId, fullName, amount, receivedAt }) =>
      row(
        calendar.formatLocal(receivedAt).slice(0, 16),
        '',
        formatDinars(amount),
        [agentId, fullName, transactionId],
        'payment',
      ),
    ),
  ];
}

function sectionHtml(heading: Heading, title: string, rows: readonly string[]): string[] {
  const head =
    '<thead><tr><th scope="col">entry</th><th scope="col" class="number">count</th><th scope="col" class="number">amount</th><th scope="col">note</th></tr></thead><tbody>';
  const table = rows.length === 0 ? ['<p>none</p>'] : ['<table>', head, ...rows, '</tbody></table>'];
  return [`<${heading}>${escapeHtml(title)}</${heading}>`, ...table];
}

function row(
  label: string,
  count: number | '',
  amount: string,
  notes: string | readonly string[] = [],
  className = '',
): string {
  // Each text has its own direction, so an Arabic name does not reorder the text beside it.
  const note = [notes]
    .flat()
    .map((text) => `<bdi dir="auto">${escapeHtml(text)}</bdi>`)
    .join(' &middot; ');
  return [
    className === '' ? '<tr>' : `<tr class="${className}">`,
    `<td dir="auto">${escapeHtml(label)}</td><td class="number">${count}</td>`,
    `<td class="number">${escapeHtml(amount)}</td><td>${note}</td></tr>`,
  ].join('');
}
