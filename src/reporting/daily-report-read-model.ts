import { column, type Decoded, rowCodec, rowsOf, type Session } from '../db';
import { addDays, addToGroup, assert, type BusinessCalendar, type BusinessDate, type Instant } from '../kernel';
import { bankCoverage } from './bank-coverage-read-model';
import { type ChannelDay, channelDays } from './channel-days-read-model';
import { type DayState, dayState } from './day-state-read-model';
import { isEffectiveLine } from './effective-statements';
import type { Total } from './report-document';

export interface ReportPayment extends Decoded<typeof CONFIRMATION> {
  readonly fullName: string;
}

/** A bank credit that may be a payout, and the agents' payments in its match. */
export interface ReportCredit extends Decoded<typeof LINE> {
  readonly matched: boolean;
  /** The bank returned it and it was paid again: the match belongs to the other credit. */
  readonly returned: boolean;
  readonly evidence: string | undefined;
  /** The number of items that it paid, of every channel. */
  readonly itemCount: number;
  readonly payments: readonly ReportPayment[];
}

/** The report of a day for finance: everything through `through`, from rows alone. */
export interface DailyReport {
  readonly through: BusinessDate;
  readonly agents: Decoded<typeof AGENT_COUNT> & Decoded<typeof BALANCES>;
  readonly confirmed: Total;
  readonly confirmedToday: Total;
  readonly credits: readonly ReportCredit[];
  readonly matched: Total;
  readonly onTheWay: Total & { readonly byDay: readonly (Total & { readonly day: BusinessDate })[] };
  readonly breaks: readonly Decoded<typeof OPEN_BREAKS>[];
  readonly bankCoveredThrough: string | undefined;
  /** Whether the day is closed. */
  readonly day: DayState;
  /** The day of each channel, by the recording of its ledger transactions. */
  readonly channels: readonly ChannelDay[];
  /** Confirmed payments equal paid-out payments plus payments in transit, to the millime. */
  readonly confirmsProven: boolean;
  /** The confirms are proven, and the day of each channel adds up. */
  readonly proven: boolean;
}

const AGENT_COUNT = rowCodec({ open: column.number('open_agents') });
const BALANCES = rowCodec({
  owing: column.number('owing'),
  due: column.total('due'),
  inCredit: column.number('in_credit'),
  credit: column.total('credit'),
});
const CONFIRMED = rowCodec({ count: column.number('confirms'), amount: column.total('total') });
const CONFIRMATION = rowCodec({
  transactionId: column.text('transaction_id'),
  agentId: column.text('agent_id'),
  amount: column.millimes('amount_millimes'),
  receivedAt: column.number('received_at'),
});
/** A confirm with the name of its agent and the line that paid it, where they exist. */
const PAYMENT = rowCodec({
  ...CONFIRMATION.fields,
  fullName: column.optional(column.text('full_name')),
  lineId: column.optional(column.text('line_id')),
});
const LINE = rowCodec({
  lineId: column.text('id'),
  bookingDate: column.text('booking_date'),
  counterparty: column.text('counterparty'),
  remittance: column.text('remittance'),
  amount: column.millimes('amount_minor'),
});
/** The match of a line; its evidence and gross amount are set only for the credit that it explains. */
const HELD_BY = rowCodec({
  matchId: column.optional(column.text('match_id')),
  evidence: column.optional(column.text('evidence')),
  gross: column.total('gross_millimes'),
});
const MATCH_ITEMS = rowCodec({
  matchId: column.text('match_id'),
  count: column.number('items'),
  ofOthers: column.total('others'),
});
const OPEN_BREAKS = rowCodec({
  breakClass: column.text('class'),
  count: column.number('breaks'),
  amount: column.total('total'),
});

/** Reads the report inside one snapshot. Agents' balances are the present ones; the rest is through `through`. */
export async function dailyReport(
  session: Session,
  through: BusinessDate,
  calendar: BusinessCalendar,
): Promise<DailyReport> {
  const end = calendar.startOf(addDays(through, 1));
  const start = calendar.startOf(through);
  const confirmed = await confirmedBetween(session, undefined, end);
  const paidBy = await paymentsByLine(session, end);
  const explained = await creditsThrough(session, through, paidBy);
  const credits = explained.map(({ credit }) => credit);
  const onTheWay = unpaid(paidBy, credits, calendar);
  const paidForAgents = explained.filter(({ forAgents }) => forAgents !== 0n);
  const matched = paidForAgents.reduce((sum, { forAgents }) => sum + forAgents, 0n);
  const channels = await channelDays(session, { start, end });
  const confirmsProven = confirmed.amount === matched + onTheWay.amount;
  return {
    through,
    agents: await agentTotals(session),
    confirmed,
    confirmedToday: await confirmedBetween(session, start, end),
    credits,
    matched: { count: paidForAgents.length, amount: matched },
    onTheWay,
    breaks: await openBreaks(session, through),
    bankCoveredThrough: await bankCoverage(session, through),
    day: await dayState(session, through),
    channels,
    confirmsProven,
    proven: confirmsProven && channels.every(({ proven }) => proven),
  };
}

async function agentTotals(session: Session): Promise<DailyReport['agents']> {
  const [directory] = await AGENT_COUNT.all(
    session('agents as a').where('a.status', 'open').select(session.fragment('count(*) as open_agents')),
  );
  const [balances] = await BALANCES.all(
    session('ledger_balances as b').select(
      session.fragment('count(case when b.balance_millimes > 0 then 1 end) as owing'),
      session.fragment('cast(sum(case when b.balance_millimes > 0 then b.balance_millimes end) as char) as due'),
      session.fragment('count(case when b.balance_millimes < 0 then 1 end) as in_credit'),
      session.fragment('cast(sum(case when b.balance_millimes < 0 then -b.balance_millimes end) as char) as credit'),
    ),
  );
  assert(directory !== undefined && balances !== undefined, 'a query of totals returns one row');
  return { ...directory, ...balances };
}

async function confirmedBetween(session: Session, from: Instant | undefined, end: Instant): Promise<Total> {
  const query = session('agent_confirmations as c')
    .select(session.fragment('count(*) as confirms'), session.fragment('cast(sum(c.amount_millimes) as char) as total'))
    .where('c.received_at', '<', end);
  if (from !== undefined) void query.where('c.received_at', '>=', from);
  const [confirmed] = await CONFIRMED.all(query);
  assert(confirmed !== undefined, 'a query of totals returns one row');
  return confirmed;
}

interface PaidPayment extends ReportPayment {
  readonly lineId: string | undefined;
}

/** Returns the payments received before `end` by the line that paid them; unpaid ones under undefined. */
async function paymentsByLine(session: Session, end: Instant): Promise<Map<string | undefined, PaidPayment[]>> {
  const reference =
    session.dialect === 'sqlite' ? "('service:' || c.transaction_id)" : "concat('service:', c.transaction_id)";
  const payments = await PAYMENT.all(
    session('agent_confirmations as c')
      .leftJoin('agents as a', 'a.agent_id', 'c.agent_id')
      .leftJoin('payout_claimed_items as k', 'k.item_id', session.fragment(reference))
      .leftJoin('payout_matches as m', 'm.id', 'k.match_id')
      .select(...CONFIRMATION.columns('c'), 'a.full_name', 'm.line_id')
      .where('c.received_at', '<', end)
      .orderBy(['c.received_at', 'c.transaction_id']),
  );
  const byLine = new Map<string | undefined, PaidPayment[]>();
  for (const { fullName = '', ...payment } of payments) {
    addToGroup(byLine, payment.lineId, { ...payment, fullName });
  }
  return byLine;
}

interface ExplainedCredit {
  readonly credit: ReportCredit;
  /** The sum of its agents' payments, before fees: its gross amount less the items of other channels. */
  readonly forAgents: bigint;
}

async function creditsThrough(
  session: Session,
  through: BusinessDate,
  paidBy: ReadonlyMap<string | undefined, readonly PaidPayment[]>,
): Promise<ExplainedCredit[]> {
  const items = await itemsByMatch(session);
  const rows = await rowsOf(
    session('bank_statement_lines as l')
      .leftJoin('payout_claimed_lines as k', 'k.line_id', 'l.id')
      .leftJoin('payout_matches as m', (on) => on.on('m.id', 'k.match_id').andOn('m.line_id', 'l.id'))
      .select(...LINE.columns('l'), 'k.match_id', 'm.evidence', 'm.gross_millimes')
      .where({ 'l.payout_candidate': 1, 'l.currency': 'TND' })
      .where('l.booking_date', '<=', through)
      .whereRaw(isEffectiveLine('l'))
      .orderBy(['l.booking_date', 'l.id']),
  );
  return rows.map((row) => {
    const line = LINE.read(row);
    const { matchId, evidence, gross } = HELD_BY.read(row);
    const matched = evidence !== undefined;
    const { count, ofOthers } = items.get(matchId ?? '') ?? { count: 0, ofOthers: 0n };
    return {
      forAgents: matched ? gross - ofOthers : 0n,
      credit: {
        ...line,
        matched,
        returned: !matched && matchId !== undefined,
        evidence,
        itemCount: matched ? count : 0,
        payments: paidBy.get(line.lineId) ?? [],
      },
    };
  });
}

/** Returns, by live match, the number of its items and the sum of those of other channels than agents. */
async function itemsByMatch(session: Session): Promise<Map<string, { count: number; ofOthers: bigint }>> {
  const found = await MATCH_ITEMS.all(
    session('payout_match_items as i')
      .join('payout_matches as m', 'm.id', 'i.match_id')
      .join('payout_claimed_lines as k', (on) => on.on('k.match_id', 'm.id').andOn('k.line_id', 'm.line_id'))
      .select('i.match_id')
      .select(session.fragment('count(*) as items'))
      .select(
        session.fragment("cast(sum(case when i.channel <> 'agent' then i.amount_millimes end) as char) as others"),
      )
      .groupBy('i.match_id'),
  );
  return new Map(found.map((each) => [each.matchId, each]));
}

/** Returns the payments that no credit through the day has paid, even if a later one did. */
function unpaid(
  paidBy: ReadonlyMap<string | undefined, readonly PaidPayment[]>,
  credits: readonly ReportCredit[],
  calendar: BusinessCalendar,
): DailyReport['onTheWay'] {
  const matchedLines = new Set(credits.filter(({ matched }) => matched).map(({ lineId }) => lineId));
  const open = [...paidBy].flatMap(([lineId, payments]) =>
    lineId !== undefined && matchedLines.has(lineId) ? [] : payments,
  );
  const byDay = new Map<BusinessDate, Total>();
  for (const { receivedAt, amount } of open) {
    const day = calendar.dateOf(receivedAt);
    const before = byDay.get(day) ?? { count: 0, amount: 0n };
    byDay.set(day, { count: before.count + 1, amount: before.amount + BigInt(amount) });
  }
  return {
    count: open.length,
    amount: open.reduce((sum, { amount }) => sum + BigInt(amount), 0n),
    byDay: [...byDay].sort(([a], [b]) => (a < b ? -1 : 1)).map(([day, totals]) => ({ day, ...totals })),
  };
}

function openBreaks(session: Session, through: BusinessDate): Promise<DailyReport['breaks']> {
  return OPEN_BREAKS.all(
    session('recon_breaks as b')
      .select('b.class')
      .select(session.fragment('count(*) as breaks'))
      .select(session.fragment('cast(sum(b.amount_millimes) as char) as total'))
      .whereNot('b.status', 'resolved')
      .where('b.since', '<=', through)
      .groupBy('b.class')
      .orderBy('b.class'),
  );
}
