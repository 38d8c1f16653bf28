import type { Session } from '../../db';
import { type Actor, checkReason, openAuditTrail, requireScope } from '../../identity';
import { addDays, AppError, type BusinessDate, isAppError, newId } from '../../kernel';
import { openPeriodLock } from '../../ledger';
import { openStatements, POSTED_CURRENCY } from '../../statements';
import { coverageOfPaid } from '../covered-through';
import type { ReconcileDeps } from '../reconcile-deps';
import { type ClosingFacts, closingObstacles, standingSealOf } from './closing-obstacles';
import { carriedFromJson, type DayProof, type ProofJson, proofToJson } from './day-proof';
import type { Obstacle } from './obstacle';
import { proveDay } from './prove-day';
import { readReconciled } from './read-reconciled';
import { digestOfSeal, type SealHead, standingSeals } from './seal-chain';
import { contentOf, readContent } from './seal-content';
import { openSealStore } from './seal-store';
import { noteUnexplained } from './unexplained-break';
import { writeSealPages } from './write-seal-pages';

export type ClosingDeps = Omit<ReconcileDeps, 'infer' | 'itemsPerTransaction'>;

/** A day to close, or to prove. */
export interface ProveOptions {
  readonly date: BusinessDate;
  /** The reason to close the day although no statement covers it; stored in the seal. */
  readonly reason?: string | undefined;
  /** For a trial: a day through which the days count as closed, to check the next one. */
  readonly closedThrough?: BusinessDate;
}

export interface CloseOptions extends ProveOptions {
  readonly actor: Actor;
  /** Returns the proof and the obstacles; writes nothing. */
  readonly dryRun: boolean;
}

export interface CloseOutcome {
  readonly kind: 'closed' | 'already_closed' | 'dry_run';
  readonly date: BusinessDate;
  /** The number of the seal; undefined in a dry run. */
  readonly number: number | undefined;
  readonly digest: string | undefined;
  readonly proof: ProofJson;
  /** The obstacles to closing, for a dry run. */
  readonly obstacles: readonly Obstacle[];
}

const TRIES_MAX = 3;
const PROOF_DEADLINE_MS = 600_000;

/**
 * Closes a business day. It raises the period lock, so that the ledger records nothing more in the day, proves each
 * channel, and seals every row of the day under the digest of the previous day. Closing a closed day changes nothing.
 * If two closings are concurrent, one adds the seal. An interrupted closing leaves a period lock and pages without a
 * seal; repeat it.
 * @throws AppError `conflict` with the obstacles as faults, `forbidden`, `bad_input`.
 */
export async function closeDay(deps: ClosingDeps, options: CloseOptions): Promise<CloseOutcome> {
  requireScope(options.actor, 'days:close');
  checkOptions(options);
  if (options.dryRun) return proveClosing(deps, options);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await closeOnce(deps, options);
    } catch (error) {
      // Another closing added its link first: read that link and continue from there.
      if (!isAppError(error, 'duplicate_key') || attempt >= TRIES_MAX) throw error;
      deps.logger.warn('closing repeated after a concurrent one', { event: 'closing.race', attempt });
    }
  }
}

/**
 * Proves a day and returns the obstacles to its closing, or the seal of a closed day. Writes nothing, so it needs no
 * right to close days.
 * @throws AppError `bad_input`.
 */
export async function proveClosing(deps: ClosingDeps, options: ProveOptions): Promise<CloseOutcome> {
  checkOptions(options);
  const { date } = options;
  const { standing, obstacles, previous } = await stateOf(deps, options);
  if (standing !== undefined) return alreadyClosed(deps, standing);
  const proof = proofToJson(await proofOf(deps, date, previous));
  return { kind: 'dry_run', date, number: undefined, digest: undefined, proof, obstacles };
}

function checkOptions({ reason }: ProveOptions): void {
  if (reason !== undefined) checkReason(reason, 'why the day is closed without a statement');
}

/** The chain of seals, the seal of a day, and the obstacles to its closing if it has none. */
interface ClosingState {
  readonly chain: readonly SealHead[];
  readonly standing: SealHead | undefined;
  /** The last standing closing of any day. */
  readonly previous: SealHead | undefined;
  readonly obstacles: readonly Obstacle[];
}

/** Returns whether a day is closed, and what hinders its closing. */
export async function stateOf(deps: ClosingDeps, options: ProveOptions): Promise<ClosingState> {
  const { database, calendar } = deps;
  const { date } = options;
  const facts = await database.read((session) => readFacts(session, deps, options), { deadlineMs: PROOF_DEADLINE_MS });
  const { chain } = facts;
  const standing = standingSealOf(chain, date);
  const obstacles = standing === undefined ? closingObstacles(date, facts, calendar) : [];
  return { chain, standing, previous: standingSeals(chain).at(-1), obstacles };
}

async function closeOnce(deps: ClosingDeps, options: CloseOptions): Promise<CloseOutcome> {
  const { database, calendar } = deps;
  const { date } = options;
  const { chain, standing, previous, obstacles } = await stateOf(deps, options);
  if (standing !== undefined) return alreadyClosed(deps, standing);
  if (obstacles.length > 0) throw new AppError('day_not_closable', { date }, { details: obstacles });
  const dayEnd = calendar.startOf(addDays(date, 1));
  await database.transact((session) => openPeriodLock(session).raise(dayEnd));
  return seal(deps, options, chain, await proofOf(deps, date, previous));
}

async function readFacts(
  session: Session,
  { calendar, clock }: ClosingDeps,
  { date, reason, closedThrough }: ProveOptions,
): Promise<ClosingFacts> {
  const store = openSealStore(session);
  const statements = openStatements(session);
  const dayEnd = calendar.startOf(addDays(date, 1));
  const waiting = await statements.waitingBy(POSTED_CURRENCY, date);
  return {
    chain: await store.heads(),
    dayEnd,
    now: clock.now(),
    reconciled: await readReconciled(session, date, dayEnd),
    waiting: waiting.map(({ statement: { id, account } }) => ({ id, account })),
    coverage: coverageOfPaid(await statements.coverage(), await statements.accountsPaidInto()),
    reason,
    closedThrough,
  };
}

function proofOf(deps: ClosingDeps, date: BusinessDate, previous: SealHead | undefined): Promise<DayProof> {
  return deps.database.read(
    async (session) => {
      const before = previous === undefined ? undefined : await openSealStore(session).find(previous.number);
      const carried = before === undefined ? undefined : carriedFromJson(readContent(before).proof);
      // Only the balances of the previous day are carried, because a dry run may check a later day.
      const follows = before !== undefined && addDays(before.date, 1) === date;
      return proveDay(session, date, follows ? carried : undefined, deps);
    },
    { snapshot: true, deadlineMs: PROOF_DEADLINE_MS },
  );
}

async function seal(
  { database, clock, calendar, logger }: ClosingDeps,
  { date, actor, reason }: CloseOptions,
  chain: readonly SealHead[],
  proof: DayProof,
): Promise<CloseOutcome> {
  const closeId = newId();
  const window = { start: calendar.startOf(date), end: calendar.startOf(addDays(date, 1)) };
  const { pages, rows, events } = await writeSealPages(database, closeId, window);
  const proofJson = proofToJson(proof);
  const last = chain.at(-1);
  const recordedAt = clock.now();
  const unsealed = {
    ...{ number: (last?.number ?? 0) + 1, kind: 'closed' as const, date, reopens: undefined, closeId },
    content: contentOf({ proof: proofJson, pages, rows, reason: reason ?? null }),
    ...{ previousDigest: last?.digest, recordedAt, recordedBy: actor.name },
  };
  const digest = digestOfSeal(unsealed);
  await database.transact(async (session) => {
    await openSealStore(session).add({ ...unsealed, digest }, events);
    await noteUnexplained(session, proof, recordedAt, `closing:${closeId}`);
    await openAuditTrail(session).record({
      at: recordedAt,
      actor,
      action: 'day.closed',
      subject: `day:${date}`,
      detail: { number: unsealed.number, digest, reason: reason ?? null },
    });
  });
  logger.info('day closed', { event: 'closing.done', date, number: unsealed.number, rows: rows.ledger });
  return { kind: 'closed', date, number: unsealed.number, digest, proof: proofJson, obstacles: [] };
}

async function alreadyClosed({ database }: ClosingDeps, { number, date, digest }: SealHead): Promise<CloseOutcome> {
  const found = await database.read((session) => openSealStore(session).find(number));
  if (found === undefined) throw new AppError('day_not_closed', { date });
  return { kind: 'already_closed', date, number, digest, proof: readContent(found).proof, obstacles: [] };
}
