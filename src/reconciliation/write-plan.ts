import { linesWrittenOff } from '../breaks';
import type { Session } from '../db';
import type { Actor } from '../identity';
import { AppError, type Instant, MINUTE_MS } from '../kernel';
import type { NewMatch } from './match';
import type { RunPlan } from './plan-run';
import { postMatches } from './post-matches';
import type { ReconcileDeps } from './reconcile-deps';
import { releaseMatch } from './release-match';

/** A large payout is one transaction; small payouts share one with up to this many items, about 0.1 s of work. */
const ITEMS_PER_TRANSACTION = 4_000;
/** A large payout takes longer to write than a payment may take. */
const WRITE_DEADLINE_MS = MINUTE_MS;
/** A server writes one transaction while the next one is prepared; an embedded file has one writer. */
const WRITERS = { mariadb: 2, sqlite: 1 } as const;

export interface RunWrite {
  readonly runId: string;
  readonly at: Instant;
  readonly actor: Actor;
  readonly signal: AbortSignal | undefined;
}

/** Writes the matches of a run in short transactions: the next run resumes an interrupted one. */
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
    // A failing writer ends the shared generator, so the other one stops after its current group.
    for (const group of groups) {
      signal?.throwIfAborted();
      const work = (session: Session): Promise<void> =>
        postMatches(session, group, by, calendar, (times) => requireUndecided(session, group, times, takenBack));
      await database.transact(work, { deadlineMs: WRITE_DEADLINE_MS });
    }
  };
  await allOf(Array.from({ length: WRITERS[database.dialect] }, writer));
}

/** Reads the facts again if people decided about a credit since the run read them. */
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

/** Waits for all, then throws the first error: no work goes on after the call. */
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
