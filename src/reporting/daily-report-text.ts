import { type BusinessCalendar, counted, formatDinars } from '../kernel';
import { type ChannelDay, dayMovements } from './channel-days-read-model';
import { MOVEMENT_KINDS, type MovementKind } from './clearing-movements-read-model';
import { MOVEMENT_WORDS, PART_WORDS } from './clearing-words';
import type { DailyReport, OpenBreaks, ReportCredit } from './daily-report-read-model';
import type { DayState } from './day-state-read-model';
import { asOfText, LEDGER_DATE_TEXT, SEAL_TEXT } from './ledger-date';
import { breakEndText } from './report-words';
import { type Reader, type Speech, TERMINAL_ENGLISH } from './speech';

const PAYMENTS_SHOWN_MAX = 8;
const ENDED_SHOWN_MAX = 8;
const LABEL_CHARACTERS = 22;
const TRANSLATED_LABEL_CHARACTERS = 42;

/** Renders the report for a terminal. Long lists end with a note; the JSON has every row. */
export function dailyReportToText(report: DailyReport, calendar: BusinessCalendar, speech = TERMINAL_ENGLISH): string {
  const { agents, confirmed, confirmedToday, matched, onTheWay } = report;
  const { say } = speech;
  const { row, note } = linesOf(speech);
  const reader = { calendar, speech };
  return [
    say(`Daily report through ${report.through}`),
    say(`As of ${asOfText(report.through)}, known at ${calendar.formatLocal(report.knownAt)}`),
    say(LEDGER_DATE_TEXT),
    ...(report.day.kind === 'closed' ? [say(SEAL_TEXT)] : []),
    '',
    say('Agents'),
    row('open agents', String(agents.open)),
    row('owe', formatDinars(agents.due), say(counted(agents.owing, 'agent'))),
    row('have credit', formatDinars(agents.credit), say(counted(agents.inCredit, 'agent'))),
    '',
    say('Payments of agents'),
    row('confirmed on the day', formatDinars(confirmedToday.amount), say(counted(confirmedToday.count, 'payment'))),
    row('confirmed so far', formatDinars(confirmed.amount), say(counted(confirmed.count, 'payment'))),
    row('paid out by the bank', formatDinars(matched.amount), say(counted(matched.count, 'credit'))),
    ...(report.forced === 0n ? [] : [row('not paid, forced match', formatDinars(report.forced))]),
    ...(report.paidAhead === 0n ? [] : [row('of it, paid ahead', formatDinars(report.paidAhead))]),
    row('in transit', formatDinars(onTheWay.amount), say(counted(onTheWay.count, 'payment'))),
    row('proof', say(report.confirmsProven ? confirmsProofText(report) : 'DOES NOT ADD UP')),
    note('the day', say(dayStateText(report.day, calendar))),
    '',
    say('What the gateway owes, by channel, on the day'),
    ...(report.channels.length === 0
      ? [`  ${say('nothing')}`]
      : report.channels.flatMap((day) => channelLines(day, speech))),
    '',
    say(`Bank credits (statements through ${report.bankCoveredThrough ?? 'none yet'})`),
    ...(report.credits.length === 0
      ? [`  ${say('none')}`]
      : report.credits.flatMap((credit) => creditLines(credit, reader))),
    '',
    say("Agents' payments in transit, by day of payment"),
    ...(onTheWay.byDay.length === 0
      ? [`  ${say('nothing')}`]
      : onTheWay.byDay.map(({ day, count, amount }) => row(day, formatDinars(amount), say(counted(count, 'payment'))))),
    '',
    say('Breaks'),
    ...(report.breaks.length === 0
      ? [`  ${say('none')}`]
      : report.breaks.flatMap((breaks) => breakLines(breaks, speech))),
  ].join('\n');
}

/** Returns what writes the lines of a language: a label, which is translated, an amount and a note, which are not. */
function linesOf({ lang, say }: Speech) {
  const width = lang === 'en' ? LABEL_CHARACTERS : TRANSLATED_LABEL_CHARACTERS;
  const labelText = (label: string): string => {
    const start = /^ *(?:= )?/.exec(label)?.[0] ?? '';
    return `  ${`${start}${say(label.slice(start.length))}`.padEnd(width)}`;
  };
  return {
    row: (label: string, value: string, note = ''): string =>
      `${labelText(label)}${value.padStart(20)}${note === '' ? '' : `   ${note}`}`.trimEnd(),
    note: (label: string, note: string): string => `${labelText(label)}${note}`,
  };
}

/** Renders the lines of amounts that are not 0. */
function channelLines(day: ChannelDay, speech: Speech): string[] {
  const { succeeded, refunded } = day;
  const { say, word } = speech;
  const { row } = linesOf(speech);
  const channel = word('channel', day.channel);
  const moved = dayMovements(day);
  const notes: Partial<Record<MovementKind, string>> = {
    succeeded: say(counted(succeeded.count, 'payment')),
    refunded: say(counted(refunded.count, 'refund')),
  };
  return [
    row(`${channel}, before`, formatDinars(day.opening)),
    ...MOVEMENT_KINDS.filter((kind) => moved[kind] !== 0n).map((kind) =>
      row(`  ${MOVEMENT_WORDS[kind]}`, formatDinars(moved[kind]), notes[kind]),
    ),
    row(`${channel}, after`, formatDinars(day.closing), day.proven ? '' : say('DOES NOT ADD UP')),
    ...partLines(day, speech),
    ...sealLines(day, speech),
  ];
}

/** Renders what a closing balance consists of, unless it is 0 and nothing is in it. */
function partLines({ parts }: ChannelDay, speech: Speech): string[] {
  const { row } = linesOf(speech);
  return parts
    .filter(({ label, amount }) => label !== 'unexplained' || amount !== 0n)
    .map(({ label, amount, items }) =>
      row(
        `  = ${PART_WORDS[label]}`,
        formatDinars(amount),
        items === undefined ? '' : speech.say(counted(items, 'item')),
      ),
    );
}

/** Renders the balance of the seal if it differs from the closing balance, with what reconciles it. */
function sealLines({ seal, closing }: ChannelDay, speech: Speech): string[] {
  if (seal === undefined || seal.recorded === closing) return [];
  return [linesOf(speech).row('  sealed by recording', formatDinars(seal.recorded), sealNote(seal, speech))];
}

/** States what leads from the balance of the seal to that by ledger date. */
function sealNote({ recordedLater, datedLater }: NonNullable<ChannelDay['seal']>, { say }: Speech): string {
  return [
    ...(recordedLater === 0n ? [] : [`recorded later ${formatDinars(recordedLater)}`]),
    ...(datedLater === 0n ? [] : [`dated later ${formatDinars(-datedLater)}`]),
  ]
    .map(say)
    .join(', ');
}

/** Renders the open breaks of a class, and those of them that have ended since. */
function breakLines({ breakClass, count, amount, ended }: OpenBreaks, speech: Speech): string[] {
  const { say, word } = speech;
  const { row } = linesOf(speech);
  const since = ended.length === 0 ? '' : `, ${say(`${ended.length} ended since`)}`;
  const shown = ended.slice(0, ENDED_SHOWN_MAX);
  return [
    row(word('breakClass', breakClass), formatDinars(amount), `${say(counted(count, 'open break'))}${since}`),
    ...shown.map(({ id, amount: ofBreak, end }) =>
      row('    ended since', ofBreak === undefined ? '' : formatDinars(ofBreak), `${say(breakEndText(end))}  (${id})`),
    ),
    ...(ended.length > shown.length ? [`      ${say(`and ${ended.length - shown.length} more`)}`] : []),
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

function creditLines(credit: ReportCredit, { calendar, speech }: Reader): string[] {
  const { row } = linesOf(speech);
  const state = creditStateText(credit, speech);
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
    ...(hidden > 0 ? [`      ${speech.say(`and ${hidden} more`)}`] : []),
  ];
}

/** Describes the explanation of a credit. */
function creditStateText(
  { matched, returned, evidence, itemCount, payments }: ReportCredit,
  { say, word }: Speech,
): string {
  if (returned) return say('returned by the bank and paid again');
  if (!matched) return say('not explained yet');
  const ofAgents = counted(payments.length, 'payment');
  const paid = itemCount === payments.length ? ofAgents : `${counted(itemCount, 'item')}, of agents ${ofAgents}`;
  return say(`paid ${paid} (${word('evidence', evidence ?? '')})`);
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
