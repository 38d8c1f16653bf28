import type { Database, Session } from '../../db';
import {
  AppError,
  assert,
  compareBytes,
  isAppError,
  type Millimes,
  millimes,
  type Notice,
  type Problem,
  ZERO_MILLIMES,
} from '../../kernel';
import { type Account, openLedger } from '../../ledger';
import type { BreakStatus } from '../recon-break';
import { openAssignmentStore } from './assignment-store';
import type { HeldBreak } from './break-view';
import { inHand, performApproval, type ProposalInTransaction, requireBasis } from './decide-proposal';
import type { ActionDone, Proposal } from './proposal';
import { openProposalStore } from './proposal-store';
import { type ProposalDeps, propose, type ProposeCommand, type Proposed } from './propose';
import { sumWrittenOff } from './write-off-places';
import { broughtBy, referencesAt, writtenOffByBreak } from './write-off-store';

/** The debits less credits of an account, now and after an approval. */
export interface MovedAccount {
  readonly account: Account;
  readonly before: bigint;
  readonly after: bigint;
}

export interface BreakState {
  readonly status: BreakStatus;
  readonly resolution: string | undefined;
  /** The part of the amount that is still open, with the sign of the amount: 0 once the break is resolved. */
  readonly left: Millimes | undefined;
}

/** The effect that an approval would have now. */
export interface ApprovalEffect {
  readonly done: ActionDone;
  readonly accounts: readonly MovedAccount[];
  /** The break now and afterwards; undefined for another subject. */
  readonly states: { readonly before: BreakState; readonly after: BreakState } | undefined;
}

/** A proposal as an approver reads it: its break, and its effect or why it is not possible now. */
export interface PreviewedProposal {
  readonly proposal: Proposal;
  readonly reconBreak: HeldBreak | undefined;
  readonly effect: ApprovalEffect | undefined;
  readonly refusal: Notice | undefined;
  /** The same for programs. */
  readonly problem?: Pick<Problem, 'code' | 'params'>;
}

/** A proposal that was stored; in a dry run with the preview that it would have. */
export interface ProposedOrTried extends Proposed {
  readonly preview?: PreviewedProposal;
}

/** The effect of a trial, without the balances of the accounts. */
type TriedApproval = Pick<ApprovalEffect, 'done' | 'states'> & {
  readonly moved: ReadonlyMap<Account, Millimes>;
};

/** Stands in for the person who will approve; the transaction is rolled back. */
const APPROVER = { kind: 'api_key', name: 'approver', keyId: '0'.repeat(26), scopes: new Set<never>() } as const;

/**
 * Returns an undecided proposal with the effect of its approval. The approval runs as a trial that is rolled back.
 * @throws AppError `not_found`, or `conflict` if it is decided.
 */
export async function previewProposal(deps: ProposalDeps, id: string): Promise<PreviewedProposal> {
  const found: { shown?: Pick<PreviewedProposal, 'proposal' | 'reconBreak'> } = {};
  try {
    const tried = await inHand(deps, { id, dryRun: true }, async (inTransaction) => {
      const { proposal, held } = inTransaction;
      found.shown = { proposal, reconBreak: held };
      requireBasis(proposal, held);
      return tryApproval(inTransaction, deps);
    });
    assert(found.shown !== undefined, 'a trial has a proposal');
    return { ...found.shown, effect: await withBalances(deps.database, tried), refusal: undefined };
  } catch (error) {
    if (found.shown === undefined || !isAppError(error, 'conflict', 'bad_input', 'not_found')) throw error;
    return { ...found.shown, effect: undefined, refusal: error.notice, problem: error.problem };
  }
}

/**
 * Returns a proposal, decided or not. One that waits has the effect of its approval, or why it is not possible.
 * @throws AppError `not_found`.
 */
export async function findProposal(deps: ProposalDeps, id: string): Promise<PreviewedProposal> {
  const shown = await deps.database.read(
    async (session) => {
      const proposal = await openProposalStore(session).find(id);
      if (proposal === undefined) throw new AppError('not_found', { thing: 'proposal', id });
      const { breakId } = proposal;
      return {
        proposal,
        reconBreak: breakId === undefined ? undefined : await openAssignmentStore(session).find(breakId),
      };
    },
    { snapshot: true },
  );
  if (shown.proposal.decision !== undefined) return { ...shown, effect: undefined, refusal: undefined };
  try {
    return await previewProposal(deps, id);
  } catch (error) {
    // Decided since it was read.
    if (isAppError(error, 'conflict') && error.problem.code === 'proposal_decided') return findProposal(deps, id);
    throw error;
  }
}

/** Proposes an action, or previews the proposal in a dry run. @throws as `propose`. */
export async function proposeOrPreview(deps: ProposalDeps, command: ProposeCommand): Promise<ProposedOrTried> {
  if (command.dryRun !== true) return propose(deps, command);
  const found: { tried?: TriedApproval; shown?: Pick<PreviewedProposal, 'proposal' | 'reconBreak'> } = {};
  const proposed = await propose(deps, command, async (session, id) => {
    const store = openProposalStore(session);
    const proposal = await store.find(id);
    assert(proposal !== undefined, 'a stored proposal is found');
    const { breakId, proposedAt: at } = proposal;
    const held = breakId === undefined ? undefined : await openAssignmentStore(session).find(breakId);
    found.shown = { proposal, reconBreak: held };
    found.tried = await tryApproval({ session, store, proposal, held, at }, deps);
  });
  const { tried, shown } = found;
  assert(tried !== undefined && shown !== undefined, 'a dry run tries the approval');
  return { ...proposed, preview: { ...shown, effect: await withBalances(deps.database, tried), refusal: undefined } };
}

/** Performs an approval in a transaction that the caller rolls back, and returns what it changed. */
async function tryApproval(
  inTransaction: ProposalInTransaction,
  { handlers }: Pick<ProposalDeps, 'handlers'>,
): Promise<TriedApproval> {
  const { session, held, at } = inTransaction;
  const before = held === undefined ? undefined : await stateOf(session, held);
  const known = await referencesAt(session, at);
  const by = { actor: APPROVER, approver: APPROVER, reason: undefined };
  const done = await performApproval(inTransaction, { handlers, ...by });
  const posted = [...(await referencesAt(session, at))].filter((reference) => !known.has(reference));
  const moved = new Map([...(await broughtBy(session, posted))].filter(([, amount]) => amount !== 0));
  const now = held === undefined ? undefined : await openAssignmentStore(session).find(held.id);
  if (before === undefined || now === undefined) return { done, moved, states: undefined };
  return { done, moved, states: { before, after: await stateOf(session, now) } };
}

/** Adds the balances. They are read outside the trial, because sums of large accounts would hold its locks. */
async function withBalances(database: Database, { done, states, moved }: TriedApproval): Promise<ApprovalEffect> {
  const accounts = await database.read(async (session) => {
    const ledger = openLedger(session);
    const found: MovedAccount[] = [];
    for (const [account, amount] of [...moved].sort(([a], [b]) => compareBytes(a, b))) {
      const before = await ledger.sumOf(account);
      found.push({ account, before, after: before + BigInt(amount) });
    }
    return found;
  });
  return { done, states, accounts };
}

async function stateOf(session: Session, held: HeldBreak): Promise<BreakState> {
  const { amount, status, resolution } = held;
  if (amount === undefined || status === 'resolved') {
    return { status, resolution, left: amount === undefined ? undefined : ZERO_MILLIMES };
  }
  const given = (await writtenOffByBreak(session, [held.id])).get(held.id) ?? [];
  return { status, resolution, left: millimes(amount - sumWrittenOff(held, given)) };
}
