import { checkReason } from '../../identity';
import { AppError } from '../../kernel';
import { isClosedByTwo } from '../recon-break';
import { checkAssignee, checkEvidence, checkText } from './check-text';
import { breakSubject } from './proposal-store';
import {
  requireUnresolved,
  type StepCommand,
  type StepDeps,
  type StepDone,
  withLockedBreak,
} from './with-locked-break';

// The steps of one person on one break, each in one transaction.

/** The resolution of a break that one person closed. A run that still finds the break opens it again. */
const CLOSED_BY_HAND = 'by_hand';

type Outcome = Promise<StepDone['outcome']>;

export interface AssignCommand extends StepCommand {
  readonly assignee: string;
}

/** Assigns an unresolved break to a person, or reassigns it. */
export async function assignBreak(deps: StepDeps, command: AssignCommand): Outcome {
  const { id, assignee, actor } = command;
  checkAssignee(assignee);
  return withLockedBreak(deps, command, 'break.assigned', async ({ held, assignments, store, at }) => {
    requireUnresolved(held);
    if (held.assignee === assignee && held.status !== 'open') return { outcome: 'unchanged' };
    await assignments.assign(id, assignee, at, actor.name);
    if (held.status === 'open') await assignments.setStatus(id, 'assigned', at);
    await store.note(id, 'assigned', { assignee }, at, actor.name);
    return { outcome: 'done', detail: { assignee } };
  });
}

export interface CommentCommand extends StepCommand {
  readonly text?: string | undefined;
  /** A file stored elsewhere, identified by its sha256. */
  readonly evidence?: { readonly fileName: string; readonly sha256: string } | undefined;
}

/** Adds a comment to the history of a break, even if it is resolved. */
export async function commentBreak(deps: StepDeps, command: CommentCommand): Outcome {
  const { id, text, evidence, actor } = command;
  if (text === undefined && evidence === undefined) {
    throw new AppError('bad_input', { field: 'text', expected: 'a text, an evidence file or both' });
  }
  if (text !== undefined) checkText('text', text);
  if (evidence !== undefined) checkEvidence(evidence);
  return withLockedBreak(deps, command, 'break.commented', async ({ store, at }) => {
    const file = evidence === undefined ? {} : { fileName: evidence.fileName, sha256: evidence.sha256 };
    await store.note(id, 'commented', { ...(text === undefined ? {} : { text }), ...file }, at, actor.name);
    // The audit record has no text: the history of the break holds it.
    return { outcome: 'done', detail: file };
  });
}

export interface ReasonedCommand extends StepCommand {
  readonly reason: string;
}

/** Closes a break on the decision of one person. */
export async function resolveBreak(deps: StepDeps, command: ReasonedCommand): Outcome {
  const { id, reason, actor } = command;
  checkReason(reason, 'why the break is settled');
  return withLockedBreak(deps, command, 'break.resolved', async ({ held, store, at }) => {
    requireUnresolved(held);
    requireNoProposal(held);
    await store.resolve(id, CLOSED_BY_HAND, at, actor.name, { reason });
    return { outcome: 'done', detail: { reason } };
  });
}

/** Reopens a break that one person or a run closed. Reopening a break that two people closed takes two people. */
export async function reopenBreak(deps: StepDeps, command: ReasonedCommand): Outcome {
  const { id, reason, actor } = command;
  checkReason(reason, 'why the break is opened again');
  return withLockedBreak(deps, command, 'break.reopened', async ({ held, store, at }) => {
    if (held.status !== 'resolved') throw new AppError('break_not_resolved', { breakId: id });
    if (isClosedByTwo(held)) throw new AppError('closed_by_two', { breakId: id, resolution: held.resolution });
    requireNoProposal(held);
    await store.reopen(id, held, at, actor.name, { reason });
    return { outcome: 'done', detail: { reason } };
  });
}

function requireNoProposal({ id, proposalId }: { readonly id: string; readonly proposalId: string | undefined }): void {
  if (proposalId === undefined) return;
  throw new AppError('proposal_waits', { proposalId, subject: breakSubject(id) });
}
