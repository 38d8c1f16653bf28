import { column, type Decoded, rowCodec, type Session } from '../db';
import { addDays, type BusinessCalendar, type BusinessDate, businessDate } from '../kernel';
import { DATED_TRANSACTIONS, datedIn, type Known, type Window } from './ledger-date';
import type { ReportPeriod } from './report-document';

/**
 * The origin of a fee. A report never adds up different origins.
 *
 * - `reported`: by the gateway.
 * - `inferred`: with the payout that paid the item.
 * - `inferred_per_payout`: of a payout as a whole.
 * - `other`: any other posting, by people or by a reversal.
 */
const FEE_ORIGINS = ['reported', 'inferred', 'inferred_per_payout', 'other'] as const;

export interface MonthFees extends Decoded<typeof MONTH_FEES> {
  /** `2026-03`. */
  readonly month: string;
}

/** The fees that a run learned or a person entered; `rules` as in fees.json. */
export interface LearnedFees extends Decoded<typeof CONFIRMED_SCHEDULE> {
  /** Whether it is in force, which is the newest one. */
  readonly holds: boolean;
}

/** Fees and TVA by month and channel, from the postings. In millimes; below 0 if refunds exceed fees. */
export interface FeesReport extends ReportPeriod, Known {
  readonly months: readonly MonthFees[];
  /** The movement of the two ledger accounts in the period. */
  readonly ledgerFee: bigint;
  readonly ledgerTva: bigint;
  readonly schedules: readonly LearnedFees[];
  /** The months add up to the movement of the accounts. */
  readonly proven: boolean;
}

const SCHEDULES_SHOWN_MAX = 50;

const MONTH_FEES = rowCodec({
  channel: column.text('channel'),
  origin: column.word('origin', FEE_ORIGINS),
  /** The number of ledger transactions. */
  count: column.number('entries'),
  fee: column.total('fee'),
  tva: column.total('tva'),
});
const TOTAL = rowCodec({ total: column.total('total') });
const SCHEDULE = rowCodec({
  id: column.text('id'),
  rules: column.text('rules'),
  firstDate: column.optional(column.businessDate('first_date')),
  lastDate: column.optional(column.businessDate('last_date')),
  /** The number of bank credits from which it was learned. */
  credits: column.json('credits', (list) => (Array.isArray(list) ? list.length : 0)),
  recordedAt: column.number('recorded_at'),
});
/** Undefined while the schedule is inferred. */
const CONFIRMATION = rowCodec({
  confirmedBy: column.optional(column.text('confirmed_by')),
  confirmedAt: column.optional(column.number('confirmed_at')),
});
const CONFIRMED_SCHEDULE = rowCodec({ ...SCHEDULE.fields, ...CONFIRMATION.fields });

/** Reads the report inside one snapshot, by ledger date. */
export async function feesReport(
  session: Session,
  { from, to, knownAt }: ReportPeriod & Known,
  calendar: BusinessCalendar,
): Promise<FeesReport> {
  const months: MonthFees[] = [];
  for (let first = from; first <= to; first = nextMonth(first)) {
    const next = nextMonth(first);
    const end = next <= to ? next : addDays(to, 1);
    const window = { start: calendar.startOf(first), end: calendar.startOf(end) };
    months.push(...(await monthFees(session, first.slice(0, 7), window)));
  }
  const window = { start: calendar.startOf(from), end: calendar.startOf(addDays(to, 1)) };
  const ledgerFee = await accountMovement(session, 'gateway_fees', window);
  const ledgerTva = await accountMovement(session, 'gateway_fees_tva', window);
  const proven =
    months.reduce((sum, { fee }) => sum + fee, 0n) === ledgerFee &&
    months.reduce((sum, { tva }) => sum + tva, 0n) === ledgerTva;
  return { from, to, knownAt, months, ledgerFee, ledgerTva, schedules: await learnedFees(session), proven };
}

function nextMonth(date: BusinessDate): BusinessDate {
  const [year, month] = [Number(date.slice(0, 4)), Number(date.slice(5, 7))];
  return businessDate(month === 12 ? `${year + 1}-01-01` : `${year}-${String(month + 1).padStart(2, '0')}-01`);
}

async function monthFees(session: Session, month: string, window: Window): Promise<MonthFees[]> {
  const found = await MONTH_FEES.all(session.raw(FEES, [...datedIn(window), ...datedIn(window)]));
  return found.map((each) => ({ month, ...each }));
}

// A fee was inferred with a payout if the same writer recorded both at the same instant.
const ORIGIN = `case
  when t.code = 'payout_fee' or t.reverses_code = 'payout_fee' then 'inferred_per_payout'
  when t.code not in ('fee', 'fee_correction') then 'other'
  when exists (select 1 from gateway_item_fees f
               join payout_match_items i on i.item_id = f.item_id
               join payout_matches m on m.id = i.match_id
               where f.reference = t.reference and m.recorded_at = f.recorded_at
                 and m.recorded_by = t.recorded_by) then 'inferred'
  else 'reported' end`;

function feeSide(side: string, other: string, sign: string): string {
  return `select t.id, ${ORIGIN} as origin,
                 case when p.${other} like 'gateway_clearing:%' then substr(p.${other}, 18) else '' end as channel,
                 case when p.${side} = 'gateway_fees' then ${sign}p.amount_millimes else 0 end as fee,
                 case when p.${side} = 'gateway_fees_tva' then ${sign}p.amount_millimes else 0 end as tva
          from ${DATED_TRANSACTIONS} t join postings p on p.transaction_id = t.id
          where p.${side} in ('gateway_fees', 'gateway_fees_tva')`;
}

const FEES = `
  select x.channel, x.origin, count(distinct x.id) as entries,
         cast(sum(x.fee) as char) as fee, cast(sum(x.tva) as char) as tva
  from (${feeSide('debit_account', 'credit_account', '')}
        union all ${feeSide('credit_account', 'debit_account', '-')}) x
  group by x.channel, x.origin
  order by x.channel, x.origin`;

async function accountMovement(session: Session, account: string, window: Window): Promise<bigint> {
  const bindings = [...datedIn(window), account];
  const debits = await TOTAL.first(session.raw(sideTotal('debit_account'), bindings));
  const credits = await TOTAL.first(session.raw(sideTotal('credit_account'), bindings));
  return (debits?.total ?? 0n) - (credits?.total ?? 0n);
}

function sideTotal(side: string): string {
  return `select cast(sum(p.amount_millimes) as char) as total
          from ${DATED_TRANSACTIONS} t join postings p on p.transaction_id = t.id
          where p.${side} = ?`;
}

/** Returns the schedules, newest first. */
async function learnedFees(session: Session): Promise<LearnedFees[]> {
  const schedules = await CONFIRMED_SCHEDULE.all(
    session('payout_fee_schedules as s')
      .leftJoin('payout_fee_confirmations as c', 'c.schedule_id', 's.id')
      .select(...SCHEDULE.columns('s'), ...CONFIRMATION.columns('c'))
      .orderBy('s.id', 'desc')
      .limit(SCHEDULES_SHOWN_MAX),
  );
  return schedules.map((schedule, index) => ({ ...schedule, holds: index === 0 }));
}
