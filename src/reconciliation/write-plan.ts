import { linesWrittenOff } from '../breaks';
import type { Session } from '../db';
import type { Actor } from '../identity';
import { AppError, type Instant, MINUTE_MS } from '../kernel';
import type { NewMatch } from './match';
import type { RunPlan } from './plan-run';
import { postMatches } from './post-matches';
import type { ReconcileDeps } from './reconcile-deps';
import { releaseMatch } from './release-match';

/**
 * A large payout has its own transaction. Small payouts share one with at most this number of items, about 0.1 s of
 * work.
 */
const ITEMS_PER_TRANSACTION = 4_000;
/** Writing a large payout may take longer than a payment may take. */
const WRITE_DEADLINE_MS = MINUTE_MS;
/** A server writes one transaction while Millime prepares the next one; an embedded file has one writer. */
const WRITERS = { mariadb: 2, sqlite: 1 } as const;

export interface RunWrite {
  readonly runId: string;
  readonly at: Instant;
  readonly actor: Actor;
  readonly signal: AbortSignal | undefined;
}

/** Writes the matches of a run in short transactions, so that the next run can resume an interrupted one. */
export async function writeMatches(
  { database, calendar, itemsPerTransaction = ITEMS_PER_TRANSACTION }: ReconcileDeps,
  { releases, matches, storedIds, after }: RunPlan,
  { runId, at, actor, signal }: RunWrite,
): Promise<void> {
  for (const { match, debit } of releases) {
    signal?.throwIfAborted();
    await database.transact((session) =>
      releaseMatch(session, {
        lineId: match.lineId,
        kind: 'returned',
        debitLineId: debit.lineId,
        runId,
        reason: 'the bank took it back',
        occurredAt: calendar.startOf(debit.bookingDate),
        recordedAt: at,
        recordedBy: actor.name,
      }),
    );
  }
  const by = { runId, reason: undefined, approvedBy: undefined, recordedAt: at, recordedBy: actor.name };
  const takenBack = countOf(after.unmatched.map(({ lineId }) => lineId));
  const unstored = matches.filter(({ id }) => !storedIds.has(id));
  const groups = groupsOf(unstored, itemsPerTransaction);
  const writer = async (): Promise<void> => {
    // The writers share one generator. A failing writer ends it, so the other one stops after its current group.
    for (const group of groups) {
      signal?.throwIfAborted();
      const work = (session: Session): Promise<void> =>
        postMatches(session, group, by, calendar, (times) => requireUndecided(session, group, times, takenBack));
      await database.transact(work, { deadlineMs: WRITE_DEADLINE_MS });
    }
  };
  await allOf(Array.from({ length: WRITERS[database.dialect] }, writer));
}

/** Throws, so that the run reads its facts again, if people decided about a credit since then. */
async function requireUndecided(
  session: Session,
  matches: readonly NewMatch[],
  timesMatched: ReadonlyMap<string, number>,
  takenBack: ReadonlyMap<string, number>,
): Promise<void> {
  const lineIds = matches.map(({ lineId }) => lineId);
  const isNews = lineIds.some((lineId) => (timesMatched.get(lineId) ?? 0) !== (takenBack.get(lineId) ?? 0));
  if (isNews || (await linesWrittenOff(session, lineIds, { hold: true })).size > 0) {
    throw new AppError('duplicate_key', 'a person decided about a credit during the run');
  }
}

function countOf(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/** Waits for all promises, then throws the first error, so that no work continues after the call. */
async function allOf(works: readonly Promise<void>[]): Promise<void> {
  for (const done of await Promise.allSettled(works)) if (done.status === 'rejected') throw done.reason;
}

function* groupsOf(matches: readonly NewMatch[], itemsMax: number): Generator<NewMatch[]> {
  let group: NewMatch[] = [];
  let items = 0;
  for (const match of matches) {
    if (items > 0 && items + match.parts.length > itemsMax) {
      yield group;
      group = [];
      items = 0;
    }
    group.push(match);
    items += match.parts.length;
  }
  if (group.length > 0) yield group;
}
