import { type BusinessCalendar, counted, formatDinars, formatInstant, totalToJson } from '../kernel';
import { type ChannelDay, dayMovements } from './channel-days-read-model';
import { MOVEMENT_KINDS, type MovementKind } from './clearing-movements-read-model';
import { MOVEMENT_WORDS, PART_WORDS } from './clearing-words';
import type { DailyReport, OpenBreaks, ReportCredit } from './daily-report-read-model';
import type { DayState } from './day-state-read-model';
import { asOfText, LEDGER_DATE_TEXT, SEAL_TEXT } from './ledger-date';
import { breakEndText } from './report-words';

const PAYMENTS_SHOWN_MAX = 8;
const ENDED_SHOWN_MAX = 8;
const LABEL_CHARACTERS = 22;

/** Renders the report for a terminal. Long lists end with a note; the JSON has every row. */
export function dailyReportToText(report: DailyReport, calendar: BusinessCalendar): string {
  const { agents, confirmed, confirmedToday, matched, onTheWay } = report;
  return [
    `Daily report through ${report.through}`,
    `As of ${asOfText(report.through)}, known at ${calendar.formatLocal(report.knownAt)}`,
    LEDGER_DATE_TEXT,
    ...(report.day.kind === 'closed' ? [SEAL_TEXT] : []),
    '',
    'Agents',
    row('open agents', String(agents.open)),
    row('owe', formatDinars(agents.due), counted(agents.owing, 'agent')),
    row('have credit', formatDinars(agents.credit), counted(agents.inCredit, 'agent')),
    '',
    'Payments of agents',
    row('confirmed on the day', formatDinars(confirmedToday.amount), counted(confirmedToday.count, 'payment')),
    row('confirmed so far', formatDinars(confirmed.amount), counted(confirmed.count, 'payment')),
    row('paid out by the bank', formatDinars(matched.amount), counted(matched.count, 'credit')),
    ...(report.forced === 0n ? [] : [row('not paid, forced match', formatDinars(report.forced))]),
    ...(report.paidAhead === 0n ? [] : [row('of it, paid ahead', formatDinars(report.paidAhead))]),
    row('in transit', formatDinars(onTheWay.amount), counted(onTheWay.count, 'payment')),
    row('proof', report.confirmsProven ? confirmsProofText(report) : 'DOES NOT ADD UP'),
    `  ${'the day'.padEnd(LABEL_CHARACTERS)}${dayStateText(report.day, calendar)}`,
    '',
    'What the gateway owes, by channel, on the day',
    ...(report.channels.length === 0 ? ['  nothing'] : report.channels.flatMap(channelLines)),
    '',
    `Bank credits (statements through ${report.bankCoveredThrough ?? 'none yet'})`,
    ...(report.credits.length === 0 ? ['  none'] : report.credits.flatMap((credit) => creditLines(credit, calendar))),
    '',
    "Agents' payments in transit, by day of payment",
    ...(onTheWay.byDay.length === 0
      ? ['  nothing']
      : onTheWay.byDay.map(({ day, count, amount }) => row(day, formatDinars(amount), counted(count, 'payment')))),
    '',
    'Breaks',
    ...(report.breaks.length === 0 ? ['  none'] : report.breaks.flatMap(breakLines)),
  ].join('\n');
}

/** Renders the lines of amounts that are not 0. */
function channelLines(day: ChannelDay): string[] {
  const { channel, succeeded, refunded } = day;
  const moved = dayMovements(day);
  const notes: Partial<Record<MovementKind, string>> = {
    succeeded: counted(succeeded.count, 'payment'),
    refunded: counted(refunded.count, 'refund'),
  };
  return [
    row(`${channel}, before`, formatDinars(day.opening)),
    ...MOVEMENT_KINDS.filter((kind) => moved[kind] !== 0n).map((kind) =>
      row(`  ${MOVEMENT_WORDS[kind]}`, formatDinars(moved[kind]), notes[kind]),
    ),
    row(`${channel}, after`, formatDinars(day.closing), day.proven ? '' : 'DOES NOT ADD UP'),
    ...partLines(day),
    ...sealLines(day),
  ];
}

/** Renders what a closing balance consists of, unless it is 0 and nothing is in it. */
function partLines({ parts }: ChannelDay): string[] {
  return parts
    .filter(({ label, amount }) => label !== 'unexplained' || amount !== 0n)
    .map(({ label, amount, items }) =>
      row(`  = ${PART_WORDS[label]}`, formatDinars(amount), items === undefined ? '' : counted(items, 'item')),
    );
}

/** Renders the balance of the seal if it differs from the closing balance, with what reconciles it. */
function sealLines({ seal, closing }: ChannelDay): string[] {
  if (seal === undefined || seal.recorded === closing) return [];
  return [row('  sealed by recording', formatDinars(seal.recorded), sealNote(seal))];
}

/** States what leads from the balance of the seal to that by ledger date. */
function sealNote({ recordedLater, datedLater }: NonNullable<ChannelDay['seal']>): string {
  return [
    ...(recordedLater === 0n ? [] : [`recorded later ${formatDinars(recordedLater)}`]),
    ...(datedLater === 0n ? [] : [`dated later ${formatDinars(-datedLater)}`]),
  ].join(', ');
}

/** Renders the open breaks of a class, and those of them that have ended since. */
function breakLines({ breakClass, count, amount, ended }: OpenBreaks): string[] {
  const since = ended.length === 0 ? '' : `, ${ended.length} ended since`;
  const shown = ended.slice(0, ENDED_SHOWN_MAX);
  return [
    row(breakClass, formatDinars(amount), `${counted(count, 'open break')}${since}`),
    ...shown.map(({ id, amount: ofBreak, end }) =>
      row('    ended since', ofBreak === undefined ? '' : formatDinars(ofBreak), `${breakEndText(end)}  (${id})`),
    ),
    ...(ended.length > shown.length ? [`      and ${ended.length - shown.length} more`] : []),
  ];
}

/** States the identity that the agents' payments prove. */
export function confirmsProofText({ paidAhead, forced }: Pick<DailyReport, 'paidAhead' | 'forced'>): string {
  const parts = [
    'paid out',
    ...(forced === 0n ? [] : ['+ not paid in forced matches']),
    ...(paidAhead === 0n ? [] : ['- paid ahead']),
    '+ in transit',
  ];
  return `confirmed = ${parts.join(' ')}`;
}

function creditLines(credit: ReportCredit, calendar: BusinessCalendar): string[] {
  const state = creditStateText(credit);
  const shown = credit.payments.slice(0, PAYMENTS_SHOWN_MAX);
  const hidden = credit.payments.length - shown.length;
  return [
    row(credit.bookingDate, formatDinars(credit.amount), state),
    ...shown.map(({ transactionId, agentId, fullName, amount, receivedAt }) =>
      row(
        `    ${calendar.formatLocal(receivedAt).slice(0, 16)}`,
        formatDinars(amount),
        `${agentId}  ${fullName}  (${transactionId})`,
      ),
    ),
    ...(hidden > 0 ? [`      and ${hidden} more`] : []),
  ];
}

/** Describes the explanation of a credit. */
export function creditStateText({ matched, returned, evidence, itemCount, payments }: ReportCredit): string {
  if (returned) return 'returned by the bank and paid again';
  if (!matched) return 'unexplained; see the breaks';
  const ofAgents = counted(payments.length, 'payment');
  const paid = itemCount === payments.length ? ofAgents : `${counted(itemCount, 'item')}, of agents ${ofAgents}`;
  return `paid ${paid} (${evidence ?? ''})`;
}

/** Describes the state of the day. */
export function dayStateText(day: DayState, calendar: BusinessCalendar): string {
  switch (day.kind) {
    case 'open':
      return 'open';
    case 'closed':
      return `closed and sealed ${calendar.formatLocal(day.sealedAt)} by ${day.sealedBy}, seal ${day.seal}`;
    case 'reopened':
      return `open again since ${calendar.formatLocal(day.reopenedAt)}, seal ${day.seal}`;
  }
}

function dayStateToJson(day: DayState): unknown {
  switch (day.kind) {
    case 'open':
      return { state: 'open', seal: null, sealedAt: null, sealedBy: null };
    case 'closed':
      return { state: 'closed', seal: day.seal, sealedAt: formatInstant(day.sealedAt), sealedBy: day.sealedBy };
    case 'reopened':
      return { state: 'reopened', seal: day.seal, sealedAt: null, sealedBy: null };
  }
}

function row(label: string, value: string, note = ''): string {
  return `  ${label.padEnd(LABEL_CHARACTERS)}${value.padStart(20)}${note === '' ? '' : `   ${note}`}`.trimEnd();
}

/** Returns the whole report as data; amounts in millimes. */
export function dailyReportToJson(report: DailyReport): Readonly<Record<string, unknown>> {
  return {
    through: report.through,
    bankCoveredThrough: report.bankCoveredThrough ?? null,
    asOf: asOfText(report.through),
    knownAt: formatInstant(report.knownAt),
    agents: agentsToJson(report),
    // The name is older than the cut-off of its figures.
    agentsNow: agentsToJson(report),
    confirmed: totals(report.confirmed),
    confirmedToday: totals(report.confirmedToday),
    matched: totals(report.matched),
    forcedMillimes: totalToJson(report.forced),
    paidAheadMillimes: totalToJson(report.paidAhead),
    onTheWay: {
      ...totals(report.onTheWay),
      byDay: report.onTheWay.byDay.map((day) => ({ day: day.day, ...totals(day) })),
    },
    channels: report.channels.map(channelToJson),
    proven: report.proven,
    day: dayStateToJson(report.day),
    credits: report.credits.map(creditToJson),
    breaks: report.breaks.map(({ breakClass, ended, ...totalsOf }) => ({
      class: breakClass,
      ...totals(totalsOf),
      ended: ended.map(({ id, amount, end }) => ({
        breakId: id,
        amountMillimes: amount === undefined ? null : totalToJson(amount),
        ...end,
        bookedOn: end.bookedOn ?? null,
      })),
    })),
  };
}

function agentsToJson({ agents }: DailyReport): object {
  return {
    open: agents.open,
    owing: agents.owing,
    dueMillimes: totalToJson(agents.due),
    inCredit: agents.inCredit,
    creditMillimes: totalToJson(agents.credit),
  };
}

function channelToJson(day: ChannelDay): unknown {
  return {
    channel: day.channel,
    openingMillimes: totalToJson(day.opening),
    succeeded: totals(day.succeeded),
    refunded: totals(day.refunded),
    feesMillimes: totalToJson(day.fees),
    tvaMillimes: totalToJson(day.tva),
    paidOutMillimes: totalToJson(day.paidOut),
    returnedMillimes: totalToJson(day.returned),
    writtenOffMillimes: totalToJson(day.writtenOff),
    correctedMillimes: totalToJson(day.corrected),
    closingMillimes: totalToJson(day.closing),
    parts: day.parts.map(({ label, items, amount }) => ({
      part: label,
      items: items ?? null,
      amountMillimes: totalToJson(amount),
    })),
    seal:
      day.seal === undefined
        ? null
        : {
            closingMillimes: totalToJson(day.seal.recorded),
            recordedLaterMillimes: totalToJson(day.seal.recordedLater),
            datedLaterMillimes: totalToJson(day.seal.datedLater),
          },
    proven: day.proven,
  };
}

function creditToJson(credit: ReportCredit): unknown {
  return {
    lineId: credit.lineId,
    bookingDate: credit.bookingDate,
    counterparty: credit.counterparty,
    remittance: credit.remittance,
    amountMillimes: credit.amount,
    matched: credit.matched,
    returned: credit.returned,
    evidence: credit.evidence ?? null,
    itemCount: credit.itemCount,
    payments: credit.payments.map(({ transactionId, agentId, fullName, amount, receivedAt }) => ({
      transactionId,
      agentId,
      fullName,
      amountMillimes: amount,
      receivedAt: formatInstant(receivedAt),
    })),
  };
}

function totals({ count, amount }: { readonly count: number; readonly amount: bigint }): object {
  return { count, amountMillimes: totalToJson(amount) };
}
