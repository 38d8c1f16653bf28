import { addDays, addToGroup, type BusinessCalendar, type BusinessDate, counted, formatDinars } from '../kernel';
import { agingDocument, breaksPlot } from './aging-report-document';
import type { AgingReport } from './aging-report-read-model';
import { type ChannelDay, dayMovements } from './channel-days-read-model';
import { MOVEMENT_KINDS } from './clearing-movements-read-model';
import { balancePlot, clearingDocument } from './clearing-report-document';
import type { ClearingReport } from './clearing-report-read-model';
import { MOVEMENT_WORDS, PART_WORDS } from './clearing-words';
import type { DailyReport } from './daily-report-read-model';
import { confirmsProofText, dayStateText } from './daily-report-text';
import { asOfHtml, documentBody } from './document-html';
import { feesDocument } from './fees-report-document';
import type { FeesReport } from './fees-report-read-model';
import { escapeHtml, type HtmlCell, htmlPage, htmlTable } from './html-page';
import type { PayoutItem } from './payout-items-read-model';
import type { PayoutsReport } from './payouts-report-read-model';
import { payoutsSection } from './payouts-section';
import { plotHtml } from './plot-html';
import { provenText, type ReportDocument, type ReportPeriod, type ReportPlot, type Total } from './report-document';
import { breakEndText } from './report-words';
import { onPage, type Reader, type Speech, TERMINAL_ENGLISH } from './speech';

/** All reports of one snapshot; the daily report is that of the last day. */
export interface WholeReport extends ReportPeriod {
  readonly daily: DailyReport;
  readonly aging: AgingReport;
  readonly clearing: ClearingReport;
  readonly payouts: PayoutsReport;
  readonly fees: FeesReport;
  /** The first items of the latest matches, by match. */
  readonly items: ReadonlyMap<string, readonly PayoutItem[]>;
  /** Whether every part with a proof is proven. */
  readonly proven: boolean;
}

const ENDED_SHOWN_MAX = 8;

const PARTS = [
  ['daily', 'The day'],
  ['channels', 'Channels'],
  ['trend', 'The period'],
  ['payouts', 'Payouts'],
  ['transit', 'In transit'],
  ['aging', 'Breaks'],
  ['clearing', 'Clearing'],
  ['fees', 'Fees'],
] as const;

/** Renders one self-contained page without scripts: the verdict and five figures of the last day, then every part. */
export function wholeReportToHtml(whole: WholeReport, calendar: BusinessCalendar, given = TERMINAL_ENGLISH): string {
  const speech = onPage(given);
  const { daily, aging, clearing, fees } = whole;
  const { lang, say } = speech;
  const reader = { calendar, speech };
  const parts = PARTS.map(([key, title]) => [key, escapeHtml(say(title))] as const);
  const links = parts.map(([key, title]) => `<li><a href="#${key}">${title}</a></li>`);
  const bodies: Readonly<Record<(typeof PARTS)[number][0], readonly string[]>> = {
    daily: figures(daily, speech),
    channels: channelsTable(daily, speech),
    trend: trend(whole, speech),
    payouts: payoutsSection(whole, reader),
    transit: inTransit(daily, speech),
    aging: [...breaksByClass(daily, speech), ...folded('Breaks and items by age', agingDocument(aging), reader)],
    clearing: folded('Every movement by channel and day', clearingDocument(clearing), reader),
    fees: documentBody(feesDocument(fees), calendar, speech),
  };
  return htmlPage({
    lang,
    title: say(`Daily report, ${daily.through}`),
    header: [
      ...verdict(whole, reader),
      `<nav aria-label="${escapeHtml(say('Parts of the report'))}"><ul>${links.join('')}</ul></nav>`,
    ],
    main: parts.flatMap(([key, title]) => [`<section id="${key}">`, `<h2>${title}</h2>`, ...bodies[key], '</section>']),
    footer: [asOfHtml(daily, calendar, speech)],
  });
}

/** Renders, folded, the tables of a report whose plot is elsewhere on the page. */
function folded(summary: string, document: ReportDocument, { calendar, speech }: Reader): string[] {
  const tables = document.tables.map(({ plot: _, ...table }) => table);
  const body = documentBody({ ...document, tables }, calendar, speech);
  return [`<details><summary>${escapeHtml(speech.say(summary))}</summary>`, '<div>', ...body, '</div></details>'];
}

/** Says in words whether the day is right, and what is left to do. */
function verdict({ daily, aging, payouts, proven }: WholeReport, { calendar, speech: { say } }: Reader): string[] {
  const open = daily.breaks.reduce((sum, { count }) => sum + count, 0);
  const ended = daily.breaks.reduce((sum, each) => sum + each.ended.length, 0);
  const urgent = aging.breaks.reduce((sum, { severity, count }) => sum + (severity === 'high' ? count : 0), 0);
  const waiting = payouts.credits.filter(({ outcome }) => outcome === 'waiting').length;
  const late = daily.bankCoveredThrough === undefined || daily.bankCoveredThrough < daily.through;
  const [kind, sign, words]: readonly [string, string, string] = !proven
    ? ['wrong', '✗', 'The figures DO NOT ADD UP. Do not close the day: verify the ledger.']
    : open > 0 || waiting > 0 || late
      ? ['attention', '▲', 'Every figure adds up. Some points are open.']
      : ['good', '✓', 'Every figure adds up, and nothing is open.'];
  const points = [
    ...(open > 0 ? [openText(open, { urgent, ended })] : []),
    ...(waiting > 0 ? [`${counted(waiting, 'bank credit')} without an explanation yet.`] : []),
    ...(late
      ? [`Bank statements reach ${daily.bankCoveredThrough ?? 'no day yet'}; later payouts are not on this page.`]
      : []),
    `The day is ${dayStateText(daily.day, calendar)}.`,
  ];
  return [
    `<div class="verdict ${kind}"><strong><span aria-hidden="true">${sign}</span> ${escapeHtml(say(words))}</strong>`,
    ...points.map((point) => `<p>${escapeHtml(say(point))}</p>`),
    '</div>',
  ];
}

function openText(open: number, { urgent, ended }: { readonly urgent: number; readonly ended: number }): string {
  const since = ended === 0 ? '' : ` Ended since: ${ended}.`;
  return `${counted(open, 'break')} open, ${urgent === 0 ? 'none' : urgent} of them urgent.${since}`;
}

function figures({ through, channels, credits, agents, breaks }: DailyReport, { say }: Speech): string[] {
  const received = channels.map(({ succeeded }) => succeeded);
  const banked = credits.filter(({ bookingDate }) => bookingDate === through);
  const inTransit = channels.reduce((sum, { closing }) => sum + closing, 0n);
  const sumOf = (totals: readonly Total[]): Total =>
    totals.reduce((sum, { count, amount }) => ({ count: sum.count + count, amount: sum.amount + amount }), {
      count: 0,
      amount: 0n,
    });
  const confirmed = sumOf(received);
  const open = sumOf(breaks.map(({ count, amount }) => ({ count, amount: amount < 0n ? -amount : amount })));
  const bankedAmount = banked.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
  const five: readonly (readonly [label: string, amount: string, note: string])[] = [
    ['Received on the day', formatDinars(confirmed.amount), counted(confirmed.count, 'payment')],
    ['Banked on the day', formatDinars(bankedAmount), counted(banked.length, 'credit')],
    ['Owed by the gateway', formatDinars(inTransit), 'at the end of the day'],
    ['Owed by agents', formatDinars(agents.due), `${counted(agents.owing, 'agent')} of ${agents.open} open`],
    ['Open breaks', String(open.count), open.count === 0 ? 'nothing to decide' : `of ${formatDinars(open.amount)}`],
  ];
  return [
    '<dl class="figures">',
    ...five.map(
      ([label, amount, note]) =>
        `<div><dt>${escapeHtml(say(label))}</dt><dd class="amount">${escapeHtml(amount)}</dd><dd class="note">${escapeHtml(say(note))}</dd></div>`,
    ),
    '</dl>',
  ];
}

type Line = readonly [label: string, amount: (day: ChannelDay) => bigint];

const MOVED = MOVEMENT_KINDS.map((kind): Line => [MOVEMENT_WORDS[kind], (day) => dayMovements(day)[kind]]);

/** From the balance of the seal to that by ledger date. */
const SEAL_LINES: readonly Line[] = [
  ['sealed by recording', ({ seal }) => seal?.recorded ?? 0n],
  ['recorded later', ({ seal }) => seal?.recordedLater ?? 0n],
  ['dated later', ({ seal }) => -(seal?.datedLater ?? 0n)],
];

/** The channels as columns: opening + movements = closing, and what the closing balance consists of. */
function channelsTable(report: DailyReport, speech: Speech): string[] {
  const { channels, through } = report;
  const { say, word } = speech;
  const labels = [...new Set(channels.flatMap(({ parts }) => parts.map(({ label }) => label)))];
  const partLines = labels.map((label): Line => [
    PART_WORDS[label],
    ({ parts }) => parts.find((part) => part.label === label)?.amount ?? 0n,
  ]);
  const row = ([label, amount]: Line, className?: string) => ({
    cells: [
      { html: escapeHtml(say(label)) },
      money(channels.reduce((sum, day) => sum + amount(day), 0n)),
      ...channels.map((day) => money(amount(day))),
    ],
    ...(className === undefined ? {} : { className }),
  });
  const isSealedDifferently = channels.some(({ seal, closing }) => seal !== undefined && seal.recorded !== closing);
  const isMoved = ([, amount]: Line): boolean => channels.some((day) => amount(day) !== 0n);
  const table = {
    caption: `What the gateway owes, by channel, on ${through}`,
    columns: [
      { label: 'movement' },
      { label: 'all channels', isFigure: true },
      ...channels.map(({ channel }) => ({ label: word('channel', channel), isFigure: true })),
    ],
    rows: [
      row(['owed before', ({ opening }) => opening], 'sum'),
      ...MOVED.filter(isMoved).map((each) => row(each)),
      row(['owed after', ({ closing }) => closing], 'sum'),
      ...partLines.filter(isMoved).map((each) => row(each, 'part')),
      ...(isSealedDifferently ? SEAL_LINES.map((each) => row(each, 'part')) : []),
      {
        cells: [
          { html: escapeHtml(say('proof')) },
          ...[report, ...channels].map(({ proven }) => proofCell(proven, speech)),
        ],
      },
    ],
  };
  const inline = (amount: bigint): string => `<span class="money">${escapeHtml(formatDinars(amount))}</span>`;
  const { confirmed, matched, forced, paidAhead, onTheWay } = report;
  const parts = [
    inline(matched.amount),
    ...(forced === 0n ? [] : [`+ ${inline(forced)}`]),
    ...(paidAhead === 0n ? [] : [`- ${inline(paidAhead)}`]),
    `+ ${inline(onTheWay.amount)}`,
  ];
  const proof = report.confirmsProven
    ? `<p>${escapeHtml(say(`Agents: ${confirmsProofText(report)}:`))} ${inline(confirmed.amount)} = ${parts.join(' ')}.</p>`
    : `<p class="wrong">${escapeHtml(say('Agents: confirmed is not paid out + in transit. DOES NOT ADD UP.'))}</p>`;
  const nothing = `<p>${escapeHtml(say('The gateway owes nothing, and nothing moved.'))}</p>`;
  return [...(channels.length === 0 ? [nothing] : htmlTable(table, speech)), proof];
}

function money(amount: bigint): HtmlCell {
  return { html: amount === 0n ? '–' : escapeHtml(formatDinars(amount)), isFigure: true };
}

function proofCell(proven: boolean, { say }: Speech): HtmlCell {
  return { html: escapeHtml(say(provenText(proven))), isFigure: true, ...(proven ? {} : { className: 'wrong' }) };
}

function trend({ from, to, clearing, payouts, aging }: WholeReport, speech: Speech): string[] {
  return [
    `<p>${escapeHtml(speech.say(`From ${from} to ${to}, both included.`))}</p>`,
    '<div class="plots">',
    ...plotHtml(receivedPlot({ from, to }, clearing, payouts), 'trend-received', speech),
    ...plotHtml(balancePlot(clearing), 'trend-balance', speech),
    ...plotHtml(breaksPlot(aging.breaks), 'trend-breaks', speech),
    '</div>',
  ];
}

function receivedPlot({ from, to }: ReportPeriod, { days }: ClearingReport, { credits }: PayoutsReport): ReportPlot {
  const received = new Map<BusinessDate, bigint[]>();
  const banked = new Map<BusinessDate, bigint[]>();
  for (const { date, movements } of days) addToGroup(received, date, movements.succeeded + movements.refunded);
  for (const { bookingDate, amount } of credits) addToGroup(banked, bookingDate, BigInt(amount));
  const dates: BusinessDate[] = [];
  for (let date = from; date <= to; date = addDays(date, 1)) dates.push(date);
  const sums = (of: ReadonlyMap<BusinessDate, readonly bigint[]>): bigint[] =>
    dates.map((date) => (of.get(date) ?? []).reduce((sum, amount) => sum + amount, 0n));
  return {
    title: 'Received and banked by day',
    unit: 'DT',
    description:
      'Two bars for each day: payments less refunds that the gateway received, and credits that the bank booked.',
    categories: dates,
    series: [
      { name: 'received', amounts: sums(received) },
      { name: 'banked', amounts: sums(banked) },
    ],
  };
}

function inTransit({ onTheWay }: DailyReport, speech: Speech): string[] {
  const table = {
    caption: "Agents' payments that no credit has paid, by day of payment",
    columns: [{ label: 'day' }, { label: 'payments', isFigure: true }, { label: 'amount', isFigure: true }],
    rows: onTheWay.byDay.map(({ day, count, amount }) => ({
      cells: [{ html: day }, { html: String(count), isFigure: true }, money(amount)],
    })),
  };
  return htmlTable(table, speech);
}

function breaksByClass({ breaks }: DailyReport, speech: Speech): string[] {
  const { say, word } = speech;
  const table = {
    caption: 'Open breaks by kind',
    columns: [
      { label: 'kind' },
      { label: 'breaks', isFigure: true },
      { label: 'amount', isFigure: true },
      ...(breaks.some(({ ended }) => ended.length > 0) ? [{ label: 'ended since' }] : []),
    ],
    rows: breaks.flatMap((each) => [
      {
        cells: [
          { html: escapeHtml(word('breakClass', each.breakClass)) },
          { html: String(each.count), isFigure: true },
          money(each.amount),
        ],
      },
      ...each.ended.slice(0, ENDED_SHOWN_MAX).map(({ amount, end }) => ({
        className: 'part',
        cells: [{ html: '' }, { html: '' }, money(amount ?? 0n), { html: escapeHtml(say(breakEndText(end))) }],
      })),
    ]),
  };
  return htmlTable(table, speech);
}
