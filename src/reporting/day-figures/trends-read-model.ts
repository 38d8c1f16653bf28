import { column, type Decoded, rowCodec, type Session } from '../../db';
import { addDays, type BusinessDate, type Instant } from '../../kernel';
import {
  type CutOff,
  type DayCredits,
  type DayExpectation,
  type DayFigure,
  EXPECTATION,
  figuresBetween,
  lastCutOff,
} from './day-figures-store';
import { creditsBetween } from './morning-read-model';
import { type BreakSettings, type OpenBreakTotals, openBreakTotals } from './open-break-totals-read-model';

const DAYS_SHOWN = 90;
/** After a cut-off runs expect money for at most a few weeks. */
const DAYS_EXPECTED = 30;
const MATCHES_MAX = 200;

const MATCHED = rowCodec({
  runId: column.optional(column.text('run_id')),
  claimedError: column.optional(column.text('claimed_error')),
});

/** The claimed errors of the matches of one run. */
export interface ClaimedErrors {
  readonly runId: string;
  /** In their stored form; at most 200. */
  readonly errors: readonly string[];
}

/** What the plots show, of the last cut-off and the days before it. In millimes. */
export interface Trends {
  readonly last: CutOff;
  readonly from: BusinessDate;
  readonly figures: readonly DayFigure[];
  readonly credits: readonly DayCredits[];
  readonly expectations: readonly DayExpectation[];
  readonly breaks: OpenBreakTotals;
  /** Of the last run that matched a credit. */
  readonly claimed: ClaimedErrors | undefined;
}

/** Reads what the plots show; undefined before the first run derived any figures. */
export async function trends(
  session: Session,
  { now, reader }: { readonly now: Instant; readonly reader: string },
  settings: BreakSettings,
): Promise<Trends | undefined> {
  const last = await lastCutOff(session);
  if (last === undefined) return undefined;
  const { date, bankThrough } = last;
  const from = addDays(date, 1 - DAYS_SHOWN);
  const agedThrough = bankThrough !== undefined && bankThrough < date ? bankThrough : date;
  return {
    ...{ last, from },
    figures: await figuresBetween(session, from, date),
    credits: await creditsBetween(session, from, date),
    expectations: await EXPECTATION.all(
      session('day_expectations as e')
        .select(EXPECTATION.columns('e'))
        .whereBetween('e.business_date', [from, addDays(date, DAYS_EXPECTED)])
        .orderBy('e.business_date'),
    ),
    breaks: await openBreakTotals(session, { date, agedThrough, now, reader, knownAt: last.knownAt }, settings),
    claimed: await lastClaimed(session),
  };
}

async function lastClaimed(session: Session): Promise<ClaimedErrors | undefined> {
  const matches: Decoded<typeof MATCHED>[] = await MATCHED.all(
    session('payout_matches as m').select(MATCHED.columns('m')).orderBy('m.id', 'desc').limit(MATCHES_MAX),
  );
  const runId = matches.find((each) => each.runId !== undefined)?.runId;
  if (runId === undefined) return undefined;
  const errors = matches.flatMap((each) =>
    each.runId === runId && each.claimedError !== undefined ? [each.claimedError] : [],
  );
  return { runId, errors };
}
