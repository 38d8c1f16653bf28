import { type BreakStore, isClosedByTwo, type NewBreak, openBreakStore, type ReconBreak } from '../breaks';
import type { Session } from '../db';
import { type Actor, openAuditTrail, requireScope } from '../identity';
import { addDays, AppError, type BusinessDate, type Instant, isAppError, newId } from '../kernel';
import { DEFAULT_ERROR_MAX, inferPayouts } from '../payout-inference';
import { recoverImports } from '../statements';
import { answersToStore } from './answer-credits';
import { type Facts, readFacts } from './facts';
import { type PlanDeps, planRun, type RunPlan } from './plan-run';
import type { ReconcileDeps } from './reconcile-deps';
import { digestOfResult, type ReconciliationResult, toResult } from './result';
import { isOfRuns } from './run-breaks';
import { type RunDifference, runDifference } from './run-difference';
import { toRunInputs } from './run-inputs';
import { type LastRun, openRunStore, type RunInputs } from './run-store';
import { storeLearned } from './store-learned';
import { storeWaiting } from './store-waiting';
import { syncBreaks } from './sync-breaks';
import { writeMatches } from './write-plan';

export interface ReconcileOptions {
  /** The last day of the run (default: yesterday). */
  readonly through?: BusinessDate | undefined;
  readonly actor: Actor;
  /** Computes everything and writes nothing. */
  readonly dryRun: boolean;
  /** Aborted when the process stops. The run then ends before its next transaction and throws the signal's reason. */
  readonly signal?: AbortSignal;
}

/** The result of a run, and the changes that it made or, in a dry run, would make. */
export interface ReconcileOutcome {
  readonly result: ReconciliationResult;
  readonly difference: RunDifference;
}

/** The number of concurrent runs of which each may overtake all the others. */
const TRIES_MAX = 8;

/** Reading a long history may take longer than a payment may take. */
const FACTS_DEADLINE_MS = 120_000;

/**
 * Runs a reconciliation up to a cut-off: matches the bank's credits to the gateway's items of all channels, posts the
 * matches, opens and closes breaks, and records the run. Repeating it changes nothing. It writes matches in short
 * transactions, so the next run resumes an interrupted one with the same result.
 *
 * @throws AppError `bad_input` for a day after today; `unavailable` when the database cannot answer.
 */
export async function reconcile(deps: ReconcileDeps, options: ReconcileOptions): Promise<ReconcileOutcome> {
  requireScope(options.actor, 'reconciliation:run');
  const today = deps.calendar.dateOf(deps.clock.now());
  const through = options.through ?? addDays(today, -1);
  if (through > today) {
    throw new AppError('bad_input', { field: 'through', expected: `a date up to today, ${today}`, got: through });
  }
  // An interrupted import may have left a line unposted; it must be posted before it is matched.
  if (!options.dryRun) await recoverImports(deps, options.signal);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await runOnce(deps, through, options);
    } catch (error) {
      // Another run matched the same credit first: read its rows and continue from there.
      if (!isAppError(error, 'duplicate_key') || attempt >= TRIES_MAX) throw error;
      deps.logger.warn('run repeated after a concurrent one', { event: 'reconciliation.race', attempt });
    }
  }
}

/** Returns the dependencies of a plan. */
export function planDeps({ calendar, workingDays, infer = inferPayouts }: ReconcileDeps): PlanDeps {
  return { calendar, workingDays, infer, maxError: DEFAULT_ERROR_MAX };
}

async function runOnce(
  deps: ReconcileDeps,
  through: BusinessDate,
  { actor, dryRun, signal }: ReconcileOptions,
): Promise<ReconcileOutcome> {
  const { database, calendar, workingDays, clock } = deps;
  const readAt = clock.now();
  const facts = await database.read((session) => readFacts(session, { through, calendar, workingDays }), {
    snapshot: true,
    deadlineMs: FACTS_DEADLINE_MS,
  });
  signal?.throwIfAborted();
  const plan = planRun(facts, planDeps(deps));
  const result = toResult(
    plan,
    facts.openBreaks.filter((each) => !isOfRuns(each) && each.since <= through),
  );
  const difference = runDifference(facts, plan);
  if (!dryRun) await write(deps, { facts, readAt, plan, result, actor, signal });
  return { result, difference };
}

/**
 * Checks that no other run ended since the facts were read. Breaks describe the current rows, so a run that was
 * overtaken reads its facts again.
 */
async function requireLastRun(session: Session, known: LastRun | undefined): Promise<void> {
  const last = await openRunStore(session).holdLast();
  if (last?.id !== known?.id) throw new AppError('duplicate_key', 'another run ended during the run');
}

/**
 * Checks that two people closed none of the found breaks since the facts were read. Such a run reads its facts again,
 * because they may also have matched the credit.
 */
async function requireSameDecisions(
  store: BreakStore,
  openBreaks: readonly ReconBreak[],
  found: readonly NewBreak[],
): Promise<void> {
  const wasOpen = new Set(openBreaks.map(({ fingerprint }) => fingerprint));
  const known = await store.byFingerprint(
    found.map(({ fingerprint }) => fingerprint).filter((each) => wasOpen.has(each)),
  );
  if ([...known.values()].some(isClosedByTwo)) throw new AppError('duplicate_key', 'two people decided during the run');
}

function hasNoChange({ matches, releases }: RunPlan): boolean {
  return matches.length === 0 && releases.length === 0;
}

/** Returns whether the run reads a bank line that the last one did not. A closing asks whether a run has read it. */
async function readsNewLines(session: Session, { id }: LastRun, { openLineIds = [] }: RunInputs): Promise<boolean> {
  const known = new Set(await openRunStore(session).linesOf(id));
  return openLineIds.some((lineId) => !known.has(lineId));
}

/** Returns whether the day has ended since the last run, which saw only a part of it. */
function hasEndedSince(
  { calendar }: ReconcileDeps,
  lastAt: Instant,
  { through, readAt }: { through: BusinessDate; readAt: Instant },
): boolean {
  const dayEnd = calendar.startOf(addDays(through, 1));
  return lastAt < dayEnd && readAt >= dayEnd;
}

interface RunToWrite {
  readonly facts: Facts;
  /** The start of reading the facts. The run does not know later rows. */
  readonly readAt: Instant;
  readonly plan: RunPlan;
  readonly result: ReconciliationResult;
  readonly actor: Actor;
  readonly signal: AbortSignal | undefined;
}

async function write(deps: ReconcileDeps, { facts, readAt, plan, result, actor, signal }: RunToWrite): Promise<void> {
  const { database, clock, logger } = deps;
  const runId = newId();
  const at = clock.now();
  const { through, lastRun } = facts;
  // Stored before the matches: a part of the matches may not suffice to learn the fees again.
  await storeLearned(database, plan, facts, { runId, recordedAt: at, recordedBy: actor.name });
  // The digests of the inputs are computed while the database writes.
  const [, inputs] = await Promise.all([
    writeMatches(deps, plan, { runId, at, actor, signal }),
    toRunInputs(plan, planDeps(deps)),
  ]);
  signal?.throwIfAborted();
  const digest = digestOfResult(result);
  const answers = answersToStore(plan, inputs.errorMax);
  // A run of a past day does not close breaks that later days have shown.
  const isNewest = lastRun === undefined || through >= lastRun.furthest;
  const asOfRun = await database.transact(async (session) => {
    await requireLastRun(session, lastRun);
    if (isNewest) {
      const store = openBreakStore(session);
      await requireSameDecisions(store, facts.openBreaks, plan.breaks);
      await syncBreaks(store, plan.breaks, runId, at);
    }
    const isSameAgain =
      lastRun?.digest === digest && hasNoChange(plan) && !(await readsNewLines(session, lastRun, inputs));
    if (isSameAgain && !hasEndedSince(deps, lastRun.at, { through, readAt })) return lastRun.id;
    const { credits: _credits, breaks, decided, expected: _expected, ...summary } = result;
    await openRunStore(session).add({
      id: runId,
      through,
      digest,
      verdict: result.verdict,
      summary: { ...summary, breaks: breaks.length, decided: decided.length, matched: plan.matches.length },
      answers,
      at: readAt,
      recordedBy: actor.name,
      inputs,
    });
    await openAuditTrail(session).record({
      at,
      actor,
      action: 'reconciliation.run',
      subject: `run:${runId}`,
      detail: { through, verdict: result.verdict },
    });
    return runId;
  });
  if (isNewest) {
    await storeWaiting(database, plan.waiting, { runId: asOfRun, through, knownAt: readAt }, signal);
    if (signal?.aborted !== true) await deps.afterRun?.({ runId: asOfRun, through });
  }
  logger.info('reconciled', {
    event: 'reconciliation.done',
    through,
    verdict: result.verdict,
    matched: plan.matches.length,
    breaks: result.breaks.length,
  });
}
