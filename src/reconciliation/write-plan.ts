import type { Actor } from '../identity';
import type { Instant } from '../kernel';
import type { NewMatch } from './match';
import type { RunPlan } from './plan-run';
import { postMatches } from './post-matches';
import type { ReconcileDeps } from './reconcile-deps';
import { releaseMatch } from './release-match';

/** A payout of thousands of items is one transaction; small ones share one up to so many items. */
const ITEMS_PER_TRANSACTION = 1_000;
/** A large payout takes longer to write than a payment may take. */
const WRITE_DEADLINE_MS = 60_000;

export interface RunWrite {
  readonly runId: string;
  readonly at: Instant;
  readonly actor: Actor;
  readonly signal: AbortSignal | undefined;
}

/** Writes what a run matched, in short transactions: a run that is cut off is simply continued by the next. */
export async function writeMatches(
  { database, calendar, itemsPerTransaction = ITEMS_PER_TRANSACTION }: ReconcileDeps,
  { releases, matches }: RunPlan,
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
  for (const group of groupsOf(matches, itemsPerTransaction)) {
    signal?.throwIfAborted();
    await database.transact((session) => postMatches(session, group, by, calendar), { deadlineMs: WRITE_DEADLINE_MS });
  }
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
