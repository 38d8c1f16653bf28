import { type BreakClass, linesWrittenOff, openBreakStore } from '../breaks';
import type { Session } from '../db';
import { addDays, AppError, type BusinessDate } from '../kernel';
import type { PayoutCandidate } from '../statements';
import { answerOf } from './answer-credits';
import type { CreditAnswer } from './credit-answer';
import { type Facts, readFacts } from './facts';
import { linesOf, type PayoutMatch, type Reversed, type WrittenBy } from './match';
import { openMatchStore } from './match-store';
import { planRun } from './plan-run';
import { planDeps } from './reconcile';
import type { ReconcileDeps } from './reconcile-deps';
import { requireCredit } from './require-credit';
import { openRunStore } from './run-store';

/** Reading a long history may take longer than a payment may take. */
const EXPLAIN_DEADLINE_MS = 120_000;

/**
 * - `matched`: a match holds it. `returned`: it is a line of a returned payout that was paid again.
 * - `written_off`: two people wrote it off. `break`: an open break is about it. `waiting`: none is.
 */
export const CREDIT_STATES = ['matched', 'returned', 'written_off', 'break', 'waiting'] as const;

/** A credit of the bank, and its match or what a run would propose. */
export interface ExplainedCredit {
  readonly line: PayoutCandidate;
  /** The last day of the computation. */
  readonly through: BusinessDate;
  readonly state: (typeof CREDIT_STATES)[number];
  readonly match: PayoutMatch | undefined;
  readonly breakId: string | undefined;
  readonly breakClass: BreakClass | undefined;
  /** Undefined for a credit that is matched or written off. */
  readonly answer: CreditAnswer | undefined;
  /** The run that stored the answer; undefined if it was computed now. */
  readonly runId?: string | undefined;
}

/**
 * - `now`: computes the answer.
 * - `last_run`: takes the answer that the last run stored, if nothing contradicts it, and computes it otherwise.
 * - `stored`: takes that answer or none, so that it reads a bounded number of rows.
 */
export interface ExplainOptions {
  readonly answer: 'now' | 'last_run' | 'stored';
}

/**
 * Computes what a run would say about a credit, through yesterday or the credit's own day if that is later. It is the
 * computation of a dry run, because the other credits decide about this one. Stores nothing.
 *
 * @throws AppError `not_found` for a line that is not an effective credit that may be a payout.
 */
export async function explainCredit(
  deps: ReconcileDeps,
  lineId: string,
  options: ExplainOptions = { answer: 'now' },
): Promise<ExplainedCredit> {
  if (options.answer !== 'now') {
    const stored = await deps.database.read((session) => storedExplanation(session, deps, lineId), { snapshot: true });
    const { isCurrent, ...explained } = stored;
    if (isCurrent || options.answer === 'stored') return explained;
  }
  const { facts, isWrittenOff, ...about } = await deps.database.read((session) => factsAbout(session, deps, lineId), {
    snapshot: true,
    deadlineMs: EXPLAIN_DEADLINE_MS,
  });
  const { line, match, breakId } = about;
  if (match !== undefined) {
    return { ...about, state: match.lineId === lineId ? 'matched' : 'returned', answer: undefined };
  }
  if (isWrittenOff) return { ...about, state: 'written_off', answer: undefined };
  const state = breakId === undefined ? 'waiting' : 'break';
  const settings = planDeps(deps);
  return { ...about, state, answer: answerOf(line, planRun(facts, settings), facts, settings.maxError) };
}

/**
 * Returns the items of a candidate of a credit. A candidate is named by its items, so the same id never returns others.
 *
 * @throws AppError `not_found` if no explanation of the credit has these items now.
 */
export async function candidateItems(
  deps: ReconcileDeps,
  lineId: string,
  candidateId: string,
): Promise<readonly string[]> {
  const { answer } = await explainCredit(deps, lineId);
  const candidate = answer?.candidates.find(({ id }) => id === candidateId);
  if (candidate !== undefined) return candidate.itemIds;
  const command = `run "millime reconcile show ${lineId}"`;
  throw new AppError('not_found', { thing: 'candidate', id: candidateId, command });
}

/** Who made the match that holds a credit, and the earlier matches that were reversed. */
export interface CreditHistory {
  readonly writtenBy: WrittenBy | undefined;
  /** The latest first. */
  readonly reversed: readonly Reversed[];
}

/** Returns who matched a credit, and what was reversed. It reads the rows of this credit only. */
export function creditHistory({ database }: ReconcileDeps, lineId: string): Promise<CreditHistory> {
  return database.read(
    async (session) => {
      const matches = openMatchStore(session);
      const match = await matches.ofLine(lineId);
      return {
        writtenBy: match === undefined ? undefined : await matches.writtenBy(match.id),
        reversed: await matches.reversedOf(lineId),
      };
    },
    { snapshot: true },
  );
}

/**
 * Returns the match that holds a credit, or the explanation that the last run stored, if the credit and the items of its
 * candidates are still open. It is current if no computation would add to it: the run covers the day, or a match decides.
 */
async function storedExplanation(
  session: Session,
  deps: ReconcileDeps,
  lineId: string,
): Promise<ExplainedCredit & { readonly isCurrent: boolean }> {
  const { line, through } = await creditAndDay(session, deps, lineId);
  const match = await openMatchStore(session).ofLine(lineId);
  const about = { line, match, ...(await openBreakOf(session, lineId)) };
  if (match !== undefined) {
    const state = match.lineId === lineId ? 'matched' : 'returned';
    return { ...about, through, state, answer: undefined, isCurrent: true };
  }
  const written = (await linesWrittenOff(session, [lineId])).get(lineId);
  if (written?.extent === 'all') {
    return { ...about, through, state: 'written_off', answer: undefined, isCurrent: false };
  }
  const state = about.breakId === undefined ? 'waiting' : 'break';
  const run = await openRunStore(session).lastAnswers();
  const answer = run?.answers.find((each) => each.lineId === lineId)?.answer;
  const isOpen = answer !== undefined && written === undefined && (await areOpen(session, lineId, answer));
  if (run === undefined || !isOpen) return { ...about, through, state, answer: undefined, isCurrent: false };
  return { ...about, through: run.through, state, answer, runId: run.id, isCurrent: run.through >= through };
}

/** Returns whether no match claims a credit or an item of its candidates. */
async function areOpen(session: Session, lineId: string, { candidates }: CreditAnswer): Promise<boolean> {
  const matches = openMatchStore(session);
  const itemIds = new Set(candidates.flatMap((candidate) => candidate.itemIds));
  return (await matches.claimedLines([lineId])).size === 0 && (await matches.claimed([...itemIds])).size === 0;
}

async function openBreakOf(session: Session, lineId: string): Promise<Pick<ExplainedCredit, 'breakId' | 'breakClass'>> {
  const about = await openBreakStore(session).list({ lineId });
  const found = about.find(({ subject }) => subject.lineIds.includes(lineId));
  return { breakId: found?.id, breakClass: found?.breakClass };
}

/** Returns a credit, and the last day of a run that explains it now: yesterday or its own day if that is later. */
async function creditAndDay(
  session: Session,
  { calendar, clock }: ReconcileDeps,
  lineId: string,
): Promise<{ readonly line: PayoutCandidate; readonly through: BusinessDate }> {
  const today = calendar.dateOf(clock.now());
  const line = await requireCredit(session, lineId, today);
  const yesterday = addDays(today, -1);
  return { line, through: line.bookingDate > yesterday ? line.bookingDate : yesterday };
}

async function factsAbout(
  session: Session,
  deps: ReconcileDeps,
  lineId: string,
): Promise<Omit<ExplainedCredit, 'state' | 'answer'> & { readonly facts: Facts; readonly isWrittenOff: boolean }> {
  const { calendar, workingDays } = deps;
  const { line, through } = await creditAndDay(session, deps, lineId);
  const facts = await readFacts(session, { through, calendar, workingDays });
  const openBreak = facts.openBreaks.find(({ subject }) => subject.lineIds.includes(lineId));
  return {
    line,
    through,
    facts,
    match: facts.matches.find((each) => linesOf(each).includes(lineId)),
    isWrittenOff: !facts.credits.some((each) => each.lineId === lineId),
    breakId: openBreak?.id,
    breakClass: openBreak?.breakClass,
  };
}
