import { rowsOf, type Row, type Session } from '../db';
import {
  addDays,
  toMillimes,
  toTotal,
  type BusinessCalendar,
  type BusinessDate,
  type Instant,
  type Millimes,
} from '../kernel';
import { isCountedLine, isCountedStatement } from './counted-statements';
import { channelDays, type ChannelDay } from './channel-days-read-model';

export interface ReportPayment {
  readonly transactionId: string;
  readonly agentId: string;
  readonly fullName: string;
  readonly amount: Millimes;
  readonly receivedAt: Instant;
}

/** A bank credit that may be a payout, and the agents' payments that it paid when it is explained. */
export interface ReportCredit {
  readonly lineId: string;
  readonly bookingDate: string;
  readonly counterparty: string;
  readonly remittance: string;
  readonly amount: Millimes;
  readonly matched: boolean;
  readonly evidence: string | undefined;
  readonly payments: readonly ReportPayment[];
}

export interface ReportBreaks {
  readonly breakClass: string;
  readonly count: number;
  readonly amount: bigint;
}

/** The day as finance sees it: everything up to and with `through`, from rows and from nothing else. */
export interface DailyReport {
  readonly through: BusinessDate;
  readonly agents: {
    readonly open: number;
    readonly owing: number;
    readonly due: bigint;
    readonly inCredit: number;
    readonly credit: bigint;
  };
  readonly confirmed: { readonly count: number; readonly amount: bigint };
  readonly confirmedToday: { readonly count: number; readonly amount: bigint };
  readonly credits: readonly ReportCredit[];
  readonly matched: { readonly count: number; readonly amount: bigint };
  readonly onTheWay: { readonly count: number; readonly amount: bigint; readonly byDay: readonly OnTheWay[] };
  readonly breaks: readonly ReportBreaks[];
  readonly bankCoveredThrough: string | undefined;
  /** The day of each channel of the gateway, by when it was recorded. */
  readonly channels: readonly ChannelDay[];
  /** What was confirmed is what was paid out and what is on its way, to the millime. */
  readonly confirmsProven: boolean;
  /** So it is, and each channel's day adds up, too. */
  readonly proven: boolean;
}

export interface OnTheWay {
  readonly day: BusinessDate;
  readonly count: number;
  readonly amount: bigint;
}

/** Reads the report inside one snapshot. Agents' balances are those of now; everything else is up to `through`. */
export async function dailyReport(
  session: Session,
  through: BusinessDate,
  calendar: BusinessCalendar,
): Promise<DailyReport> {
  const end = calendar.startOf(addDays(through, 1));
  const start = calendar.startOf(through);
  const confirmed = await confirmedBetween(session, undefined, end);
  const paidBy = await paymentsByLine(session, end);
  const credits = await creditsThrough(session, through, paidBy);
  const onTheWay = unpaid(paidBy, credits, calendar);
  const matchedCredits = credits.filter(({ matched }) => matched);
  const matched = matchedCredits.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
  const channels = await channelDays(session, { start, end });
  const confirmsProven = confirmed.amount === matched + onTheWay.amount;
  return {
    through,
    agents: await agentTotals(session),
    confirmed,
    confirmedToday: await confirmedBetween(session, start, end),
    credits,
    matched: { count: matchedCredits.length, amount: matched },
    onTheWay,
    breaks: await openBreaks(session, through),
    bankCoveredThrough: await bankCoverage(session, through),
    channels,
    confirmsProven,
    proven: confirmsProven && channels.every(({ proven }) => proven),
  };
}

async function agentTotals(session: Session): Promise<DailyReport['agents']> {
  const [directory] = await rowsOf(
    session('agents as a').where('a.status', 'open').select(session.fragment('count(*) as open_agents')),
  );
  const [balances] = await rowsOf(
    session('ledger_balances as b').select(
      session.fragment('count(case when b.balance_millimes > 0 then 1 end) as owing'),
      session.fragment('cast(sum(case when b.balance_millimes > 0 then b.balance_millimes end) as char) as due'),
      session.fragment('count(case when b.balance_millimes < 0 then 1 end) as in_credit'),
      session.fragment('cast(sum(case when b.balance_millimes < 0 then -b.balance_millimes end) as char) as credit'),
    ),
  );
  return {
    open: Number(directory?.['open_agents']),
    owing: Number(balances?.['owing']),
    due: toTotal(balances?.['due']),
    inCredit: Number(balances?.['in_credit']),
    credit: toTotal(balances?.['credit']),
  };
}

async function confirmedBetween(
  session: Session,
  from: Instant | undefined,
  end: Instant,
): Promise<{ count: number; amount: bigint }> {
  const query = session('agent_confirmations as c')
    .select(session.fragment('count(*) as confirms'), session.fragment('cast(sum(c.amount_millimes) as char) as total'))
    .where('c.received_at', '<', end);
  if (from !== undefined) void query.where('c.received_at', '>=', from);
  const [row] = await rowsOf(query);
  return { count: Number(row?.['confirms']), amount: toTotal(row?.['total']) };
}

interface PaidPayment extends ReportPayment {
  readonly lineId: string | undefined;
}

/** Every payment received before `end`, under the line that paid it; under undefined what no line paid. */
async function paymentsByLine(session: Session, end: Instant): Promise<Map<string | undefined, PaidPayment[]>> {
  const reference =
    session.dialect === 'sqlite' ? "('service:' || c.transaction_id)" : "concat('service:', c.transaction_id)";
  const rows = await rowsOf(
    session('agent_confirmations as c')
      .leftJoin('agents as a', 'a.agent_id', 'c.agent_id')
      .leftJoin('recon_match_items as i', 'i.item_id', session.fragment(reference))
      .select('c.transaction_id', 'c.agent_id', 'a.full_name', 'c.amount_millimes', 'c.received_at', 'i.line_id')
      .where('c.received_at', '<', end)
      .orderBy(['c.received_at', 'c.transaction_id']),
  );
  const byLine = new Map<string | undefined, PaidPayment[]>();
  for (const payment of rows.map(toPayment)) {
    const payments = byLine.get(payment.lineId);
    if (payments === undefined) byLine.set(payment.lineId, [payment]);
    else payments.push(payment);
  }
  return byLine;
}

async function creditsThrough(
  session: Session,
  through: BusinessDate,
  paidBy: ReadonlyMap<string | undefined, readonly PaidPayment[]>,
): Promise<ReportCredit[]> {
  const rows = await rowsOf(
    session('bank_statement_lines as l')
      .leftJoin('recon_matches as m', 'm.line_id', 'l.id')
      .select('l.id', 'l.booking_date', 'l.counterparty', 'l.remittance', 'l.amount_minor', 'm.evidence')
      .where({ 'l.payout_candidate': 1, 'l.currency': 'TND' })
      .where('l.booking_date', '<=', through)
      .whereRaw(isCountedLine('l'))
      .orderBy(['l.booking_date', 'l.id']),
  );
  return rows.map((row) => ({
    lineId: row['id'] as string,
    bookingDate: row['booking_date'] as string,
    counterparty: row['counterparty'] as string,
    remittance: row['remittance'] as string,
    amount: toMillimes(row['amount_minor']),
    matched: row['evidence'] !== null,
    evidence: row['evidence'] === null ? undefined : (row['evidence'] as string),
    payments: paidBy.get(row['id'] as string) ?? [],
  }));
}

/** What no credit up to the day has paid, also when a later one did. */
function unpaid(
  paidBy: ReadonlyMap<string | undefined, readonly PaidPayment[]>,
  credits: readonly ReportCredit[],
  calendar: BusinessCalendar,
): DailyReport['onTheWay'] {
  const matchedLines = new Set(credits.filter(({ matched }) => matched).map(({ lineId }) => lineId));
  const open = [...paidBy].flatMap(([lineId, payments]) =>
    lineId !== undefined && matchedLines.has(lineId) ? [] : payments,
  );
  const byDay = new Map<BusinessDate, { count: number; amount: bigint }>();
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

async function openBreaks(session: Session, through: BusinessDate): Promise<ReportBreaks[]> {
  const rows = await rowsOf(
    session('recon_breaks as b')
      .select('b.class')
      .select(session.fragment('count(*) as breaks'))
      .select(session.fragment('cast(sum(b.amount_millimes) as char) as total'))
      .whereNot('b.status', 'resolved')
      .where('b.since', '<=', through)
      .groupBy('b.class')
      .orderBy('b.class'),
  );
  return rows.map((row) => ({
    breakClass: row['class'] as string,
    count: Number(row['breaks']),
    amount: toTotal(row['total']),
  }));
}

/** How far the statements in dinars reach, up to the day. */
async function bankCoverage(session: Session, through: BusinessDate): Promise<string | undefined> {
  const [row] = await rowsOf(
    session('bank_statements as s')
      .select(session.fragment('max(coalesce(s.through_date, s.last_date)) as last_date'))
      .where('s.currency', 'TND')
      .whereRaw('coalesce(s.first_date, s.from_date, s.through_date) <= ?', [through])
      .whereRaw(isCountedStatement('s')),
  );
  const last = row?.['last_date'];
  if (typeof last !== 'string') return undefined;
  return last < through ? last : through;
}

function toPayment(row: Row): PaidPayment {
  return {
    transactionId: row['transaction_id'] as string,
    agentId: row['agent_id'] as string,
    fullName: typeof row['full_name'] === 'string' ? row['full_name'] : '',
    amount: toMillimes(row['amount_millimes']),
    receivedAt: Number(row['received_at']),
    lineId: row['line_id'] === null ? undefined : (row['line_id'] as string),
  };
}
