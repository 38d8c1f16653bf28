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
import { bankCoverage } from './bank-coverage-read-model';
import { channelDays, type ChannelDay } from './channel-days-read-model';
import { isEffectiveLine } from './effective-statements';
import { dayState, type DayState } from './day-state-read-model';

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
  /** The bank took it back and it came again: the credit that is matched tells of it. */
  readonly returned: boolean;
  readonly evidence: string | undefined;
  /** Items of every channel that it paid. */
  readonly itemCount: number;
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
  /** Whether the day is closed. */
  readonly day: DayState;
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
      .leftJoin('payout_claimed_items as k', 'k.item_id', session.fragment(reference))
      .leftJoin('payout_matches as m', 'm.id', 'k.match_id')
      .select('c.transaction_id', 'c.agent_id', 'a.full_name', 'c.amount_millimes', 'c.received_at', 'm.line_id')
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

interface ExplainedCredit {
  readonly credit: ReportCredit;
  /** What it paid of agents' payments, before fees: all that it paid less the items of other channels. */
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
      .select('l.id', 'l.booking_date', 'l.counterparty', 'l.remittance', 'l.amount_minor', 'm.evidence')
      .select('k.match_id', 'm.gross_millimes')
      .where({ 'l.payout_candidate': 1, 'l.currency': 'TND' })
      .where('l.booking_date', '<=', through)
      .whereRaw(isEffectiveLine('l'))
      .orderBy(['l.booking_date', 'l.id']),
  );
  return rows.map((row) => {
    const matched = row['evidence'] !== null;
    const { count, ofOthers } = items.get(String(row['match_id'])) ?? { count: 0, ofOthers: 0n };
    return {
      forAgents: matched ? toTotal(row['gross_millimes']) - ofOthers : 0n,
      credit: {
        lineId: row['id'] as string,
        bookingDate: row['booking_date'] as string,
        counterparty: row['counterparty'] as string,
        remittance: row['remittance'] as string,
        amount: toMillimes(row['amount_minor']),
        matched,
        returned: !matched && row['match_id'] !== null,
        evidence: row['evidence'] === null ? undefined : (row['evidence'] as string),
        itemCount: matched ? count : 0,
        payments: paidBy.get(row['id'] as string) ?? [],
      },
    };
  });
}

/** How many items each match that holds paid, and what came of them through other channels than the agents'. */
async function itemsByMatch(session: Session): Promise<Map<string, { count: number; ofOthers: bigint }>> {
  const rows = await rowsOf(
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
  return new Map(
    rows.map((row) => [String(row['match_id']), { count: Number(row['items']), ofOthers: toTotal(row['others']) }]),
  );
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
