import type { Database, Session } from '../../db';
import {
  addDays,
  addToGroup,
  type BusinessCalendar,
  type BusinessDate,
  compareBytes,
  type Instant,
  isAppError,
  MINUTE_MS,
} from '../../kernel';
import { bankCoverage } from '../bank-coverage-read-model';
import { clearingBalances } from '../clearing-movements-read-model';
import {
  type CutOff,
  type DayFigure,
  figuresBetween,
  lastCutOff,
  type NewFigures,
  storeFigures,
} from './day-figures-store';
import {
  agentsAt,
  changedSince,
  creditsByDay,
  expectedAfter,
  firstInstant,
  lastStatementId,
  movementsOfDay,
  waitingAt,
} from './day-sources-read-model';

/** The days that the first refresh derives. */
const DAYS_DERIVED = 92;
const DAYS_KEPT = 400;
/** Longer than a transaction takes from reading its clock to its end. */
const MARGIN_MS = 10 * MINUTE_MS;
const READ_DEADLINE_MS = 120_000;

/** A run that ended. */
export interface EndedRun {
  readonly runId: string;
  /** The last day of the run. */
  readonly through: BusinessDate;
}

export interface RefreshDeps {
  readonly database: Database;
  readonly calendar: BusinessCalendar;
}

/** Derives the figures of the last cut-off again after a decision of people; does nothing before the first run. */
export async function refreshLastFigures(deps: RefreshDeps, knownAt: Instant): Promise<void> {
  const last = await deps.database.read((session) => lastCutOff(session));
  if (last !== undefined) await refreshDayFigures(deps, { runId: last.runId, through: last.date }, knownAt);
}

/**
 * Derives the figures by day again after a run: the days that transactions changed since the last refresh, and those that
 * are missing. It writes nothing if another refresh ends meanwhile, because the next one repeats its work.
 */
export async function refreshDayFigures(
  { database, calendar }: RefreshDeps,
  { runId, through }: EndedRun,
  knownAt: Instant,
): Promise<void> {
  const yesterday = addDays(calendar.dateOf(knownAt), -1);
  const date = through < yesterday ? through : yesterday;
  const read = (session: Session) => newFigures(session, calendar, { runId, date, knownAt });
  const { before, found } = await database.read(read, { snapshot: true, deadlineMs: READ_DEADLINE_MS });
  // A run through an earlier day than the last cut-off says nothing new about that day.
  if (before !== undefined && before.date > date) return;
  try {
    await database.transact((session) => storeFigures(session, before, found));
  } catch (error) {
    if (!isAppError(error, 'duplicate_key')) throw error;
  }
}

interface CutOffWanted {
  readonly runId: string;
  readonly date: BusinessDate;
  readonly knownAt: Instant;
}

async function newFigures(
  session: Session,
  calendar: BusinessCalendar,
  { runId, date, knownAt }: CutOffWanted,
): Promise<{ before: CutOff | undefined; found: NewFigures }> {
  const end = calendar.startOf(addDays(date, 1));
  const before = await lastCutOff(session);
  const keptFrom = addDays(date, -DAYS_KEPT);
  const creditsFrom = addDays(date, 1 - DAYS_DERIVED);
  const figures = await changedFigures(session, calendar, { date, keptFrom, since: before?.knownAt });
  const cutOff: CutOff = {
    ...{ date, runId, knownAt },
    ...(await agentsAt(session, end)),
    ...(await waitingAt(session, end)),
    bankThrough: await bankCoverage(session, date),
    lastStatementId: await lastStatementId(session),
  };
  const credits = await creditsByDay(session, creditsFrom, date);
  const expectations = await expectedAfter(session, date, end);
  return { before, found: { cutOff, figures, creditsFrom, credits, expectations, keptFrom } };
}

interface DaysWanted {
  readonly date: BusinessDate;
  readonly keptFrom: BusinessDate;
  readonly since: Instant | undefined;
}

/** Returns all figures of the days on which one is missing or changed, and of later days whose balances change with it. */
async function changedFigures(
  session: Session,
  calendar: BusinessCalendar,
  { date, keptFrom, since }: DaysWanted,
): Promise<DayFigure[]> {
  const first = await firstInstant(session);
  if (first === undefined) return [];
  const stored = byDate(await figuresBetween(session, keptFrom, date));
  const [firstStored] = stored.keys();
  const from = firstStored ?? laterOf(calendar.dateOf(first), addDays(date, 1 - DAYS_DERIVED));
  const changed = since === undefined ? [] : await changedSince(session, since - MARGIN_MS);
  const derived = new Set([...changed].map((at) => calendar.dateOf(at)));
  const isDirty = (day: BusinessDate): boolean => !stored.has(day) || derived.has(day);
  let day = from;
  let balances: Map<string, bigint>;
  if (firstStored === undefined || [...derived].some((each) => each < firstStored)) {
    balances = await clearingBalances(session, calendar.startOf(from));
  } else {
    while (day <= date && !isDirty(day)) day = addDays(day, 1);
    balances = openingOf(day, stored);
  }
  const figures: DayFigure[] = [];
  for (; day <= date; day = addDays(day, 1)) {
    const known = stored.get(day);
    const window = { start: calendar.startOf(day), end: calendar.startOf(addDays(day, 1)) };
    const moved = known === undefined || isDirty(day) ? await movementsOfDay(session, day, window) : known;
    const ofDay = closingsOf(day, moved, balances);
    balances = new Map(ofDay.map(({ channel, closing }) => [channel, closing]));
    if (textOf(ofDay) !== textOf(known ?? [])) figures.push(...ofDay);
  }
  return figures;
}

/** Returns the balances at the beginning of a stored day, or of the day after the last one. */
function openingOf(day: BusinessDate, stored: ReadonlyMap<BusinessDate, readonly DayFigure[]>): Map<string, bigint> {
  const before = stored.get(addDays(day, -1));
  if (before !== undefined) return new Map(before.map(({ channel, closing }) => [channel, closing]));
  return new Map((stored.get(day) ?? []).map((each) => [each.channel, each.closing - sumOf(each)]));
}

function closingsOf(
  date: BusinessDate,
  moved: readonly Omit<DayFigure, 'closing'>[],
  balances: ReadonlyMap<string, bigint>,
): DayFigure[] {
  const movements = new Map(moved.map((each) => [each.channel, each]));
  return [...new Set([...balances.keys(), ...movements.keys()])].sort(compareBytes).map((channel) => {
    const movement = movements.get(channel) ?? noMovement(date, channel);
    return { ...movement, closing: (balances.get(channel) ?? 0n) + sumOf(movement) };
  });
}

function sumOf({ succeeded, refunded, charged, settled, other }: Omit<DayFigure, 'closing'>): bigint {
  return succeeded + refunded + charged + settled + other;
}

function noMovement(date: BusinessDate, channel: string): Omit<DayFigure, 'closing'> {
  return { date, channel, payments: 0, succeeded: 0n, refunded: 0n, charged: 0n, settled: 0n, other: 0n };
}

function byDate(figures: readonly DayFigure[]): Map<BusinessDate, DayFigure[]> {
  const days = new Map<BusinessDate, DayFigure[]>();
  for (const figure of figures) addToGroup(days, figure.date, figure);
  return days;
}

function textOf(figures: readonly DayFigure[]): string {
  return figures
    .map(({ channel, payments, succeeded, refunded, charged, settled, other, closing }) =>
      [channel, payments, succeeded, refunded, charged, settled, other, closing].join(' '),
    )
    .join('\n');
}

function laterOf(a: BusinessDate, b: BusinessDate): BusinessDate {
  return a > b ? a : b;
}
