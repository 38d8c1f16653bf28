import type { Database, Session } from '../../db';
import { openAuditTrail, requireScope, type Actor, type AuditDetail } from '../../identity';
import { AppError, formatInstant, type Clock, type Instant } from '../../kernel';
import { openBreakStore, type BreakStore } from '../break-store';
import type { HeldBreak } from './break-view';
import { openAssignmentStore, type AssignmentStore } from './assignment-store';

export interface StepDeps {
  readonly database: Database;
  readonly clock: Clock;
}

/** One step of one person on one break. */
export interface StepCommand {
  readonly id: string;
  readonly actor: Actor;
  /** Does everything except store the result. */
  readonly dryRun?: boolean;
  /** The version that the person saw: the step is refused if the break changed since. */
  readonly ifVersion?: number | undefined;
}

/** A break that is held until the transaction ends. */
export interface BreakInHand {
  readonly session: Session;
  readonly store: BreakStore;
  readonly assignments: AssignmentStore;
  readonly held: HeldBreak;
  readonly at: Instant;
}

export interface StepDone {
  /** unchanged: it was so already, and nothing was written. */
  readonly outcome: 'done' | 'unchanged';
  /** Why, for the audit trail. */
  readonly detail?: AuditDetail;
}

/**
 * Does one step with the break locked and records the actor, in one transaction. A concurrent step waits and sees the
 * result of the first.
 *
 * @throws AppError `forbidden`, `not_found`, `conflict`; and what the step throws.
 */
export async function withLockedBreak(
  { database, clock }: StepDeps,
  { id, actor, dryRun = false, ifVersion }: StepCommand,
  action: string,
  step: (inHand: BreakInHand) => Promise<StepDone>,
): Promise<StepDone['outcome']> {
  requireScope(actor, 'breaks:work');
  return database.transact(
    async (session) => {
      const at = clock.now();
      const held = await lockBreak(session, id, ifVersion);
      const { outcome, detail = {} } = await step({
        session,
        store: openBreakStore(session),
        assignments: openAssignmentStore(session),
        held,
        at,
      });
      if (outcome === 'done') {
        await openAuditTrail(session).record({ at, actor, action, subject: `break:${id}`, detail });
      }
      return outcome;
    },
    // A note of the gateway's may take the next place in the history first.
    { retryDuplicate: true, dryRun },
  );
}

/** Locks a break. @throws AppError `not_found`, or `conflict` when its version is not `ifVersion`. */
export async function lockBreak(session: Session, id: string, ifVersion?: number): Promise<HeldBreak> {
  const held = await openAssignmentStore(session).lock(id);
  if (held === undefined) throw new AppError('not_found', `no break ${JSON.stringify(id)}`);
  if (ifVersion !== undefined && ifVersion !== held.version) {
    throw new AppError(
      'conflict',
      `break ${id} is at version ${held.version}: somebody did something since ${ifVersion}`,
    );
  }
  return held;
}

/** @throws AppError `conflict` that says how it was closed. */
export function requireUnresolved({ id, status, resolution, resolvedAt }: HeldBreak): void {
  if (status !== 'resolved') return;
  const when = resolvedAt === undefined ? '' : `, ${formatInstant(resolvedAt)}`;
  throw new AppError('conflict', `break ${id} is resolved (${resolution ?? 'no word'}${when})`);
}
