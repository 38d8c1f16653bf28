import type { NewBreak } from '../breaks';
import type { BusinessCalendar, BusinessDate, WorkingDays } from '../kernel';
import {
  type FeeRule,
  type Inference,
  judgeInference,
  type MatchOutcome,
  type MatchRequest,
} from '../payout-inference';
import type { Facts } from './facts';
import type { FeeSchedule, LearnedFees } from './fee-schedule-store';
import { findContradictions } from './find-contradictions';
import { findRemainders } from './find-remainders';
import type { FoundReturn } from './find-returns';
import type { NewMatch } from './match';
import { asHistory, asStored, hasAllOf, isStoredSchedule } from './resume-run';
import { type ReviewReason, routeToReview } from './route-to-review';
import { toNewBreaks } from './run-breaks';
import { toMatchRequest } from './to-match-request';
import { type Inferred, toMatches } from './to-matches';
import { type WaitingItem, waitingItems } from './waiting-items';

/** The matches of one round may explain more in the next round. The next run continues after the last one. */
const ROUNDS_MAX = 8;
/** The number of unexplained credits from which other fees can be learned. */
const CREDITS_TO_LEARN_FROM = 3;

export interface PlanDeps {
  readonly calendar: BusinessCalendar;
  readonly workingDays: WorkingDays;
  readonly infer: (request: MatchRequest) => Inference;
  readonly maxError: number;
}

/** The writes of a run, and its outcome. */
export interface RunPlan {
  /** Matches of returned payouts, which the run reverses before it matches anything. */
  readonly releases: readonly FoundReturn[];
  readonly matches: readonly NewMatch[];
  /** The ids of matches that an interrupted run stored. */
  readonly storedIds: ReadonlySet<string>;
  readonly learned: LearnedFees | undefined;
  /** Whether an interrupted run stored the same fees. */
  readonly isLearnedStored: boolean;
  readonly breaks: readonly NewBreak[];
  /** The facts after all writes. */
  readonly after: Facts;
  /** The answer of the inference to those facts, which the next run repeats. */
  readonly outcome: MatchOutcome;
  /** The items that no match holds after all writes, in the order of payouts. */
  readonly waiting: readonly WaitingItem[];
  readonly horizon: BusinessDate;
  /** The fee schedule at the beginning; undefined if the run had to learn it. */
  readonly scheduleGiven: FeeSchedule | undefined;
  /** The first request to the inference. */
  readonly request: MatchRequest;
}

/**
 * Plans a run until another run would change nothing: the answer after the last match is the answer of the next run.
 * Pure except for the ids of new matches.
 *
 * The plan repeats the matches of an interrupted run, so that it ends as that run would have ended. If changed facts
 * prevent that, those matches become history: an interruption never invalidates stored rows.
 */
export function planRun(facts: Facts, deps: PlanDeps): RunPlan {
  const plan = planOnce(facts, deps);
  return hasAllOf(facts.interrupted, plan) ? plan : planOnce(asHistory(facts, deps.workingDays), deps);
}

function planOnce(facts: Facts, deps: PlanDeps): RunPlan {
  const { through, coveredThrough, returns: releases } = facts;
  const horizon = coveredThrough !== undefined && coveredThrough < through ? coveredThrough : through;
  let after = withoutReleased(facts, releases);
  let learned: LearnedFees | undefined;
  const matches: NewMatch[] = [];
  let asked = ask(after, deps);
  const first = asked.request;
  for (let round = 1; round < ROUNDS_MAX; round += 1) {
    const made = asStored(toMatches(asked), facts.interrupted);
    if (made.length === 0) break;
    matches.push(...made);
    learned = learnedFrom(asked.inference, [...after.matches, ...made], made) ?? learned;
    after = withMatches(after, made, learned);
    asked = ask(after, deps);
  }
  const firstBooking = facts.credits.map(({ bookingDate }) => bookingDate).sort()[0];
  const outcome = judgeInference(asked.request, asked.inference, { horizon, firstBooking });
  return {
    releases,
    matches,
    storedIds: new Set(facts.interrupted.matches.map(({ id }) => id)),
    learned,
    isLearnedStored: learned !== undefined && isStoredSchedule(learned, facts.interrupted),
    breaks: [
      ...toNewBreaks(outcome.breaks, outcome.credits),
      ...findContradictions(after, deps.calendar),
      ...findRemainders(after),
    ],
    after,
    outcome,
    waiting: waitingItems(asked.request, asked.inference, outcome),
    horizon,
    scheduleGiven: facts.schedule,
    request: first,
  };
}

/**
 * Uses the known fees. If they leave too many credits unresolved and no person confirmed them, it learns the fees
 * again.
 */
function ask(facts: Facts, deps: PlanDeps): Inferred {
  const { schedule } = facts;
  const known = answer(facts, deps, schedule?.rules);
  if (schedule === undefined || schedule.confirmedBy !== undefined) return known;
  if (unresolved(known) < CREDITS_TO_LEARN_FROM) return known;
  const anew = answer(facts, deps, undefined);
  return unresolved(anew) < unresolved(known) ? anew : known;
}

function answer(
  facts: Facts,
  { calendar, workingDays, maxError, infer }: PlanDeps,
  fees: readonly FeeRule[] | undefined,
): Inferred {
  const request = toMatchRequest(facts, { calendar, workingDays, maxError, fees });
  return {
    request,
    inference: routeToReview(
      infer(request),
      new Map<string, ReviewReason>([
        ...facts.partlyWrittenOff.map((lineId) => [lineId, 'partly_written_off'] as const),
        ...facts.unmatched.map(({ lineId }) => [lineId, 'unmatched_before'] as const),
      ]),
    ),
  };
}

function unresolved({ inference }: Inferred): number {
  return inference.credits.filter(({ outcome }) => outcome !== 'resolved').length;
}

function withoutReleased(facts: Facts, releases: readonly FoundReturn[]): Facts {
  if (releases.length === 0) return facts;
  const released = new Set(releases.map(({ match }) => match.id));
  return {
    ...facts,
    matches: facts.matches.filter(({ id }) => !released.has(id)),
    asserted: facts.asserted.filter(({ id }) => !released.has(id)),
    returns: [],
    unmatched: [
      ...facts.unmatched,
      ...releases.map(({ match, debit }) => ({
        matchId: match.id,
        lineId: match.lineId,
        kind: 'returned' as const,
        debitLineId: debit.lineId,
        recordedAt: 0,
      })),
    ],
  };
}

function withMatches(facts: Facts, made: readonly NewMatch[], learned: LearnedFees | undefined): Facts {
  return {
    ...facts,
    matches: [...facts.matches, ...made.map((match) => ({ ...match, runId: undefined, recordedAt: 0 }))],
    schedule: learned === undefined ? facts.schedule : { ...UNSTORED, ...learned },
  };
}

/** A schedule that this run has learned but not stored. */
const UNSTORED = { id: '', recordedAt: 0, confirmedBy: undefined, confirmedAt: undefined };

/** Returns the learned fees. Enough payouts without fees teach an empty schedule. */
function learnedFrom(
  { fees, feesLearned }: Inference,
  all: readonly unknown[],
  made: readonly NewMatch[],
): LearnedFees | undefined {
  if (!feesLearned || (fees.length === 0 && all.length < CREDITS_TO_LEARN_FROM)) return undefined;
  const days = made.map(({ bookingDate }) => bookingDate).sort();
  return {
    rules: fees,
    lineIds: made.map(({ lineId }) => lineId).sort(),
    firstDate: days[0],
    lastDate: days.at(-1),
  };
}
