import {
  addDays,
  type BusinessCalendar,
  type BusinessDate,
  formatInstant,
  type Instant,
  MINUTE_MS,
} from '../../kernel';
import { type Obstacle, obstacleOf } from './obstacle';
import { type SealHead, standingSeals } from './seal-chain';

/**
 * The wait after the end of a day before it can be closed. A transaction ends within seconds after it read its clock,
 * so by then every transaction of the day has ended. This includes other nodes of a cluster, where the shared lock does
 * not apply.
 */
export const CLOSE_MARGIN_MS = MINUTE_MS;

/** The runs so far, as a closing of the day needs them. */
export interface Reconciled {
  /** Whether a run has covered the day after its end. */
  readonly isCovered: boolean;
  /** Whether a run that is interrupted or still works has stored matches. */
  readonly isUnfinished: boolean;
  /** The booking dates of bank lines through the day that the last run covering it did not read, in order. */
  readonly unreadDates: readonly BusinessDate[];
  /** The latest day of a run. A run through an earlier day changes no breaks. */
  readonly furthest: BusinessDate | undefined;
}

/** A statement whose lines are not posted until a person decides. */
export interface WaitingStatement {
  readonly id: string;
  readonly account: string;
}

const WAITING_NAMED_MAX = 5;

export interface ClosingFacts {
  readonly chain: readonly SealHead[];
  /** The first instant after the day. */
  readonly dayEnd: Instant;
  readonly now: Instant;
  readonly reconciled: Reconciled;
  /** The statements that wait for a person and begin on the day or earlier. */
  readonly waiting: readonly WaitingStatement[];
  /** The last day that statements cover, by account that receives payouts. */
  readonly coverage: ReadonlyMap<string, BusinessDate>;
  /** The reason to close the day although no statement covers it. */
  readonly reason: string | undefined;
  /** The day through which a dry run counts the days as closed. */
  readonly closedThrough?: BusinessDate | undefined;
}

/** Returns the standing closing of a day; undefined if the day is open. */
export function standingSealOf(chain: readonly SealHead[], date: BusinessDate): SealHead | undefined {
  return standingSeals(chain).find((seal) => seal.date === date);
}

/** Returns the obstacles to closing an open day; empty if it can be closed. Pure. */
export function closingObstacles(date: BusinessDate, facts: ClosingFacts, calendar: BusinessCalendar): Obstacle[] {
  return [
    ...inTheWrongOrder(date, facts),
    ...tooEarly(facts, calendar),
    ...notReconciled(date, facts),
    ...onHold(facts),
    ...notCovered(date, facts),
  ];
}

function inTheWrongOrder(date: BusinessDate, { chain, closedThrough }: ClosingFacts): Obstacle[] {
  const last = closedThrough ?? standingSeals(chain).at(-1)?.date;
  if (last === undefined) return [];
  const next = addDays(last, 1);
  if (date > next) return [obstacleOf('earlier_day_open', { date: next })];
  return date < next ? [obstacleOf('closed_through', { through: last })] : [];
}

function tooEarly({ now, dayEnd }: ClosingFacts, calendar: BusinessCalendar): Obstacle[] {
  const from = dayEnd + CLOSE_MARGIN_MS;
  if (now >= from) return [];
  return [obstacleOf('day_not_over', { from: formatInstant(from), localTime: calendar.formatLocal(from) })];
}

function notReconciled(date: BusinessDate, { reconciled }: ClosingFacts): Obstacle[] {
  const { isCovered, isUnfinished, unreadDates, furthest } = reconciled;
  const through = furthest !== undefined && furthest > date ? furthest : date;
  if (!isCovered) return [obstacleOf('not_reconciled', { through })];
  if (isUnfinished) return [obstacleOf('run_unfinished', { through })];
  const [firstDate] = unreadDates;
  if (firstDate === undefined) return [];
  const lastDate = unreadDates.at(-1) ?? firstDate;
  return [obstacleOf('lines_unread', { lines: unreadDates.length, firstDate, lastDate, through })];
}

function onHold({ waiting }: ClosingFacts): Obstacle[] {
  const named = waiting
    .slice(0, WAITING_NAMED_MAX)
    .map(({ id, account }) => obstacleOf('statement_waiting', { statementId: id, account }));
  const more = waiting.length - named.length;
  return more === 0 ? named : [...named, obstacleOf('more_statements_waiting', { statements: more })];
}

function notCovered(date: BusinessDate, { coverage, reason }: ClosingFacts): Obstacle[] {
  if (reason !== undefined) return [];
  if (coverage.size === 0) return [obstacleOf('no_statement', {})];
  return [...coverage]
    .filter(([, through]) => through < date)
    .map(([account, through]) => obstacleOf('statements_end', { account, through }));
}
