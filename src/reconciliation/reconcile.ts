import { openAgentItems, type AgentItem } from '../agent-settlement';
import { openBreakBook, type BreakBook, type BreakClass, type NewBreak, type ReconBreak } from '../breaks';
import type { Database, Session } from '../db';
import { openAuditTrail, requireScope, type Actor } from '../identity';
import {
  addDays,
  fingerprintOf,
  isAppError,
  newId,
  type BusinessCalendar,
  type BusinessDate,
  type Clock,
  type Instant,
  type WorkingDays,
} from '../kernel';
import { BANK_UNMATCHED, gatewayClearing, openLedger } from '../ledger';
import type { Logger } from '../logging';
import { openStatements, recoverImports, type PayoutCandidate } from '../statements';
import { DEFAULT_GRACE, findBreaks } from './find-breaks';
import { openMatchBook, type StoredMatch, type StoredRun } from './match-store';
import { toResult, type ReconciliationResult } from './result';
import { explainBySweep, type ResolvedCredit } from './sweep-all';

export interface ReconcileDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly calendar: BusinessCalendar;
  readonly workingDays: WorkingDays;
  readonly logger: Logger;
}

export interface ReconcileOptions {
  /** The last day that the run looks at; the day before today when it is not given. */
  readonly through?: BusinessDate;
  readonly actor: Actor;
  /** Work everything out and write nothing. */
  readonly dryRun: boolean;
  /** Aborted when the process stops: the run then ends before its next transaction, by throwing the signal's reason. */
  readonly signal?: AbortSignal;
}

interface Facts {
  readonly items: readonly AgentItem[];
  readonly credits: readonly PayoutCandidate[];
  readonly matches: readonly StoredMatch[];
  readonly lastRun: StoredRun | undefined;
  /** The last day that the statements cover of every account into which we are paid; undefined without any statement. */
  readonly coveredThrough: BusinessDate | undefined;
  readonly openBreaks: readonly ReconBreak[];
}

/** The breaks that a run finds, and closes again when they are gone. The others are opened where they happen. */
const FOUND_BY_RUNS: readonly BreakClass[] = [
  'missing_in_bank',
  'missing_in_book',
  'ambiguous_payout',
  'clearing_unexplained',
];

const TRIES_MAX = 3;

/** A long history takes longer to read than a payment may take. */
const FACTS_DEADLINE_MS = 120_000;

/**
 * One run up to a cut-off: explains the bank's credits by the agents' payments, posts what is explained, opens and
 * closes breaks, and records the run. The same run again changes nothing. Each match is a short transaction of its own,
 * so a run that is cut off is simply continued by the next.
 *
 * @throws AppError `unavailable` when the database cannot answer.
 */
export async function reconcile(deps: ReconcileDeps, options: ReconcileOptions): Promise<ReconciliationResult> {
  requireScope(options.actor, 'reconciliation:run');
  const through = options.through ?? addDays(deps.calendar.dateOf(deps.clock.now()), -1);
  // A line that an import did not get to post is in the books before it is matched.
  if (!options.dryRun) await recoverImports(deps, options.signal);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await runOnce(deps, through, options);
    } catch (error) {
      // Another run matched the same credit meanwhile: what it wrote is read, and this run goes on from there.
      if (!isAppError(error, 'duplicate_key') || attempt >= TRIES_MAX) throw error;
      deps.logger.warn('another run was at work; trying again', { event: 'reconciliation.race', attempt });
    }
  }
}

async function runOnce(
  deps: ReconcileDeps,
  through: BusinessDate,
  { actor, dryRun, signal }: ReconcileOptions,
): Promise<ReconciliationResult> {
  const facts = await deps.database.read((session) => readFacts(session, through, deps.calendar), {
    snapshot: true,
    deadlineMs: FACTS_DEADLINE_MS,
  });
  signal?.throwIfAborted();
  const settled = new Set(facts.matches.flatMap(({ itemIds }) => itemIds));
  const matchedLines = new Set(facts.matches.map(({ lineId }) => lineId));
  const sweep = explainBySweep(
    facts.items.filter(({ itemId }) => !settled.has(itemId)),
    facts.credits.filter(({ lineId }) => !matchedLines.has(lineId)),
    deps,
  );
  const horizon = facts.coveredThrough !== undefined && facts.coveredThrough < through ? facts.coveredThrough : through;
  const findings = findBreaks(sweep, {
    ...deps,
    grace: DEFAULT_GRACE,
    horizon,
    everPaid: facts.matches.length + sweep.resolved.length > 0,
  });
  const result = toResult({
    through,
    credits: facts.credits,
    matches: facts.matches,
    sweep,
    pending: [...findings.pending, ...paidLater(facts)],
    breaks: [...findings.breaks, ...openedElsewhere(facts.openBreaks, through)],
    hasStatements: facts.coveredThrough !== undefined,
  });
  if (!dryRun) {
    const { breaks } = findings;
    await write(deps, { through, facts, resolved: sweep.resolved, breaks, result, actor, signal });
  }
  return result;
}

async function readFacts(session: Session, through: BusinessDate, calendar: BusinessCalendar): Promise<Facts> {
  const statements = openStatements(session);
  const matches = openMatchBook(session);
  const credits = await statements.payoutCandidates({ through });
  return {
    items: await openAgentItems(session).receivedBefore(calendar.startOf(addDays(through, 1))),
    credits,
    matches: await matches.matches(),
    lastRun: await matches.lastRun(),
    coveredThrough: coveredThrough(await statements.coverage(), credits),
    openBreaks: await openBreakBook(session).list({}),
  };
}

/** What a credit after the cut-off paid: on the day itself it was still on its way. */
function paidLater({ items, credits, matches }: Facts): AgentItem[] {
  const lines = new Set(credits.map(({ lineId }) => lineId));
  const later = new Set(matches.filter(({ lineId }) => !lines.has(lineId)).flatMap(({ itemIds }) => itemIds));
  return items.filter(({ itemId }) => later.has(itemId));
}

/** An account that was never paid into by the gateway, perhaps long unused, holds nothing up. */
function coveredThrough(
  coverage: ReadonlyMap<string, BusinessDate>,
  credits: readonly PayoutCandidate[],
): BusinessDate | undefined {
  const paidInto = new Set(credits.map(({ account }) => account));
  const ofPaid = [...coverage].filter(([account]) => paidInto.has(account));
  return (ofPaid.length > 0 ? ofPaid : [...coverage]).map(([, day]) => day).sort()[0];
}

function openedElsewhere(open: readonly ReconBreak[], through: BusinessDate): ReconBreak[] {
  return open.filter(({ breakClass, since }) => !FOUND_BY_RUNS.includes(breakClass) && since <= through);
}

interface Outcome {
  readonly through: BusinessDate;
  readonly facts: Facts;
  readonly resolved: readonly ResolvedCredit[];
  readonly breaks: readonly NewBreak[];
  readonly result: ReconciliationResult;
  readonly actor: Actor;
  readonly signal: AbortSignal | undefined;
}

async function write({ database, clock, calendar, logger }: ReconcileDeps, outcome: Outcome): Promise<void> {
  const runId = newId();
  const at = clock.now();
  const { through, actor, result, signal } = outcome;
  for (const match of outcome.resolved) {
    signal?.throwIfAborted();
    await database.transact((session) => postPayout(session, match, runId, at, calendar, actor.name));
  }
  signal?.throwIfAborted();
  const digest = fingerprintOf(result);
  const { lastRun } = outcome.facts;
  await database.transact(async (session) => {
    // A run of the past is a look back: it does not close what later days have shown.
    if (lastRun === undefined || through >= lastRun.furthest) {
      await syncBreaks(openBreakBook(session), outcome.breaks, runId, at);
    }
    if (lastRun?.digest === digest) return; // the same run again
    const { credits: _credits, breaks, ...summary } = result;
    await openMatchBook(session).addRun({
      id: runId,
      through,
      digest,
      verdict: result.verdict,
      summary: { ...summary, breaks: breaks.length, matched: outcome.resolved.length },
      at,
      recordedBy: actor.name,
    });
    await openAuditTrail(session).record({
      at,
      actor,
      action: 'reconciliation.run',
      subject: `run:${runId}`,
      detail: { through, verdict: result.verdict },
    });
  });
  logger.info('reconciled', {
    event: 'reconciliation.done',
    through,
    verdict: result.verdict,
    matched: outcome.resolved.length,
    breaks: result.breaks.length,
  });
}

async function postPayout(
  session: Session,
  match: ResolvedCredit,
  runId: string,
  at: Instant,
  calendar: BusinessCalendar,
  recordedBy: string,
): Promise<void> {
  const { lineId, amount, bookingDate } = match.credit;
  const ledgerTransactionId = newId();
  await openMatchBook(session).add(match, runId, ledgerTransactionId, at);
  await openLedger(session).post([
    {
      id: ledgerTransactionId,
      reference: `payout:${lineId}`,
      code: 'payout',
      occurredAt: calendar.startOf(bookingDate),
      recordedAt: at,
      recordedBy,
      postings: [{ debit: BANK_UNMATCHED, credit: gatewayClearing('agent'), amount }],
    },
  ]);
}

/** Opens what is new, notes what changed, closes what is gone; what a person or an earlier run closed comes back. */
async function syncBreaks(book: BreakBook, found: readonly NewBreak[], runId: string, at: Instant): Promise<void> {
  const actor = `run:${runId}`;
  const known = await book.byFingerprint(found.map(({ fingerprint }) => fingerprint));
  await book.open(
    found.filter(({ fingerprint }) => !known.has(fingerprint)),
    at,
    actor,
  );
  for (const now of found) {
    const before = known.get(now.fingerprint);
    if (before === undefined) continue;
    if (before.status === 'resolved') await book.reopen(before.id, now, at, actor);
    else if (differs(before, now)) await book.change(before.id, now, at, actor);
  }
  const stillThere = new Set(found.map(({ fingerprint }) => fingerprint));
  for (const gone of await book.list({ classes: FOUND_BY_RUNS })) {
    if (!stillThere.has(gone.fingerprint)) await book.resolve(gone.id, 'disappeared', at, actor);
  }
}

function differs(before: ReconBreak, now: NewBreak): boolean {
  return (
    before.amount !== now.amount ||
    before.since !== now.since ||
    fingerprintOf(before.subject) !== fingerprintOf(now.subject)
  );
}
