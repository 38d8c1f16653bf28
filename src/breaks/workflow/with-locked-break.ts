import type { Database, Session } from '../../db';
import { type Actor, type AuditDetail, openAuditTrail, requireScope } from '../../identity';
import { AppError, type Clock, type Instant } from '../../kernel';
import { type BreakStore, openBreakStore } from '../break-store';
import { type AssignmentStore, openAssignmentStore } from './assignment-store';
import type { HeldBreak } from './break-view';

export interface StepDeps {
  readonly database: Database;
  readonly clock: Clock;
}

/** A step of one person on one break. */
export interface StepCommand {
  readonly id: string;
  readonly actor: Actor;
  /** Checks and computes everything, but stores nothing. */
  readonly dryRun?: boolean;
  /** The version that the person saw. A break with another version refuses the step. */
  readonly ifVersion?: number | undefined;
}

/** A break that is locked until the transaction ends. */
export interface BreakInHand {
  readonly session: Session;
  readonly store: BreakStore;
  readonly assignments: AssignmentStore;
  readonly held: HeldBreak;
  readonly at: Instant;
}

export interface StepDone {
  /** `unchanged`: the break was already in this state, and nothing was written. */
  readonly outcome: 'done' | 'unchanged';
  /** Facts that the audit record adds. */
  readonly detail?: AuditDetail;
}

/**
 * Performs one step with the break locked and records the actor, in one transaction. A concurrent step waits and sees
 * the result of the first.
 * @throws AppError `forbidden`, `not_found`, `conflict`; and every error of the step.
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
    // Another module may append to the history first, which gives a duplicate key.
    { retryDuplicate: true, dryRun },
  );
}

/** Locks a break. @throws AppError `not_found`, or `conflict` when its version is not `ifVersion`. */
export async function lockBreak(session: Session, id: string, ifVersion?: number): Promise<HeldBreak> {
  const held = await openAssignmentStore(session).lock(id);
  if (held === undefined) throw new AppError('not_found', { thing: 'break', id });
  if (ifVersion !== undefined && ifVersion !== held.version) {
    throw new AppError('version_changed', { breakId: id, expected: ifVersion, got: held.version });
  }
  return held;
}

/** Checks that a break is open. @throws AppError `conflict` that names the resolution. */
export function requireUnresolved({ id, status, resolution = 'resolution unknown' }: HeldBreak): void {
  if (status === 'resolved') throw new AppError('break_resolved', { breakId: id, resolution });
}
