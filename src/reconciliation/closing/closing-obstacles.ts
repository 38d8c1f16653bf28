import { addDays, type BusinessCalendar, type BusinessDate, counted, type Instant, MINUTE_MS } from '../../kernel';
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

/** Returns the obstacles to closing an open day, one line each; empty if it can be closed. Pure. */
export function closingObstacles(date: BusinessDate, facts: ClosingFacts, calendar: BusinessCalendar): string[] {
  return [
    ...inTheWrongOrder(date, facts),
    ...tooEarly(facts, calendar),
    ...notReconciled(date, facts),
    ...onHold(facts),
    ...notCovered(date, facts),
  ];
}

function inTheWrongOrder(date: BusinessDate, { chain, closedThrough }: ClosingFacts): string[] {
  const last = closedThrough ?? standingSeals(chain).at(-1)?.date;
  if (last === undefined) return [];
  const next = addDays(last, 1);
  if (date > next) return [`${next} must be closed first`];
  return date < next ? [`the ledger is already closed through ${last}`] : [];
}

function tooEarly({ now, dayEnd }: ClosingFacts, calendar: BusinessCalendar): string[] {
  const from = dayEnd + CLOSE_MARGIN_MS;
  return now < from ? [`the day can be closed from ${calendar.formatLocal(from)}`] : [];
}

function notReconciled(date: BusinessDate, { reconciled }: ClosingFacts): string[] {
  const { isCovered, isUnfinished, unreadDates, furthest } = reconciled;
  const through = furthest !== undefined && furthest > date ? furthest : date;
  const because = (why: string): string[] => [`${why}; run "millime reconcile --through ${through}"`];
  if (!isCovered) return because('no run has reconciled it since it ended');
  if (isUnfinished) return because('a run is unfinished');
  const [first] = unreadDates;
  if (first === undefined) return [];
  const last = unreadDates.at(-1);
  const dates = first === last ? first : `${first} to ${last ?? ''}`;
  return because(`a statement was posted after the last run (${counted(unreadDates.length, 'line')}, ${dates})`);
}

function onHold({ waiting }: ClosingFacts): string[] {
  const named = waiting
    .slice(0, WAITING_NAMED_MAX)
    .map(
      ({ id, account }) =>
        `statement ${id} of account ${account} waits for a decision; ` +
        `run "millime statements accept ${id} --reason ..." or "millime statements exclude ${id} --reason ..."`,
    );
  const more = waiting.length - named.length;
  return more === 0
    ? named
    : [...named, `${counted(more, 'further statement')} waiting; run "millime statements list --waiting"`];
}

function notCovered(date: BusinessDate, { coverage, reason }: ClosingFacts): string[] {
  if (reason !== undefined) return [];
  const advice = 'import one, or state with --reason why the day is closed without it';
  if (coverage.size === 0) return [`no statement covers it; ${advice}`];
  return [...coverage]
    .filter(([, through]) => through < date)
    .map(([account, through]) => `the statements of ${account} end on ${through}; ${advice}`);
}
