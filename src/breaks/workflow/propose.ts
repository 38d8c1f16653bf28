import type { Session } from '../../db';
import {
  type Actor,
  checkReason,
  openAuditTrail,
  personId,
  requireProposer,
  type TwoPeopleAction,
} from '../../identity';
import { AppError, type Instant, isAppError, newId } from '../../kernel';
import { openBreakStore } from '../break-store';
import { openAssignmentStore } from './assignment-store';
import type { HeldBreak } from './break-view';
import { type ActionDone, basisOf, type DecideHandler, type DecideHandlers, type ProposedAction } from './proposal';
import { breakSubject, openProposalStore } from './proposal-store';
import { lockBreak, requireUnresolved, type StepDeps } from './with-locked-break';

export interface ProposalDeps extends StepDeps {
  readonly handlers: DecideHandlers;
}

export interface ProposeCommand {
  /** A break, or another subject that two people decide, such as `day:2026-03-02`. */
  readonly about: { readonly breakId: string; readonly ifVersion?: number | undefined } | { readonly subject: string };
  readonly action: ProposedAction;
  readonly reason: string;
  readonly actor: Actor;
  readonly dryRun?: boolean;
}

export interface Proposed {
  readonly proposalId: string;
  /** The effect that an approval would have now. */
  readonly wouldDo: ActionDone;
}

/** Actions on resolved breaks. All others need an unresolved break. */
const FOR_RESOLVED: readonly string[] = ['reopen', 'unmatch'];

const SUBJECT_CHARACTERS_MAX = 100;
const PAYLOAD_CHARACTERS_MAX = 1_000_000;

/**
 * Stores the action that one person proposes, so that another person can decide it. The action first runs as a trial
 * that is rolled back, so that no impossible action is proposed. At most one proposal waits for each subject.
 * `onStored` runs in the transaction of the proposal, which a dry run rolls back.
 * @throws AppError `forbidden`, `not_found`, `bad_input`, `conflict`.
 */
export async function propose(
  deps: ProposalDeps,
  command: ProposeCommand,
  onStored?: (session: Session, proposalId: string) => Promise<void>,
): Promise<Proposed> {
  const { about, action, reason, actor, dryRun = false } = command;
  const [kind, handler] = handlerOf(deps.handlers, action.kind);
  const proposer = requireProposer(actor, kind);
  checkReason(reason, 'why it should be done');
  const payload = JSON.stringify(action.payload);
  if (payload.length > PAYLOAD_CHARACTERS_MAX) {
    const expected = `at most ${PAYLOAD_CHARACTERS_MAX} characters of JSON`;
    throw new AppError('bad_input', { field: 'payload', expected, got: payload.length });
  }
  const subject = 'breakId' in about ? breakSubject(about.breakId) : checkedSubject(about.subject);

  const takeInHand = async (session: Session): Promise<{ held: HeldBreak | undefined; at: Instant }> => {
    const held = 'breakId' in about ? await lockBreak(session, about.breakId, about.ifVersion) : undefined;
    const waiting = await openProposalStore(session).waitingFor(subject);
    if (waiting !== undefined) throw new AppError('proposal_waits', { proposalId: waiting.id, subject });
    if (held !== undefined && !FOR_RESOLVED.includes(action.kind)) requireUnresolved(held);
    return { held, at: deps.clock.now() };
  };
  const proposalId = newId();
  const fresh = { id: proposalId, subject, action, reason, proposedBy: proposer.name };

  const wouldDo = await doneBeforeIsConflict(() =>
    deps.database.transact(
      async (session) => {
        const { held, at } = await takeInHand(session);
        const onTrial = { ...fresh, breakId: held?.id, proposedAt: at, decision: undefined, reconBreak: held };
        return handler(session, onTrial, actor, at);
      },
      { retryDuplicate: true, dryRun: true },
    ),
  );
  await deps.database.transact(
    async (session) => {
      const store = openProposalStore(session);
      // Taken before the check for a pending proposal: a concurrent proposal takes the same position, and the key
      // refuses it.
      const position = await store.nextPosition(subject);
      const { held, at } = await takeInHand(session);
      await store.add({
        ...fresh,
        position,
        breakId: held?.id,
        basis: held === undefined ? undefined : basisOf(held),
        proposedByKey: personId(proposer),
        proposedAt: at,
      });
      const detail = { proposal: proposalId, action: action.kind, reason };
      if (held !== undefined) {
        if (held.status !== 'resolved') await openAssignmentStore(session).setStatus(held.id, 'proposed', at);
        await openBreakStore(session).note(held.id, 'proposed', detail, at, actor.name);
      }
      await openAuditTrail(session).record({ at, actor, action: 'proposal.made', subject, detail });
      await onStored?.(session, proposalId);
    },
    // If two proposals are concurrent, the second one fails, repeats, and finds the first.
    { retryDuplicate: true, dryRun },
  );
  return { proposalId, wouldDo };
}

/** Returns the kind of an action and its handler. @throws AppError `bad_input` for an unknown kind. */
export function handlerOf(handlers: DecideHandlers, kind: string): readonly [TwoPeopleAction, DecideHandler] {
  const known = Object.entries(handlers) as [TwoPeopleAction, DecideHandler][];
  const found = known.find(([each]) => each === kind);
  if (found !== undefined) return found;
  const expected = `one of ${Object.keys(handlers).sort().join(', ')}`;
  throw new AppError('bad_input', { field: 'action', expected, got: kind });
}

/**
 * Translates a duplicate reference or row to `conflict`: the action was performed before, or another process performs
 * it now.
 */
export async function doneBeforeIsConflict<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isAppError(error, 'duplicate_key')) throw error;
    throw new AppError('already_done', {}, { cause: error });
  }
}

function checkedSubject(subject: string): string {
  // A proposal for a break must name the break by its id, which locks it.
  if (
    /^[a-z_]+:[\x21-\x7e]+$/.test(subject) &&
    subject.length <= SUBJECT_CHARACTERS_MAX &&
    !subject.startsWith('break:')
  ) {
    return subject;
  }
  const expected = 'a kind and an id, such as day:2026-03-02; for a break its id alone';
  throw new AppError('bad_input', { field: 'subject', expected, got: subject });
}
