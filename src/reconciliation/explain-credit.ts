import type { Session } from '../db';
import { addDays, AppError, type BusinessDate, type Millimes, sha256Hex } from '../kernel';
import type { Candidate, CreditOutcome, InferredCredit } from '../payout-inference';
import type { PayoutCandidate } from '../statements';
import { type Facts, readFacts } from './facts';
import { linesOf, type PayoutMatch } from './match';
import { planRun, type RunPlan } from './plan-run';
import { planDeps } from './reconcile';
import type { ReconcileDeps } from './reconcile-deps';
import { requireCredit } from './require-credit';

/** Enough to tell the candidates of one credit apart. */
const ID_LENGTH = 8;
const NO_ITEMS = { count: 0, itemIds: [] } as const;

/** Reading a long history may take longer than a payment may take. */
const EXPLAIN_DEADLINE_MS = 120_000;

/**
 * Why a credit is not matched.
 * - `next_run_matches`: the next run matches it.
 * - `unmatched_before`, `partly_written_off`: only people match it.
 * - `search_cut_short`: the search hit a bound.
 * - `above_limit`: one explanation, whose claimed error is above the limit of runs.
 * - `competing`, `unknown_amount`, `fee_unknown`, `split`, `none`: as the inference states it.
 * - `returned`: the bank took it back.
 */
export const CREDIT_REASONS = [
  'next_run_matches',
  'unmatched_before',
  'partly_written_off',
  'search_cut_short',
  'above_limit',
  'competing',
  'unknown_amount',
  'fee_unknown',
  'merged',
  'split',
  'returned',
  'none',
] as const;
export type CreditReason = (typeof CREDIT_REASONS)[number];

/** One of the best explanations of a credit. Its id names its items, whatever its rank is. */
export interface CreditCandidate extends Omit<Candidate, 'cut' | 'kind' | 'stream'> {
  readonly id: string;
  /** The probability that it is wrong, as the inference states it; 1 if it states none. */
  readonly claimedError: number;
  /** `match` if it is not an explanation of several: the next run matches it. */
  readonly kind: Candidate['kind'] | 'match';
  readonly cut: PayoutMatch['cut'];
  readonly stream: string | undefined;
}

/** What a run would say about a credit now. */
export interface CreditAnswer {
  readonly outcome: CreditOutcome;
  readonly reason: CreditReason;
  readonly claimedError: number;
  /** Runs match a credit up to this claimed error. */
  readonly errorMax: number;
  /** The likeliest first. */
  readonly candidates: readonly CreditCandidate[];
  /** Items that all explanations share. */
  readonly commonCore: readonly string[];
  /** The credit less the run of the nearest cut; undefined if no cut is near. */
  readonly nearest: { readonly cut: PayoutMatch['cut']; readonly difference: Millimes } | undefined;
}

/**
 * A credit of the bank, and its match or what a run would propose.
 * - `matched`: a match holds it. `returned`: it is a line of a returned payout that was paid again.
 * - `written_off`: two people wrote it off. `break`: an open break is about it. `waiting`: none is.
 */
export interface ExplainedCredit {
  readonly line: PayoutCandidate;
  /** The last day of the computation. */
  readonly through: BusinessDate;
  readonly state: 'matched' | 'returned' | 'written_off' | 'break' | 'waiting';
  readonly match: PayoutMatch | undefined;
  readonly breakId: string | undefined;
  readonly breakClass: string | undefined;
  /** Undefined for a credit that is matched or written off. */
  readonly answer: CreditAnswer | undefined;
}

/**
 * Computes what a run would say about a credit, through yesterday or the credit's own day if that is later. It is the
 * computation of a dry run, because the other credits decide about this one. Stores nothing.
 *
 * @throws AppError `not_found` for a line that is not an effective credit that may be a payout.
 */
export async function explainCredit(deps: ReconcileDeps, lineId: string): Promise<ExplainedCredit> {
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
  return { ...about, state, answer: answerOf(line, planRun(facts, planDeps(deps)), deps, facts) };
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
  const fix = `run "millime reconcile show ${lineId}"`;
  throw new AppError('not_found', { thing: 'candidate', id: candidateId, fix });
}

async function factsAbout(
  session: Session,
  { calendar, workingDays, clock }: ReconcileDeps,
  lineId: string,
): Promise<Omit<ExplainedCredit, 'state' | 'answer'> & { readonly facts: Facts; readonly isWrittenOff: boolean }> {
  const today = calendar.dateOf(clock.now());
  const line = await requireCredit(session, lineId, today);
  const yesterday = addDays(today, -1);
  const through = line.bookingDate > yesterday ? line.bookingDate : yesterday;
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

function answerOf(line: PayoutCandidate, plan: RunPlan, deps: ReconcileDeps, facts: Facts): CreditAnswer | undefined {
  const { maxError: errorMax } = planDeps(deps);
  const made = plan.matches.find((match) => linesOf(match).includes(line.lineId));
  if (made !== undefined) {
    const { parts, gross, fee, tva, remainder: difference, claimedError = 0, cut, stream } = made;
    const itemIds = parts.map(({ itemId }) => itemId);
    const candidate: CreditCandidate = {
      id: idOf(itemIds),
      kind: 'match',
      probability: 1 - claimedError,
      claimedError,
      ...{ itemIds, gross, fee, tva, difference, cut, stream },
      itemCount: itemIds.length,
      adds: NO_ITEMS,
      lacks: NO_ITEMS,
      against: [],
    };
    const common = { commonCore: itemIds, nearest: undefined };
    return {
      outcome: 'resolved',
      reason: 'next_run_matches',
      claimedError,
      errorMax,
      candidates: [candidate],
      ...common,
    };
  }
  const inferred = plan.outcome.credits.find(({ lineId }) => lineId === line.lineId);
  if (inferred === undefined) return undefined;
  const { outcome, claimedError, commonCore, cut, remainder } = inferred;
  const isNear = cut !== undefined && remainder !== 0 && remainder !== line.amount;
  return {
    outcome,
    reason: reasonOf(inferred, facts),
    claimedError,
    errorMax,
    candidates: (inferred.candidates ?? []).map((each, rank) => ({
      ...each,
      id: idOf(each.itemIds),
      claimedError: rank === 0 && each.probability !== undefined ? claimedError : 1 - (each.probability ?? 0),
    })),
    commonCore,
    nearest: isNear ? { cut, difference: remainder } : undefined,
  };
}

function reasonOf({ lineId, outcome, cause, proposal }: InferredCredit, facts: Facts): CreditReason {
  if (facts.unmatched.some((each) => each.lineId === lineId)) return 'unmatched_before';
  if (facts.partlyWrittenOff.includes(lineId)) return 'partly_written_off';
  if (outcome === 'resolved') return 'returned';
  if (outcome === 'search_cut_short') return 'search_cut_short';
  return proposal.length > 0 ? 'above_limit' : cause;
}

function idOf(itemIds: readonly string[]): string {
  return sha256Hex(itemIds.join('\n')).slice(0, ID_LENGTH);
}
