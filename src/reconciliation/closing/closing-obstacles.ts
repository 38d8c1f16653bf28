import { addDays, formatInstant, type BusinessDate, type Instant } from '../../kernel';
import { standingSeals, type SealHead } from './seal-chain';

/**
 * How long after its end a day is closed at the earliest. A transaction ends seconds after its clock was read, so what
 * was begun in the day is there by then, also where a shared lock does not reach: on another node of a cluster.
 */
export const CLOSE_MARGIN_MS = 60_000;

export interface ClosingFacts {
  readonly chain: readonly SealHead[];
  /** The first instant after the day. */
  readonly dayEnd: Instant;
  readonly now: Instant;
  /** Whether a run has covered the day after its end. */
  readonly isReconciled: boolean;
  /** The last day that the statements cover of each account into which we are paid, by account. */
  readonly coverage: ReadonlyMap<string, BusinessDate>;
  /** Why the day is closed though no statement covers it. */
  readonly reason: string | undefined;
}

/** The closing that stands for a day. */
export function standingSealOf(chain: readonly SealHead[], date: BusinessDate): SealHead | undefined {
  return standingSeals(chain).find((seal) => seal.date === date);
}

/** What is in the way of closing a day that is not closed, one line each; empty when nothing is. Pure. */
export function closingObstacles(date: BusinessDate, facts: ClosingFacts): string[] {
  return [
    ...inTheWrongOrder(date, facts),
    ...tooEarly(facts),
    ...notReconciled(date, facts),
    ...notCovered(date, facts),
  ];
}

function inTheWrongOrder(date: BusinessDate, { chain }: ClosingFacts): string[] {
  const last = standingSeals(chain).at(-1)?.date;
  if (last === undefined) return [];
  const next = addDays(last, 1);
  if (date > next) return [`${next} must be closed first`];
  return date < next ? [`the books before ${next} are closed already`] : [];
}

function tooEarly({ now, dayEnd }: ClosingFacts): string[] {
  const from = dayEnd + CLOSE_MARGIN_MS;
  return now < from ? [`the day may be closed from ${formatInstant(from)} on`] : [];
}

function notReconciled(date: BusinessDate, { isReconciled }: ClosingFacts): string[] {
  return isReconciled ? [] : [`no run has reconciled it since it ended: millime reconcile --through ${date}`];
}

function notCovered(date: BusinessDate, { coverage, reason }: ClosingFacts): string[] {
  if (reason !== undefined) return [];
  const advice = 'import one, or say with --reason why it is closed without';
  if (coverage.size === 0) return [`no statement covers it: ${advice}`];
  return [...coverage]
    .filter(([, through]) => through < date)
    .map(([account, through]) => `the statements of ${account} end on ${through}: ${advice}`);
}
