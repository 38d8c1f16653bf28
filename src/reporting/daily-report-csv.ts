import { type BusinessCalendar, csvLine } from '../kernel';
import { type ChannelDay, dayMovements } from './channel-days-read-model';
import { MOVEMENT_KINDS, type MovementKind } from './clearing-movements-read-model';
import type { DailyReport, OpenBreaks, ReportCredit } from './daily-report-read-model';
import type { DayState } from './day-state-read-model';
import { asOfText } from './ledger-date';
import { breakEndText } from './report-words';

const COLUMNS = [
  'section',
  'item',
  'time',
  'line_id',
  'transaction_id',
  'agent_id',
  'full_name',
  'count',
  'amount_millimes',
  'note',
  'break_id',
] as const;

type Cells = Readonly<Partial<Record<(typeof COLUMNS)[number], string | number | bigint>>>;

/** Renders the whole report for a spreadsheet: one line per figure, amounts in millimes, times in the business time zone. */
export function dailyReportToCsv(report: DailyReport, calendar: BusinessCalendar): string {
  const { through, agents, confirmed, confirmedToday, matched, onTheWay } = report;
  const total = (section: string, item: string, { count, amount }: { count: number; amount: bigint }): Cells => ({
    section,
    item,
    count,
    amount_millimes: amount,
  });
  const rows: Cells[] = [
    { section: 'report', item: 'through', time: through },
    { section: 'report', item: 'as_of', note: asOfText(through) },
    { section: 'report', item: 'known_at', time: calendar.formatLocal(report.knownAt) },
    { section: 'report', item: 'bank_covered_through', time: report.bankCoveredThrough ?? '' },
    { section: 'report', item: 'proof', note: report.proven ? 'adds_up' : 'does_not_add_up' },
    dayRow(report.day, calendar),
    { section: 'agents_now', item: 'open', count: agents.open },
    total('agents_now', 'owe_us', { count: agents.owing, amount: agents.due }),
    total('agents_now', 'have_credit', { count: agents.inCredit, amount: agents.credit }),
    total('payments', 'confirmed_today', confirmedToday),
    total('payments', 'confirmed', confirmed),
    total('payments', 'paid_out', matched),
    { section: 'payments', item: 'forced', amount_millimes: report.forced },
    { section: 'payments', item: 'paid_ahead', amount_millimes: report.paidAhead },
    total('payments', 'on_its_way', onTheWay),
    ...onTheWay.byDay.map((day) => ({ ...total('on_its_way', 'day', day), time: day.day })),
    ...report.channels.flatMap(channelRows),
    ...report.credits.flatMap((credit) => creditRows(credit, calendar)),
    ...report.breaks.map((each) => total('breaks', each.breakClass, each)),
    ...report.breaks.flatMap(endedRows),
  ];
  return [csvLine(COLUMNS), ...rows.map((row) => csvLine(COLUMNS.map((column) => row[column] ?? '')))].join('');
}

function dayRow(day: DayState, calendar: BusinessCalendar): Cells {
  const at = day.kind === 'closed' ? day.sealedAt : day.kind === 'reopened' ? day.reopenedAt : undefined;
  return {
    section: 'report',
    item: 'day',
    ...(at === undefined ? {} : { time: calendar.formatLocal(at) }),
    note: day.kind,
  };
}

const MOVEMENT_ITEMS: Readonly<Record<MovementKind, string>> = {
  succeeded: 'succeeded',
  refunded: 'refunded',
  fees: 'fees',
  tva: 'tva',
  payouts: 'paid_out',
  payoutsReturned: 'returned',
  writtenOff: 'written_off',
  corrected: 'corrected',
};

/** Returns signed amounts, so that the movements of a channel and its parts add up to its closing balance. */
function channelRows(day: ChannelDay): Cells[] {
  const section = `channel_${day.channel}`;
  const moved = dayMovements(day);
  return [
    { section, item: 'opening', amount_millimes: day.opening },
    ...MOVEMENT_KINDS.map((kind) => ({
      section,
      item: MOVEMENT_ITEMS[kind],
      ...(kind === 'succeeded' || kind === 'refunded' ? { count: day[kind].count } : {}),
      amount_millimes: moved[kind],
    })),
    { section, item: 'closing', amount_millimes: day.closing, note: day.proven ? 'adds_up' : 'does_not_add_up' },
    ...day.parts.map(({ label, items, amount }) => ({
      section: `parts_${day.channel}`,
      item: label,
      ...(items === undefined ? {} : { count: items }),
      amount_millimes: amount,
    })),
    ...sealRows(day),
  ];
}

/** Returns signed amounts that add up to the closing balance of the channel. */
function sealRows({ channel, seal }: ChannelDay): Cells[] {
  if (seal === undefined) return [];
  const section = `seal_${channel}`;
  return [
    { section, item: 'by_recording', amount_millimes: seal.recorded },
    { section, item: 'recorded_later', amount_millimes: seal.recordedLater },
    { section, item: 'dated_later', amount_millimes: -seal.datedLater },
  ];
}

/** Returns the open breaks that have ended since. */
function endedRows({ breakClass, ended }: OpenBreaks): Cells[] {
  return ended.map(({ id, amount, end }) => ({
    section: 'breaks_ended',
    item: breakClass,
    time: end.endedOn,
    ...(amount === undefined ? {} : { amount_millimes: amount }),
    note: breakEndText(end),
    break_id: id,
  }));
}

function creditRows(credit: ReportCredit, calendar: BusinessCalendar): Cells[] {
  const { lineId, payments } = credit;
  return [
    {
      section: 'bank_credits',
      item: credit.matched ? 'matched' : credit.returned ? 'returned' : 'not_explained',
      time: credit.bookingDate,
      line_id: lineId,
      count: credit.itemCount,
      amount_millimes: credit.amount,
      note: [credit.evidence, credit.counterparty, credit.remittance].filter(Boolean).join(' '),
    },
    ...payments.map(({ transactionId, agentId, fullName, amount, receivedAt }) => ({
      section: 'bank_credits',
      item: 'payment',
      time: calendar.formatLocal(receivedAt),
      line_id: lineId,
      transaction_id: transactionId,
      agent_id: agentId,
      full_name: fullName,
      amount_millimes: amount,
    })),
  ];
}
