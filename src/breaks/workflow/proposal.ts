import type { Session } from '../../db';
import type { Actor } from '../../identity';
import { fingerprintOf, type Instant, type Millimes } from '../../kernel';
import type { ClosedByTwo, ReconBreak } from '../recon-break';

/** An action for two people to decide. The payload is JSON and belongs to the handler of the kind. */
export interface ProposedAction {
  readonly kind: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/**
 * - `approved`: a second person agreed, and the action was done in the same transaction.
 * - `rejected`: another person with the right to decide refused.
 * - `withdrawn`: the proposer took it back.
 * - `lapsed`: the break was closed or came back meanwhile, so there is nothing left of what was proposed.
 */
export type DecisionOutcome = 'approved' | 'rejected' | 'withdrawn' | 'lapsed';

export interface Decision {
  readonly outcome: DecisionOutcome;
  readonly reason: string | undefined;
  readonly decidedBy: string;
  readonly decidedAt: Instant;
  /** The reference of the ledger transaction that it made, where it moved money, and how much. */
  readonly postedAs: string | undefined;
  readonly amount: Millimes | undefined;
}

export interface Proposal {
  readonly id: string;
  /** What it is about, such as `break:<id>` or `day:2026-03-02`. At most one proposal waits for each subject. */
  readonly subject: string;
  readonly breakId: string | undefined;
  readonly action: ProposedAction;
  readonly reason: string;
  readonly proposedBy: string;
  readonly proposedAt: Instant;
  /** Undefined while it waits. */
  readonly decision: Decision | undefined;
}

/** A proposal as its handler gets it: with the break it is about, locked until the transaction ends. */
export interface ProposalInHand extends Proposal {
  readonly reconBreak: ReconBreak | undefined;
}

/** What an action did. */
export interface ActionDone {
  /** What becomes of the break: closed with this word, open again, or left as it was before the proposal. */
  readonly breakBecomes:
    { readonly kind: 'resolved'; readonly resolution: ClosedByTwo } | { readonly kind: 'open' | 'kept' };
  /** What a person must find in the history: references, counts, amounts. */
  readonly detail?: Readonly<Record<string, string | number>>;
  readonly posted?: { readonly reference: string; readonly amount: Millimes };
}

/**
 * Does what two people decided, inside the transaction that stores the decision. It runs once more before, at the
 * proposal, in a transaction that is rolled back: what cannot be done is not proposed. So it must do nothing outside the
 * session. `actor` is the second person, at a proposal the first.
 *
 * @throws AppError `bad_input` for a payload that it cannot read, `conflict` when it cannot be done (any more).
 */
export type DecideHandler = (
  session: Session,
  proposal: ProposalInHand,
  actor: Actor,
  at: Instant,
) => Promise<ActionDone>;

/** By the kind of the action. */
export type DecideHandlers = Readonly<Record<string, DecideHandler>>;

/** What a break was when something was proposed for it: another amount or other rows are another decision. */
export function basisOf({ status, amount, subject }: ReconBreak): string {
  return fingerprintOf(status === 'resolved', amount ?? null, [...subject.itemIds].sort(), [...subject.lineIds].sort());
}
