import { column, rowCodec, type Session } from '../../db';
import { addDays, AppError, type BusinessDate, type Instant } from '../../kernel';
import { type DayState, dayState } from '../day-state-read-model';
import {
  CUT_OFF,
  type CutOff,
  DAY_CREDITS,
  type DayCredits,
  type DayFigure,
  figuresBetween,
  lastCutOff,
} from './day-figures-store';
import { type BreakSettings, type OpenBreakTotals, openBreakTotals } from './open-break-totals-read-model';

const DAYS_SHOWN = 30;
/** More transactions than this are not counted one by one. */
const COUNTED_MAX = 500;

const CODE = rowCodec({ code: column.text('code') });
const ID = rowCodec({ id: column.text('id') });

export interface MorningQuery {
  /** The last day that counts (default: the last cut-off). */
  readonly day: BusinessDate | undefined;
  /** The person who reads, whose own proposals others approve. */
  readonly reader: string;
  readonly now: Instant;
}

/** What came after a cut-off and is in none of its figures. */
export interface Since {
  readonly payments: number;
  /** Whether there are more payments than those counted. */
  readonly hasMorePayments: boolean;
  readonly breaks: number;
  readonly statements: number;
}

/** The figures of one day and of the days before it, read in one snapshot. In millimes. */
export interface Morning {
  /** The last day that a run covered after it ended. */
  readonly last: CutOff;
  readonly day: BusinessDate;
  /** As known when the day was the last one; undefined if no run ended then. */
  readonly cutOff: CutOff | undefined;
  readonly from: BusinessDate;
  /** By day and channel. */
  readonly figures: readonly DayFigure[];
  readonly credits: readonly DayCredits[];
  readonly breaks: OpenBreakTotals;
  readonly state: DayState;
  readonly since: Since;
}

/**
 * Reads the figures of a day; undefined before the first run derived any.
 *
 * @throws AppError `bad_input` for a day after the last cut-off.
 */
export async function morning(
  session: Session,
  { day: wanted, reader, now }: MorningQuery,
  settings: BreakSettings,
): Promise<Morning | undefined> {
  const last = await lastCutOff(session);
  if (last === undefined) return undefined;
  const day = wanted ?? last.date;
  if (day > last.date) {
    throw new AppError('bad_input', { field: 'day', expected: `a day up to ${last.date}`, got: day });
  }
  const from = addDays(day, 1 - DAYS_SHOWN);
  const [cutOff] = await CUT_OFF.all(
    session('day_cut_offs as k').select(CUT_OFF.columns('k')).where('k.business_date', day),
  );
  const agedThrough = last.bankThrough !== undefined && last.bankThrough < day ? last.bankThrough : day;
  const breaks = await openBreakTotals(
    session,
    { date: day, agedThrough, now, reader, knownAt: last.knownAt },
    settings,
  );
  return {
    ...{ last, day, cutOff, from, breaks },
    figures: await figuresBetween(session, from, day),
    credits: await creditsBetween(session, from, day),
    state: await dayState(session, day),
    since: { ...(await since(session, settings.calendar.startOf(addDays(last.date, 1)), last)), breaks: breaks.since },
  };
}

/** Returns the credits of some days, by day. A day without a credit has no row. */
export function creditsBetween(session: Session, from: BusinessDate, to: BusinessDate): Promise<DayCredits[]> {
  return DAY_CREDITS.all(
    session('day_credits as c')
      .select(DAY_CREDITS.columns('c'))
      .whereBetween('c.business_date', [from, to])
      .orderBy('c.business_date'),
  );
}

async function since(session: Session, end: Instant, { lastStatementId }: CutOff): Promise<Omit<Since, 'breaks'>> {
  const codes = await CODE.all(
    session('ledger_transactions as t')
      .select('t.code')
      .where('t.occurred_at', '>=', end)
      .orderBy('t.occurred_at')
      .limit(COUNTED_MAX),
  );
  const statements = await ID.all(
    session('bank_statements as s')
      .select('s.id')
      .where('s.id', '>', lastStatementId ?? '')
      .orderBy('s.id')
      .limit(COUNTED_MAX),
  );
  return {
    payments: codes.filter(({ code }) => code === 'agent_payment' || code === 'payment').length,
    hasMorePayments: codes.length === COUNTED_MAX,
    statements: statements.length,
  };
}
