import type { Session } from '../../db';
import {
  type Actor,
  checkReason,
  openAuditTrail,
  type Person,
  personId,
  requireApprover,
  requirePerson,
  requireScope,
} from '../../identity';
import { AppError, type Instant } from '../../kernel';
import { openBreakStore } from '../break-store';
import { openAssignmentStore } from './assignment-store';
import type { HeldBreak } from './break-view';
import { type ActionDone, basisOf, type DecisionOutcome } from './proposal';
import { breakSubject, openProposalStore, type ProposalStore, type StoredProposal } from './proposal-store';
import { doneBeforeIsConflict, handlerOf, type ProposalDeps } from './propose';
import { lockBreak } from './with-locked-break';

export interface DecideCommand {
  /** The id of a proposal, or of a break with a pending proposal. */
  readonly id: string;
  readonly actor: Actor;
  readonly reason?: string | undefined;
  readonly dryRun?: boolean;
}

export interface Decided {
  readonly proposalId: string;
  readonly subject: string;
  readonly outcome: DecisionOutcome;
  /** The effect; undefined if the proposal was not approved. */
  readonly done: ActionDone | undefined;
}

/**
 * Approves a proposal: one transaction performs the action, stores the decision and closes the break. The approver must
 * not be the proposer, and the difference must be the one that was proposed.
 * @throws AppError `forbidden`, `not_found`, `bad_input`; `conflict` if it is decided or its break changed.
 */
export async function approveProposal(deps: ProposalDeps, command: DecideCommand): Promise<Decided> {
  const { actor, reason } = command;
  if (reason !== undefined) checkReason(reason);
  return inHand(deps, command, async ({ session, store, proposal, held, at }) => {
    const [kind] = handlerOf(deps.handlers, proposal.action.kind);
    const approver = requireApprover(actor, kind, proposal.proposedBy);
    requireBasis(proposal, held);
    const done = await performApproval({ session, store, proposal, held, at }, { ...deps, actor, approver, reason });
    return { proposalId: proposal.id, subject: proposal.subject, outcome: 'approved', done };
  });
}

interface Approval extends Pick<ProposalDeps, 'handlers'> {
  readonly actor: Actor;
  readonly approver: Person;
  readonly reason: string | undefined;
}

/** Performs the action of a proposal, and stores the decision and the steps of its break. */
export async function performApproval(
  { session, store, proposal, held, at }: ProposalInTransaction,
  { handlers, actor, approver, reason }: Approval,
): Promise<ActionDone> {
  const { id, subject, action, proposedBy } = proposal;
  const [, handler] = handlerOf(handlers, action.kind);
  const done = await handler(session, { ...proposal, reconBreak: held }, actor, at);
  const { posted, detail = {} } = done;
  await store.decide(id, {
    outcome: 'approved',
    reason,
    decidedBy: approver.name,
    decidedByKey: personId(approver),
    decidedAt: at,
    postedAs: posted?.reference,
    amount: posted?.amount,
  });
  const explained = {
    proposal: id,
    action: action.kind,
    proposedBy,
    ...(reason === undefined ? {} : { reason }),
    ...(posted === undefined ? {} : { reference: posted.reference, amountMillimes: posted.amount }),
    ...detail,
  };
  if (held !== undefined) await carryOut(session, held, done, { at, approver: approver.name, explained });
  await openAuditTrail(session).record({ at, actor, action: 'proposal.approved', subject, detail: explained });
  return done;
}

/**
 * Rejects a proposal, or withdraws it if the actor is the proposer.
 * @throws AppError `forbidden`, `not_found`, `bad_input` for a blank reason, `conflict` if it is decided.
 */
export async function rejectProposal(deps: ProposalDeps, command: DecideCommand): Promise<Decided> {
  const { actor, reason = '' } = command;
  const person = requirePerson(actor);
  const { name } = person;
  checkReason(reason, 'why it is not to be done');
  return inHand(deps, command, async ({ session, store, proposal, held, at }) => {
    const outcome = proposal.proposedBy === name ? 'withdrawn' : 'rejected';
    requireScope(actor, outcome === 'withdrawn' ? 'breaks:work' : 'breaks:decide');
    await store.decide(proposal.id, {
      outcome,
      reason,
      decidedBy: name,
      decidedByKey: personId(person),
      decidedAt: at,
      postedAs: undefined,
      amount: undefined,
    });
    const detail = { proposal: proposal.id, action: proposal.action.kind, outcome, reason };
    if (held !== undefined) {
      if (held.status === 'proposed') await openAssignmentStore(session).setStatus(held.id, statusBefore(held), at);
      await openBreakStore(session).note(held.id, 'rejected', detail, at, name);
    }
    const { id: proposalId, subject } = proposal;
    await openAuditTrail(session).record({ at, actor, action: `proposal.${outcome}`, subject, detail });
    return { proposalId, subject, outcome, done: undefined };
  });
}

/** Checks that the difference is the one that was proposed. @throws AppError `conflict`. */
export function requireBasis({ basis }: StoredProposal, held: HeldBreak | undefined): void {
  if (held !== undefined && basisOf(held) !== basis) throw new AppError('basis_changed', { breakId: held.id });
}

export interface ProposalInTransaction {
  readonly session: Session;
  readonly store: ProposalStore;
  readonly proposal: StoredProposal;
  readonly held: HeldBreak | undefined;
  readonly at: Instant;
}

/**
 * Runs `work` on an undecided proposal, with its break locked. If two decisions are concurrent, the second one gets a
 * duplicate key, repeats, and finds the first.
 */
export async function inHand<Result>(
  { database, clock }: ProposalDeps,
  { id, dryRun = false }: Pick<DecideCommand, 'id' | 'dryRun'>,
  work: (inTransaction: ProposalInTransaction) => Promise<Result>,
): Promise<Result> {
  return doneBeforeIsConflict(() =>
    database.transact(
      async (session) => {
        const store = openProposalStore(session);
        const named = await find(store, session, id);
        const held = named.breakId === undefined ? undefined : await lockBreak(session, named.breakId);
        // Read again, because the break is locked only now.
        const proposal = (await store.find(named.id)) ?? named;
        const { decision } = proposal;
        if (decision !== undefined) {
          const { outcome, decidedBy } = decision;
          throw new AppError('proposal_decided', { proposalId: proposal.id, outcome, decidedBy });
        }
        return work({ session, store, proposal, held, at: clock.now() });
      },
      { retryDuplicate: true, dryRun },
    ),
  );
}

async function find(store: ProposalStore, session: Session, id: string): Promise<StoredProposal> {
  const found = (await store.find(id)) ?? (await store.waitingFor(breakSubject(id)));
  if (found !== undefined) return found;
  if ((await openAssignmentStore(session).find(id)) === undefined) {
    throw new AppError('not_found', { thing: 'proposal or break', id });
  }
  throw new AppError('nothing_proposed', { breakId: id });
}

async function carryOut(
  session: Session,
  held: HeldBreak,
  { breakBecomes }: ActionDone,
  { at, approver, explained }: { at: Instant; approver: string; explained: Readonly<Record<string, string | number>> },
): Promise<void> {
  const store = openBreakStore(session);
  await store.note(held.id, 'approved', explained, at, approver);
  if (breakBecomes.kind === 'resolved') {
    await store.resolve(held.id, breakBecomes.resolution, at, approver, { proposal: String(explained['proposal']) });
  } else if (breakBecomes.kind === 'open') {
    await store.reopen(held.id, held, at, approver, { proposal: String(explained['proposal']) });
  } else if (held.status === 'proposed') {
    await openAssignmentStore(session).setStatus(held.id, statusBefore(held), at);
  }
}

function statusBefore({ assignee }: HeldBreak): 'open' | 'assigned' {
  return assignee === undefined ? 'open' : 'assigned';
}
