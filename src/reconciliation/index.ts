import type { ReasonedDecision } from '../identity';
import { AppError, type Page } from '../kernel';
import type { PayoutCandidate } from '../statements';
import { chooseItems, chosenItemIds, type ItemChoice } from './choose-items';
import { confirmFees, giveFees, type GiveFeesCommand } from './decide-fees';
import { type DueItem, readDue } from './due-items';
import {
  candidateItems,
  type CreditHistory,
  creditHistory,
  explainCredit,
  type ExplainedCredit,
  type ExplainOptions,
} from './explain-credit';
import { type FeeSchedule, type FeeScheduleKey, type FeeScheduleQuery, openFeeSchedules } from './fee-schedule-store';
import { forceMatch, type MatchCommand, type MatchOutcomeOfPerson, type TriedMatch, tryMatch } from './force-match';
import { type MarkedPayouts, markPayouts, type MarkPayoutsCommand } from './mark-payouts';
import { reconcile, type ReconcileOptions, type ReconcileOutcome } from './reconcile';
import type { ReconcileDeps } from './reconcile-deps';
import { type ReplayResult, replayRun } from './replay';
import { requireCredit } from './require-credit';
import type { ReconciliationResult } from './result';
import { type ListedRun, openRunStore, type RunKey, type RunQuery, type ShownRun } from './run-store';
import { unmatch, type UnmatchCommand, type UnmatchOutcome } from './unmatch';
import { readUnpaid, UNPAID_DEADLINE_MS } from './unpaid-items';
import { type UnpaidList, unpaidList, type UnpaidListQuery } from './unpaid-list';
import { readWaiting, type WaitingPage, type WaitingQuery } from './waiting-list';

export { createDayClosing, type DayClosing, type DayStatus, type ListedSeal } from './closing/day-closing';
export type { CloseOutcome } from './closing/close-day';
export { BALANCE_LINE_LABELS, type ProofJson } from './closing/day-proof';
export { OBSTACLE_CODES, type Obstacle } from './closing/obstacle';
export type { SealKey } from './closing/seal-store';
export type { ReopeningOutcome } from './closing/reopen-day';
export { SEAL_FAULTS, type SealFault } from './closing/verify-seals';
export { knownThrough } from './covered-through';
export { toFeeRuleJson } from './fee-rules-json';
export type { ItemBound, ItemChoice, ItemSelection } from './choose-items';
export { CREDIT_REASONS, type CreditAnswer, type CreditCandidate } from './credit-answer';
export type { DueItem } from './due-items';
export { CREDIT_STATES, type CreditHistory, type ExplainedCredit } from './explain-credit';
export type { FeeSchedule, FeeScheduleKey, FeeScheduleQuery } from './fee-schedule-store';
export { forceMatchHandler, type TriedMatch } from './force-match';
export { linesInUse } from './lines-in-use';
export type { MarkedPayouts } from './mark-payouts';
export { MATCH_KINDS, UNMATCH_KINDS } from './match';
export type { ReconcileOutcome } from './reconcile';
export { restOfMatch } from './rest-of-match';
export type { ReplayResult } from './replay';
export { type ReconciliationResult, VERDICTS } from './result';
export type { ListedRun, RunKey, RunQuery, ShownRun } from './run-store';
export type { RunDifference } from './run-difference';
export type { UnpaidList } from './unpaid-list';
export { WAITING_STATES, type WaitingKey, type WaitingPage } from './waiting-list';
export { unmatchByTwo } from './unmatch';

/** Matches the bank's credits to the gateway's items, by runs and by decisions of persons. */
export interface Reconciliation {
  run(options: ReconcileOptions): Promise<ReconciliationResult>;
  /** Runs a reconciliation, and also returns the difference from the stored state. */
  runAndCompare(options: ReconcileOptions): Promise<ReconcileOutcome>;
  /**
   * Returns a page of the recorded runs, newest first. A run with the same result as the one before is not recorded.
   */
  runs(query: RunQuery): Promise<Page<ListedRun, RunKey>>;
  /** Returns a recorded run with its summary. @throws AppError `not_found`. */
  findRun(id: string): Promise<ShownRun>;
  /** Repeats a past run on its inputs. @throws AppError `not_found`. */
  replay(runId: string): Promise<ReplayResult>;
  /** Reverses the match of a credit. @throws AppError `forbidden`, `bad_input`, `not_found`. */
  unmatch(command: UnmatchCommand): Promise<UnmatchOutcome>;
  /** Matches a credit to the items that a person names. @throws AppError `forbidden`, `bad_input`, `not_found`, `conflict`. */
  match(command: MatchCommand): Promise<MatchOutcomeOfPerson>;
  /**
   * Returns the sums of chosen items beside a credit, as a match of them would check it. Stores nothing.
   * @throws AppError `bad_input`, `not_found`, `ambiguous_id`, or `conflict` if the line or an item is matched.
   */
  tryMatch(lineId: string, choice: ItemChoice): Promise<TriedMatch>;
  /**
   * Marks stored credits as payouts, or as none, for later runs.
   * @throws AppError `forbidden`, `bad_input`, `not_found`, or `conflict` for a matched credit.
   */
  markPayouts(command: MarkPayoutsCommand): Promise<MarkedPayouts>;
  /**
   * Returns a credit with its match, or with what a run would propose for it now (default) or the last run answered.
   *
   * @throws AppError `not_found`.
   */
  explain(lineId: string, options?: ExplainOptions): Promise<ExplainedCredit>;
  /** Returns who matched a credit, and its reversed matches. */
  creditHistory(lineId: string): Promise<CreditHistory>;
  /** Returns an effective credit that may be a payout. @throws AppError `not_found`. */
  credit(lineId: string): Promise<PayoutCandidate>;
  /**
   * Returns a page of the unpaid items of a selection with running sums, in the order of payouts. It reads all of them.
   *
   * @throws AppError `not_found`, `ambiguous_id`, `bad_input`.
   */
  unpaidList(query: UnpaidListQuery): Promise<UnpaidList>;
  /** Returns a page of the unpaid items as the last run found them, with running sums, in the order of payouts. */
  waiting(query: WaitingQuery): Promise<WaitingPage>;
  /** Returns those of the items that no credit paid, with the days by which the bank should book them. */
  dueItems(itemIds: readonly string[]): Promise<readonly DueItem[]>;
  /** Returns the ids of chosen items, for a proposal. @throws AppError `not_found`, `ambiguous_id`. */
  chosenItems(choice: ItemChoice): Promise<readonly string[]>;
  /** Returns the items of a candidate of a credit, by the candidate's id. @throws AppError `not_found`. */
  candidateItems(lineId: string, candidateId: string): Promise<readonly string[]>;
  /** Returns a page of the learned and the given fee schedules, newest first. */
  feeSchedules(query: FeeScheduleQuery): Promise<Page<FeeSchedule, FeeScheduleKey>>;
  /** Confirms the learned fees. @throws AppError `forbidden`, `bad_input`, `not_found`, `conflict`. */
  confirmFees(command: ReasonedDecision): Promise<FeeSchedule>;
  /** Stores the gateway's fees from now on. @throws AppError `forbidden`, `bad_input`, `conflict`. */
  giveFees(command: GiveFeesCommand): Promise<FeeSchedule>;
}

export function createReconciliation(deps: ReconcileDeps): Reconciliation {
  const { database, clock } = deps;
  async function decided<Outcome extends { readonly dryRun: boolean }>(work: Promise<Outcome>): Promise<Outcome> {
    const outcome = await work;
    if (!outcome.dryRun) await deps.afterDecision?.();
    return outcome;
  }
  const unpaidRead = { snapshot: true, deadlineMs: UNPAID_DEADLINE_MS };
  return {
    run: async (options) => (await reconcile(deps, options)).result,
    runAndCompare: (options) => reconcile(deps, options),
    runs: (query) => database.read((session) => openRunStore(session).list(query)),
    async findRun(id) {
      const run = await database.read((session) => openRunStore(session).show(id));
      if (run === undefined) throw new AppError('not_found', { thing: 'run', id });
      return run;
    },
    replay: (runId) => replayRun(deps, runId),
    unmatch: (command) => decided(unmatch(deps, command)),
    match: (command) => decided(forceMatch(deps, command)),
    tryMatch: (lineId, choice) => tryMatch(deps, lineId, choice),
    markPayouts: (command) => markPayouts(deps, command),
    creditHistory: (lineId) => creditHistory(deps, lineId),
    explain: (lineId, options) => explainCredit(deps, lineId, options),
    credit: (lineId) => database.read((session) => requireCredit(session, lineId, deps.calendar.dateOf(clock.now()))),
    unpaidList: ({ selection, creditId, after, limit }) =>
      database.read(async (session) => {
        const now = clock.now();
        const chosen = chooseItems(await readUnpaid(session, deps, now), selection);
        const credit =
          creditId === undefined ? undefined : await requireCredit(session, creditId, deps.calendar.dateOf(now));
        return unpaidList(chosen, credit, { after, limit });
      }, unpaidRead),
    waiting: (query) => database.read((session) => readWaiting(session, deps.calendar, query), { snapshot: true }),
    dueItems: (itemIds) => database.read((session) => readDue(session, deps, itemIds), { snapshot: true }),
    chosenItems: (choice) => database.read((session) => chosenItemIds(session, deps, choice, clock.now()), unpaidRead),
    candidateItems: (lineId, candidateId) => candidateItems(deps, lineId, candidateId),
    feeSchedules: (query) => database.read((session) => openFeeSchedules(session).list(query)),
    confirmFees: (command) => confirmFees(deps, command),
    giveFees: (command) => giveFees(deps, command),
  };
}
