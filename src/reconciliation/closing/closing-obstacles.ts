import { addDays, type BusinessCalendar, type BusinessDate, type Instant, MINUTE_MS } from '../../kernel';
import { type SealHead, standingSeals } from './seal-chain';

/**
 * The wait after the end of a day before it can be closed. A transaction ends within seconds after it read its clock,
 * so by then every transaction of the day has ended. This includes other nodes of a cluster, where the shared lock does
 * not apply.
 */
export const CLOSE_MARGIN_MS = MINUTE_MS;

export interface ClosingFacts {
  readonly chain: readonly SealHead[];
  /** The first instant after the day. */
  readonly dayEnd: Instant;
  readonly now: Instant;
  /** Whether a run has covered the day after its end. */
  readonly isReconciled: boolean;
  /** The last day that statements cover, by account that receives payouts. */
  readonly coverage: ReadonlyMap<string, BusinessDate>;
  /** The reason to close the day although no statement covers it. */
  readonly reason: string | undefined;
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
    ...notCovered(date, facts),
  ];
}

function inTheWrongOrder(date: BusinessDate, { chain }: ClosingFacts): string[] {
  const last = standingSeals(chain).at(-1)?.date;
  if (last === undefined) return [];
  const next = addDays(last, 1);
  if (date > next) return [`${next} must be closed first`];
  return date < next ? [`the ledger is already closed through ${last}`] : [];
}

function tooEarly({ now, dayEnd }: ClosingFacts, calendar: BusinessCalendar): string[] {
  const from = dayEnd + CLOSE_MARGIN_MS;
  return now < from ? [`the day can be closed from ${calendar.formatLocal(from)}`] : [];
}

function notReconciled(date: BusinessDate, { isReconciled }: ClosingFacts): string[] {
  return isReconciled ? [] : [`no run has reconciled it since it ended; run "millime reconcile --through ${date}"`];
}

function notCovered(date: BusinessDate, { coverage, reason }: ClosingFacts): string[] {
  if (reason !== undefined) return [];
  const advice = 'import one, or state with --reason why the day is closed without it';
  if (coverage.size === 0) return [`no statement covers it; ${advice}`];
  return [...coverage]
    .filter(([, through]) => through < date)
    .map(([account, through]) => `the statements of ${account} end on ${through}; ${advice}`);
}
