import { column, type Decoded, prefixedInSql, rowCodec, type Session } from '../db';
import {
  addDays,
  addToGroup,
  assert,
  type BusinessCalendar,
  type BusinessDate,
  businessDate,
  compareBytes,
  type Instant,
} from '../kernel';
import { bankCoverage } from './bank-coverage-read-model';
import { type BreakEnd, breakEnds } from './break-ends-read-model';
import { type ChannelDay, channelDays } from './channel-days-read-model';
import type { ClearingPartLabel } from './clearing-parts-read-model';
import { type Credit, type ExplainedCredit, explainedCredits } from './credits-read-model';
import { type DayState, dayState } from './day-state-read-model';
import { isInForce, type Known } from './ledger-date';
import { type OpenBreak, openBreaks } from './open-breaks-read-model';
import { sealedBalances } from './recorded-balances-read-model';
import type { Total } from './report-document';

/** Before the first day of any bank. */
const FIRST_DATE = businessDate('2000-01-01');

export type ReportPayment = Omit<Decoded<typeof PAYMENT>, 'lineId' | 'fullName'> & { readonly fullName: string };

/** A bank credit that may be a payout, and the agents' payments in its match. */
export interface ReportCredit extends Pick<
  Credit,
  'lineId' | 'bookingDate' | 'counterparty' | 'remittance' | 'amount'
> {
  readonly matched: boolean;
  /** The bank returned it and it was paid again: the match belongs to the other credit. */
  readonly returned: boolean;
  readonly evidence: string | undefined;
  /** The number of items that it paid, of every channel. */
  readonly itemCount: number;
  readonly payments: readonly ReportPayment[];
}

/** The breaks of one class that were open at the end of the day. */
export interface OpenBreaks extends Total {
  readonly breakClass: string;
  /** Those that have ended since, so that no reader works on them. */
  readonly ended: readonly { readonly id: string; readonly amount: bigint | undefined; readonly end: BreakEnd }[];
}

/** The report of a day for finance: every figure as of the end of `through` by ledger date, from rows alone. */
export interface DailyReport extends Known {
  readonly through: BusinessDate;
  readonly agents: Decoded<typeof AGENT_COUNT> & Decoded<typeof BALANCES>;
  readonly confirmed: Total;
  readonly confirmedToday: Total;
  readonly credits: readonly ReportCredit[];
  /** Credits, and what they paid for agents before fees. */
  readonly matched: Total;
  /** Agents' payments that people matched to credits which do not pay them: below 0 if a credit pays more. */
  readonly forced: bigint;
  /** Agents' payments that a credit paid before their own day, or before the bank returned their first payout. */
  readonly paidAhead: bigint;
  readonly onTheWay: Total & { readonly byDay: readonly (Total & { readonly day: BusinessDate })[] };
  readonly breaks: readonly OpenBreaks[];
  readonly bankCoveredThrough: string | undefined;
  /** Whether the day is closed. */
  readonly day: DayState;
  /** The day of each channel. */
  readonly channels: readonly ChannelDay[];
  /**
   * Confirmed payments equal paid-out payments with the remainders of forced matches, less those paid ahead, plus payments
   * in transit, to the millime; and the latter are what the agents' clearing account consists of.
   */
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
/** A confirm with the name of its agent and the line that paid it, where they exist. */
const PAYMENT = rowCodec({
  transactionId: column.text('transaction_id'),
  agentId: column.text('agent_id'),
  amount: column.millimes('amount_millimes'),
  receivedAt: column.number('received_at'),
  fullName: column.optional(column.text('full_name')),
  lineId: column.optional(column.text('line_id')),
});
const CONFIRM_COLUMNS = ['c.transaction_id', 'c.agent_id', 'c.amount_millimes', 'c.received_at'];

/** Reads the report inside one snapshot. */
export async function dailyReport(
  session: Session,
  { through, knownAt }: { readonly through: BusinessDate } & Known,
  calendar: BusinessCalendar,
): Promise<DailyReport> {
  const end = calendar.startOf(addDays(through, 1));
  const start = calendar.startOf(through);
  const confirmed = await confirmedBetween(session, undefined, end);
  const paidBy = await paymentsByLine(session, end);
  const explained = await explainedCredits(session, { from: FIRST_DATE, to: through }, end);
  const credits = explained.map((credit) => toReportCredit(credit, paidBy));
  const paid = explained.map(paidForAgents).filter(({ amount }) => amount !== 0n);
  const gross = paid.reduce((sum, { amount }) => sum + amount, 0n);
  const paidAhead = paid.reduce((sum, { ahead }) => sum + ahead, 0n);
  const inTransit = unpaid(paidBy.get(undefined) ?? [], calendar);
  const day = await dayState(session, through);
  const seal = day.kind === 'closed' ? await sealedBalances(session, { seal: day.seal, end }) : undefined;
  const channels = await channelDays(session, { start, end }, seal);
  const confirmsProven =
    confirmed.amount === gross - paidAhead + inTransit.amount &&
    inTransit.amount === inAgentClearing(channels, 'unpaid_items');
  const forced = inAgentClearing(channels, 'forced');
  const breaks = await openBreaks(session, through, end);
  return {
    through,
    knownAt,
    agents: await agentTotals(session, end),
    confirmed,
    confirmedToday: await confirmedBetween(session, start, end),
    credits,
    matched: { count: paid.length, amount: gross - forced },
    forced,
    paidAhead,
    onTheWay: inTransit,
    breaks: totalsByClass(breaks, await breakEnds(session, breaks, calendar)),
    bankCoveredThrough: await bankCoverage(session, through),
    day,
    channels,
    confirmsProven,
    proven: confirmsProven && channels.every(({ proven }) => proven),
  };
}

/** Returns the agents' accounts at an instant, from the postings. No posting on them is a reversal. */
async function agentTotals(session: Session, end: Instant): Promise<DailyReport['agents']> {
  const [directory] = await AGENT_COUNT.all(
    session('agents as a')
      .where('a.created_at', '<', end)
      .whereRaw('(a.closed_at is null or a.closed_at >= ?)', [end])
      .select(session.fragment('count(*) as open_agents')),
  );
  const [balances] = await BALANCES.all(session.raw(AGENT_BALANCES, [end, end]));
  assert(directory !== undefined && balances !== undefined, 'a query of totals returns one row');
  return { ...directory, ...balances };
}

function agentSide(side: string, amount: string): string {
  return `select p.${side} as account, ${amount} as amount
          from postings p join ledger_transactions t on t.id = p.transaction_id
          where p.${side} like 'agent_receivable:%' and t.occurred_at < ?`;
}

const AGENT_BALANCES = `
  select count(case when b.balance > 0 then 1 end) as owing,
         cast(sum(case when b.balance > 0 then b.balance end) as char) as due,
         count(case when b.balance < 0 then 1 end) as in_credit,
         cast(sum(case when b.balance < 0 then -b.balance end) as char) as credit
  from (select x.account, sum(x.amount) as balance
        from (${agentSide('debit_account', 'p.amount_millimes')}
              union all ${agentSide('credit_account', '-p.amount_millimes')}) x
        group by x.account) b`;

async function confirmedBetween(session: Session, from: Instant | undefined, end: Instant): Promise<Total> {
  const query = session('agent_confirmations as c')
    .select(session.fragment('count(*) as confirms'), session.fragment('cast(sum(c.amount_millimes) as char) as total'))
    .where('c.received_at', '<', end);
  if (from !== undefined) void query.where('c.received_at', '>=', from);
  const [confirmed] = await CONFIRMED.all(query);
  assert(confirmed !== undefined, 'a query of totals returns one row');
  return confirmed;
}

/** Returns the payments received before `end` by the line that had paid them then; unpaid ones under undefined. */
async function paymentsByLine(session: Session, end: Instant): Promise<Map<string | undefined, ReportPayment[]>> {
  const paidBy = `(select m.line_id from payout_match_items i
                   join payout_matches m on m.id = i.match_id
                   join ledger_transactions w on w.id = m.ledger_transaction_id
                   where i.item_id = ${prefixedInSql(session.dialect, 'service:', 'c.transaction_id')} and ${isInForce('m', 'w')}
                   order by m.id limit 1) as line_id`;
  const payments = await PAYMENT.all(
    session('agent_confirmations as c')
      .leftJoin('agents as a', 'a.agent_id', 'c.agent_id')
      .select(...CONFIRM_COLUMNS, 'a.full_name')
      .select(session.fragment(paidBy, [end, end]))
      .where('c.received_at', '<', end)
      .orderBy(['c.received_at', 'c.transaction_id']),
  );
  const byLine = new Map<string | undefined, ReportPayment[]>();
  for (const { fullName = '', lineId, ...payment } of payments) addToGroup(byLine, lineId, { ...payment, fullName });
  return byLine;
}

function toReportCredit(
  { line, match, items, returned }: ExplainedCredit,
  paidBy: ReadonlyMap<string | undefined, readonly ReportPayment[]>,
): ReportCredit {
  const { lineId, bookingDate, counterparty, remittance, amount } = line;
  return {
    ...{ lineId, bookingDate, counterparty, remittance, amount },
    matched: match !== undefined,
    returned,
    evidence: match?.evidence,
    itemCount: items.reduce((sum, { count }) => sum + count, 0),
    payments: paidBy.get(lineId) ?? [],
  };
}

/**
 * Returns what a credit paid for agents, before fees: its gross amount less the items of other channels. So an item that
 * is missing in the match makes the proof fail.
 */
function paidForAgents({ match, items }: ExplainedCredit): { readonly amount: bigint; readonly ahead: bigint } {
  if (match === undefined) return { amount: 0n, ahead: 0n };
  const ofOthers = items.reduce((sum, { channel, amount }) => sum + (channel === 'agent' ? 0n : amount), 0n);
  return { amount: BigInt(match.gross) - ofOthers, ahead: items.reduce((sum, { ahead }) => sum + ahead, 0n) };
}

function unpaid(open: readonly ReportPayment[], calendar: BusinessCalendar): DailyReport['onTheWay'] {
  const byDay = totalsBy(open.map(({ receivedAt, amount }) => [calendar.dateOf(receivedAt), BigInt(amount)]));
  return {
    count: open.length,
    amount: byDay.reduce((sum, [, { amount }]) => sum + amount, 0n),
    byDay: byDay.map(([day, total]) => ({ day, ...total })),
  };
}

/** Returns a part of the agents' clearing account. */
function inAgentClearing(channels: readonly ChannelDay[], part: ClearingPartLabel): bigint {
  const parts = channels.find(({ channel }) => channel === 'agent')?.parts ?? [];
  return parts.find(({ label }) => label === part)?.amount ?? 0n;
}

function totalsByClass(breaks: readonly OpenBreak[], ends: ReadonlyMap<string, BreakEnd>): OpenBreaks[] {
  const totals = totalsBy(breaks.map(({ breakClass, amount = 0n }) => [breakClass, amount]));
  return totals.map(([breakClass, total]) => ({
    breakClass,
    ...total,
    ended: breaks.flatMap(({ id, amount, breakClass: ofBreak }) => {
      const end = ends.get(id);
      return end === undefined || ofBreak !== breakClass ? [] : [{ id, amount, end }];
    }),
  }));
}

/** Counts and adds up amounts by their keys, in the order of the keys. */
function totalsBy<Key extends string>(amounts: readonly (readonly [key: Key, amount: bigint])[]): [Key, Total][] {
  const totals = new Map<Key, Total>();
  for (const [key, amount] of amounts) {
    const before = totals.get(key) ?? { count: 0, amount: 0n };
    totals.set(key, { count: before.count + 1, amount: before.amount + amount });
  }
  return [...totals].sort(([a], [b]) => compareBytes(a, b));
}
