import { column, type Decoded, rowCodec, type Session } from '../../db';
import type { BusinessDate, Instant } from '../../kernel';
import { movementsOf } from '../clearing-movements-read-model';
import { isEffectiveLine } from '../effective-statements';
import { DATED_TRANSACTIONS, datedIn, type Window } from '../ledger-date';
import { isPayoutLine } from '../payout-marks';
import type { CutOff, DayCredits, DayExpectation, DayFigure } from './day-figures-store';

const CLEARING = 'gateway_clearing:';

const INSTANT = rowCodec({ at: column.optional(column.number('at')) });
const MOVED_AT = rowCodec({
  occurredAt: column.number('occurred_at'),
  originalAt: column.optional(column.number('original_at')),
});
const COUNT = rowCodec({ account: column.text('account'), payments: column.number('payments') });
const AGENTS = rowCodec({
  owing: column.number('owing'),
  owed: column.total('owed'),
  favored: column.number('favored'),
  favor: column.total('favor'),
});
const CREDITS = rowCodec({
  date: column.businessDate('booking_date'),
  credits: column.number('credits'),
  amount: column.total('amount'),
  charged: column.total('charged'),
  unexplained: column.number('unexplained'),
  unexplainedAmount: column.total('unexplained_amount'),
});
const WAITING = rowCodec({
  processing: column.number('processing'),
  processingAmount: column.total('processing_amount'),
  available: column.number('available'),
  availableAmount: column.total('available_amount'),
  late: column.number('late'),
  lateAmount: column.total('late_amount'),
  lastDueOn: column.optional(column.businessDate('last_due_on')),
});
const EXPECTED = rowCodec({
  date: column.businessDate('usually_on'),
  items: column.number('items'),
  amount: column.total('amount'),
});
const LAST_ID = rowCodec({ id: column.optional(column.text('id')) });

/** Returns the instant of the first ledger transaction; undefined without one. */
export async function firstInstant(session: Session): Promise<Instant | undefined> {
  const [first] = await INSTANT.all(session('ledger_transactions as t').min('t.occurred_at as at'));
  return first?.at;
}

/** Returns the instants whose days the transactions that were recorded since an instant may have changed. */
export async function changedSince(session: Session, since: Instant): Promise<Set<Instant>> {
  const moved = await MOVED_AT.all(
    session('ledger_transactions as t')
      .leftJoin('ledger_transactions as o', 'o.id', 't.reverses_id')
      .select('t.occurred_at', 'o.occurred_at as original_at')
      .where('t.recorded_at', '>=', since),
  );
  return new Set(
    moved.flatMap(({ occurredAt, originalAt }) => [occurredAt, ...(originalAt === undefined ? [] : [originalAt])]),
  );
}

/** Returns the movements of a day by channel, without its closing balances. */
export async function movementsOfDay(
  session: Session,
  date: BusinessDate,
  day: Window,
): Promise<Omit<DayFigure, 'closing'>[]> {
  const movements = await movementsOf(session, day);
  const counts = new Map(
    (await COUNT.all(session.raw(PAYMENTS, datedIn(day)))).map(({ account, payments }) => [
      channelOf(account),
      payments,
    ]),
  );
  return [...movements].map(([channel, moved]) => ({
    ...{ date, channel, payments: counts.get(channel) ?? 0 },
    ...{ succeeded: moved.succeeded, refunded: moved.refunded, charged: moved.fees + moved.tva },
    settled: moved.payouts + moved.payoutsReturned,
    other: moved.writtenOff + moved.corrected,
  }));
}

/** Returns what agents owed at an instant, and what was in their favor: the stored balances less what is dated later. */
export async function agentsAt(
  session: Session,
  end: Instant,
): Promise<Pick<CutOff, 'owing' | 'owed' | 'favored' | 'favor'>> {
  const [found] = await AGENTS.all(session.raw(AGENT_BALANCES, [end, end]));
  return found ?? { owing: 0, owed: 0n, favored: 0, favor: 0n };
}

/** Returns the credits that may be payouts, by booking date. */
export function creditsByDay(session: Session, from: BusinessDate, to: BusinessDate): Promise<DayCredits[]> {
  return CREDITS.all(
    session('bank_statement_lines as l')
      .leftJoin('payout_claimed_lines as k', 'k.line_id', 'l.id')
      .leftJoin('payout_matches as m', (on) => on.on('m.id', 'k.match_id').andOn('m.line_id', 'l.id'))
      .whereIn('l.payout_candidate', [0, 1])
      .whereBetween('l.booking_date', [from, to])
      .where('l.currency', 'TND')
      .whereRaw(isPayoutLine('l'))
      .whereRaw(isEffectiveLine('l'))
      .groupBy('l.booking_date')
      .orderBy('l.booking_date')
      .select('l.booking_date', session.fragment(CREDIT_SUMS)),
  );
}

/** Returns the unpaid items of the last run that no match holds since, before an instant, by how far their money is. */
export async function waitingAt(session: Session, end: Instant): Promise<Decoded<typeof WAITING>> {
  const [found] = await WAITING.all(
    session('recon_waiting_items as w')
      .where('w.succeeded_at', '<', end)
      .whereRaw(IS_NOT_HELD)
      .select(session.fragment(WAITING_SUMS, Array<number>(4).fill(end))),
  );
  return (
    found ?? {
      processing: 0,
      processingAmount: 0n,
      available: 0,
      availableAmount: 0n,
      late: 0,
      lateAmount: 0n,
      lastDueOn: undefined,
    }
  );
}

/** Returns what the last run expects the bank to book on the days after one, of the items before an instant. */
export function expectedAfter(session: Session, date: BusinessDate, end: Instant): Promise<DayExpectation[]> {
  return EXPECTED.all(
    session('recon_waiting_items as w')
      .where('w.succeeded_at', '<', end)
      .where('w.usually_on', '>', date)
      .whereRaw(IS_NOT_HELD)
      .groupBy('w.usually_on')
      .select('w.usually_on', session.fragment('count(*) as items, cast(sum(w.amount_millimes) as char) as amount')),
  );
}

/** Returns the id of the latest statement; undefined without one. */
export async function lastStatementId(session: Session): Promise<string | undefined> {
  const [last] = await LAST_ID.all(session('bank_statements as s').max('s.id as id'));
  return last?.id;
}

function channelOf(account: string): string {
  return account.slice(CLEARING.length);
}

const PAYMENTS = `
  select p.debit_account as account, count(*) as payments
  from ${DATED_TRANSACTIONS} t join postings p on p.transaction_id = t.id
  where t.code in ('agent_payment', 'payment') and t.reverses_id is null and p.debit_account like 'gateway_clearing:%'
  group by p.debit_account`;

function laterOn(side: string, amount: string): string {
  return `select p.${side} as account, ${amount} as amount
          from ledger_transactions t join postings p on p.transaction_id = t.id
          where t.occurred_at >= ? and p.${side} like 'agent_receivable:%'`;
}

const sumOf = (amount: string, condition: string, name: string): string =>
  `cast(coalesce(sum(case when ${condition} then ${amount} end), 0) as char) as ${name}`;
const countOf = (condition: string, name: string): string => `count(case when ${condition} then 1 end) as ${name}`;

const AGENT_BALANCES = `
  select ${countOf('x.balance > 0', 'owing')}, ${sumOf('x.balance', 'x.balance > 0', 'owed')},
         ${countOf('x.balance < 0', 'favored')}, ${sumOf('-x.balance', 'x.balance < 0', 'favor')}
  from (select b.balance_millimes - coalesce(l.amount, 0) as balance
        from ledger_balances b
        left join (select y.account, sum(y.amount) as amount
                   from (${laterOn('debit_account', 'p.amount_millimes')}
                         union all ${laterOn('credit_account', '-p.amount_millimes')}) y
                   group by y.account) l on l.account = b.account
        where b.account like 'agent_receivable:%') x`;

const CREDIT_SUMS = `count(*) as credits, cast(sum(l.amount_minor) as char) as amount,
  cast(coalesce(sum(m.fee_millimes + m.tva_millimes), 0) as char) as charged,
  ${countOf('k.line_id is null', 'unexplained')}, ${sumOf('l.amount_minor', 'k.line_id is null', 'unexplained_amount')}`;

const IS_NOT_HELD = 'not exists (select 1 from payout_claimed_items k where k.item_id = w.item_id)';
const IS_PROCESSING = 'w.is_late = 0 and w.available_at >= ?';
const IS_AVAILABLE = 'w.is_late = 0 and w.available_at < ?';
const IS_LATE = 'w.is_late = 1';
const WAITING_SUMS = [
  countOf(IS_PROCESSING, 'processing'),
  sumOf('w.amount_millimes', IS_PROCESSING, 'processing_amount'),
  countOf(IS_AVAILABLE, 'available'),
  sumOf('w.amount_millimes', IS_AVAILABLE, 'available_amount'),
  countOf(IS_LATE, 'late'),
  sumOf('w.amount_millimes', IS_LATE, 'late_amount'),
  'max(case when w.is_late = 0 then w.due_on end) as last_due_on',
].join(', ');
