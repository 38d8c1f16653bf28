import type { Session } from '../../db';
import type { Actor, TwoPeopleAction } from '../../identity';
import { AppError, fingerprintOf, type Instant, type Millimes } from '../../kernel';
import type { ClosedByTwo, ReconBreak } from '../recon-break';

/** An action that two people decide. The payload is JSON; the handler of the kind defines it. */
export interface ProposedAction {
  readonly kind: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/**
 * - `approved`: another person agreed; the same transaction performed the action.
 * - `rejected`: another person with the right to decide refused.
 * - `withdrawn`: the proposer withdrew it.
 * - `lapsed`: the break was closed or reopened first.
 */
export const DECISION_OUTCOMES = ['approved', 'rejected', 'withdrawn', 'lapsed'] as const;
export type DecisionOutcome = (typeof DECISION_OUTCOMES)[number];

export interface Decision {
  readonly outcome: DecisionOutcome;
  readonly reason: string | undefined;
  readonly decidedBy: string;
  readonly decidedAt: Instant;
  /** The reference and the amount of its ledger transaction, if it moved money. */
  readonly postedAs: string | undefined;
  readonly amount: Millimes | undefined;
}

export interface Proposal {
  readonly id: string;
  /** Its subject, such as `break:<id>` or `day:2026-03-02`. At most one proposal waits for each subject. */
  readonly subject: string;
  readonly breakId: string | undefined;
  readonly action: ProposedAction;
  readonly reason: string;
  readonly proposedBy: string;
  readonly proposedAt: Instant;
  /** Undefined while the proposal waits. */
  readonly decision: Decision | undefined;
}

/** A proposal with its break, which is locked until the transaction ends. */
export interface ProposalInHand extends Proposal {
  readonly reconBreak: ReconBreak | undefined;
}

/** The effect of an action. */
export interface ActionDone {
  /** The state of the break afterwards: closed with this resolution, reopened, or as before the proposal. */
  readonly breakBecomes:
    { readonly kind: 'resolved'; readonly resolution: ClosedByTwo } | { readonly kind: 'open' | 'kept' };
  /** References, counts and amounts for the history. */
  readonly detail?: Readonly<Record<string, string | number>>;
  readonly posted?: { readonly reference: string; readonly amount: Millimes };
}

/**
 * Performs the action of a decision inside the transaction that stores the decision. `propose` runs it first as a trial
 * and rolls that back, so it must have no effect outside the session. `actor` is the approver; in the trial, the
 * proposer.
 * @throws AppError `bad_input` for an unreadable payload, `conflict` if the action is not possible.
 */
export type DecideHandler = (
  session: Session,
  proposal: ProposalInHand,
  actor: Actor,
  at: Instant,
) => Promise<ActionDone>;

/** The handlers by the kind of their action. */
export type DecideHandlers = Readonly<Partial<Record<TwoPeopleAction, DecideHandler>>>;

/** Returns the break of an action that needs one. @throws AppError `bad_input` for another subject. */
export function requireBreak(reconBreak: ReconBreak | undefined, action: string): ReconBreak {
  if (reconBreak !== undefined) return reconBreak;
  throw new AppError('bad_input', {
    field: 'action',
    fault: `${action} needs a break`,
    fix: 'name the break by its id',
  });
}

/** Fingerprints the amount and the rows of a break. An approval requires that they are still those of the proposal. */
export function basisOf({ status, amount, subject }: ReconBreak): string {
  return fingerprintOf(status === 'resolved', amount ?? null, [...subject.itemIds].sort(), [...subject.lineIds].sort());
}
