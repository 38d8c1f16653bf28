import { formatDinars, type BusinessCalendar } from '../kernel';
import type { ChannelDay } from './channel-days-read-model';
import type { DailyReport, ReportCredit } from './daily-report-read-model';

const STYLE = `
body { font: 14px/1.4 system-ui, sans-serif; margin: 2rem auto; max-width: 62rem; padding: 0 1rem; color: #111; }
h2 { font-size: 1.1rem; margin: 1.5rem 0 0.4rem; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid #ccc; padding: 0.2rem 0.6rem; text-align: start; vertical-align: top; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
tr.payment td:first-child { padding-left: 1.6rem; }
.wrong { color: #a00; font-weight: bold; }
@media print { body { margin: 0; max-width: none; } h2 { break-after: avoid; } tr { break-inside: avoid; } }
`;

/** The whole report as one page to print or to send: no script, nothing loaded from elsewhere. */
export function dailyReportToHtml(report: DailyReport, calendar: BusinessCalendar): string {
  const { through, agents, confirmed, confirmedToday, matched, onTheWay, confirmsProven } = report;
  const title = `Daily report, up to and with ${through}`;
  const proof = confirmsProven
    ? '<p>Proof: confirmed = paid out + on its way.</p>'
    : '<p class="wrong">DOES NOT ADD UP: confirmed is not paid out + on its way.</p>';
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    `<title>${escapeHtml(title)}</title>`,
    `<style>${STYLE}</style>`,
    '</head>',
    '<body>',
    `<h1>${escapeHtml(title)}</h1>`,
    ...section('Agents', [
      row('open agents', agents.open, ''),
      row('owe us, now', agents.owing, formatDinars(agents.due)),
      row('have credit, now', agents.inCredit, formatDinars(agents.credit)),
    ]),
    ...section('Payments of agents', [
      row('confirmed on the day', confirmedToday.count, formatDinars(confirmedToday.amount)),
      row('confirmed so far', confirmed.count, formatDinars(confirmed.amount)),
      row('paid out by the bank (credits)', matched.count, formatDinars(matched.amount)),
      row('on its way', onTheWay.count, formatDinars(onTheWay.amount)),
    ]),
    proof,
    ...section('What the gateway owes, by channel, on the day', report.channels.flatMap(channelRows)),
    ...section(
      `Bank credits (statements up to ${report.bankCoveredThrough ?? 'none yet'})`,
      report.credits.flatMap((credit) => creditRows(credit, calendar)),
    ),
    ...section(
      "Agents' payments on their way, by the day of payment",
      onTheWay.byDay.map(({ day, count, amount }) => row(day, count, formatDinars(amount))),
    ),
    ...section(
      'Breaks',
      report.breaks.map(({ breakClass, count, amount }) => row(breakClass, count, formatDinars(amount))),
    ),
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

/** What did not happen has no row. */
function channelRows(day: ChannelDay): string[] {
  const { channel, succeeded, refunded } = day;
  const moved: readonly (readonly [label: string, amount: bigint, count: number | ''])[] = [
    ['succeeded', succeeded.amount, succeeded.count],
    ['refunded', -refunded.amount, refunded.count],
    ['fees', -day.fees, ''],
    ['TVA on fees', -day.tva, ''],
    ['paid out', -day.paidOut, ''],
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
  const state = credit.matched ? `paid out (${credit.evidence ?? ''})` : 'not explained; see the breaks';
  return [
    row(
      `${credit.bookingDate} ${state}`,
      credit.payments.length,
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

function section(title: string, rows: readonly string[]): string[] {
  const head =
    '<thead><tr><th></th><th class="number">count</th><th class="number">amount</th><th></th></tr></thead><tbody>';
  const table = rows.length === 0 ? ['<p>none</p>'] : ['<table>', head, ...rows, '</tbody></table>'];
  return [`<h2>${escapeHtml(title)}</h2>`, ...table];
}

function row(
  label: string,
  count: number | '',
  amount: string,
  notes: string | readonly string[] = [],
  className = '',
): string {
  // Each text finds its own direction, so that an Arabic name turns nothing beside it around.
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

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
