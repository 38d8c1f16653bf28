import { optionalText, rowsOf, type Session } from '../db';
import { addDays, businessDate, toTotal, type BusinessCalendar, type BusinessDate, type Instant } from '../kernel';
import type { ReportPeriod } from './report-document';

/**
 * How a fee is known. Different grades are never added up without naming them.
 *
 * - `reported`: the gateway said so. - `inferred`: found with the payout that paid the item.
 * - `inferred_per_payout`: of a payout as a whole. - `other`: any other posting, by people or by a reversal.
 */
export const FEE_ORIGINS = ['reported', 'inferred', 'inferred_per_payout', 'other'] as const;
export type FeeOrigin = (typeof FEE_ORIGINS)[number];

export interface MonthFees {
  /** `2026-03`. */
  readonly month: string;
  readonly channel: string;
  readonly origin: FeeOrigin;
  /** How many ledger transactions. */
  readonly count: number;
  readonly fee: bigint;
  readonly tva: bigint;
}

/** What a run learned of the gateway's fees; `rules` as in fees.json. */
export interface LearnedFees {
  readonly id: string;
  readonly rules: string;
  readonly firstDate: string | undefined;
  readonly lastDate: string | undefined;
  /** Of how many bank credits. */
  readonly credits: number;
  readonly recordedAt: Instant;
  /** Undefined while it is only inferred. */
  readonly confirmedBy: string | undefined;
  readonly confirmedAt: Instant | undefined;
  /** The newest one holds. */
  readonly holds: boolean;
}

/** Fees and TVA by month and channel, from the postings. In millimes; less than 0 where more was given back than kept. */
export interface FeesReport extends ReportPeriod {
  readonly months: readonly MonthFees[];
  /** What the two accounts of the ledger moved by in the period. */
  readonly ledgerFee: bigint;
  readonly ledgerTva: bigint;
  readonly schedules: readonly LearnedFees[];
  /** The months add up to what the accounts moved by. */
  readonly proven: boolean;
}

const SCHEDULES_SHOWN_MAX = 50;

/** Reads the report inside one snapshot, by the business day on which a ledger transaction was recorded. */
export async function feesReport(
  session: Session,
  { from, to }: ReportPeriod,
  calendar: BusinessCalendar,
): Promise<FeesReport> {
  const months: MonthFees[] = [];
  for (let first = from; first <= to; first = nextMonth(first)) {
    const next = nextMonth(first);
    const end = next <= to ? next : addDays(to, 1);
    months.push(...(await monthFees(session, first.slice(0, 7), calendar.startOf(first), calendar.startOf(end))));
  }
  const window = [calendar.startOf(from), calendar.startOf(addDays(to, 1))] as const;
  const ledgerFee = await accountMovement(session, 'gateway_fees', ...window);
  const ledgerTva = await accountMovement(session, 'gateway_fees_tva', ...window);
  const proven =
    months.reduce((sum, { fee }) => sum + fee, 0n) === ledgerFee &&
    months.reduce((sum, { tva }) => sum + tva, 0n) === ledgerTva;
  return { from, to, months, ledgerFee, ledgerTva, schedules: await learnedFees(session), proven };
}

function nextMonth(date: BusinessDate): BusinessDate {
  const [year, month] = [Number(date.slice(0, 4)), Number(date.slice(5, 7))];
  return businessDate(month === 12 ? `${year + 1}-01-01` : `${year}-${String(month + 1).padStart(2, '0')}-01`);
}

async function monthFees(session: Session, month: string, start: Instant, end: Instant): Promise<MonthFees[]> {
  const rows = await session.raw(FEES, [start, end, start, end]);
  return rows.map((row) => ({
    month,
    channel: String(row['channel']),
    origin: FEE_ORIGINS.find((each) => each === row['origin']) ?? 'other',
    count: Number(row['entries']),
    fee: toTotal(row['fee']),
    tva: toTotal(row['tva']),
  }));
}

// A fee was found with a payout where both were written at the same instant by the same writer.
const ORIGIN = `case
  when t.code = 'payout_fee' or o.code = 'payout_fee' then 'inferred_per_payout'
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
          from ledger_transactions t
          join postings p on p.transaction_id = t.id
          left join ledger_transactions o on o.id = t.reverses_id
          where t.recorded_at >= ? and t.recorded_at < ? and p.${side} in ('gateway_fees', 'gateway_fees_tva')`;
}

const FEES = `
  select x.channel, x.origin, count(distinct x.id) as entries,
         cast(sum(x.fee) as char) as fee, cast(sum(x.tva) as char) as tva
  from (${feeSide('debit_account', 'credit_account', '')}
        union all ${feeSide('credit_account', 'debit_account', '-')}) x
  group by x.channel, x.origin
  order by x.channel, x.origin`;

async function accountMovement(session: Session, account: string, start: Instant, end: Instant): Promise<bigint> {
  const side = async (column: 'p.debit_account' | 'p.credit_account'): Promise<bigint> => {
    const [row] = await rowsOf(
      session('postings as p')
        .join('ledger_transactions as t', 't.id', 'p.transaction_id')
        .select(session.fragment('cast(sum(p.amount_millimes) as char) as total'))
        .where(column, account)
        .where('t.recorded_at', '>=', start)
        .where('t.recorded_at', '<', end),
    );
    return toTotal(row?.['total']);
  };
  const debits = await side('p.debit_account');
  return debits - (await side('p.credit_account'));
}

/** The newest first. */
async function learnedFees(session: Session): Promise<LearnedFees[]> {
  const rows = await rowsOf(
    session('payout_fee_schedules as s')
      .leftJoin('payout_fee_confirmations as c', 'c.schedule_id', 's.id')
      .select('s.id', 's.rules', 's.credits', 's.first_date', 's.last_date', 's.recorded_at')
      .select('c.confirmed_by', 'c.confirmed_at')
      .orderBy('s.id', 'desc')
      .limit(SCHEDULES_SHOWN_MAX),
  );
  return rows.map((row, index) => ({
    id: String(row['id']),
    rules: String(row['rules']),
    firstDate: optionalText(row['first_date']),
    lastDate: optionalText(row['last_date']),
    credits: lengthOf(String(row['credits'])),
    recordedAt: Number(row['recorded_at']),
    confirmedBy: optionalText(row['confirmed_by']),
    confirmedAt: row['confirmed_at'] === null ? undefined : Number(row['confirmed_at']),
    holds: index === 0,
  }));
}

function lengthOf(json: string): number {
  const list: unknown = JSON.parse(json);
  return Array.isArray(list) ? list.length : 0;
}
