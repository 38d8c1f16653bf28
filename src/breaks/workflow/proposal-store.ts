import { optionalMillimes, optionalText, rowsOf, type Row, type Session } from '../../db';
import { assert, type Instant } from '../../kernel';
import type { Decision, DecisionOutcome, Proposal, ProposedAction } from './proposal';

const COLUMNS = [
  'p.id',
  'p.subject',
  'p.break_id',
  'p.kind',
  'p.payload',
  'p.reason',
  'p.basis',
  'p.proposed_by',
  'p.proposed_at',
  'd.outcome',
  'd.reason as decision_reason',
  'd.decided_by',
  'd.decided_at',
  'd.posted_as',
  'd.amount_millimes',
] as const;

export interface NewProposal extends Omit<Proposal, 'decision'> {
  /** Of those of its subject, from `nextPosition`. */
  readonly position: number;
  readonly basis: string | undefined;
  readonly proposedByKey: string;
}

export interface StoredProposal extends Proposal {
  readonly basis: string | undefined;
}

export interface NewDecision extends Decision {
  readonly decidedByKey: string | undefined;
}

/** Proposals and decisions inside one transaction. Both are only ever added. */
export interface ProposalStore {
  /** The position that a proposal made now would have; read before anything that the proposal depends on. */
  nextPosition(subject: string): Promise<number>;
  /** Two at once for one subject: one of them fails with `duplicate_key`. */
  add(proposal: NewProposal): Promise<void>;
  /** Two at once for one proposal: one of them fails with `duplicate_key`. */
  decide(proposalId: string, decision: NewDecision): Promise<void>;
  find(id: string): Promise<StoredProposal | undefined>;
  /** Finds the undecided proposal of a subject. */
  waitingFor(subject: string): Promise<StoredProposal | undefined>;
  /** Those of a break, the oldest first. */
  ofBreak(breakId: string): Promise<Proposal[]>;
  /** The oldest first; at most `limit`. */
  waiting(limit: number): Promise<Proposal[]>;
}

export function openProposalStore(session: Session): ProposalStore {
  const proposals = () =>
    session('break_proposals as p')
      .leftJoin('break_decisions as d', 'd.proposal_id', 'p.id')
      .select(...COLUMNS);

  return {
    async nextPosition(subject) {
      const [row] = await rowsOf(
        session('break_proposals as p')
          .select(session.fragment('coalesce(max(p.position), 0) as position'))
          .where('p.subject', subject),
      );
      return Number(row?.['position'] ?? 0) + 1;
    },
    async add({ id, subject, position, breakId, action, reason, basis, proposedBy, proposedByKey, proposedAt }) {
      await session('break_proposals').insert({
        id,
        subject,
        position,
        break_id: breakId ?? null,
        kind: action.kind,
        payload: JSON.stringify(action.payload),
        reason,
        basis: basis ?? null,
        proposed_by: proposedBy,
        proposed_by_key: proposedByKey,
        proposed_at: proposedAt,
      });
    },
    async decide(proposalId, { outcome, reason, decidedBy, decidedByKey, decidedAt, postedAs, amount }) {
      await session('break_decisions').insert({
        proposal_id: proposalId,
        outcome,
        reason: reason ?? null,
        decided_by: decidedBy,
        decided_by_key: decidedByKey ?? null,
        decided_at: decidedAt,
        posted_as: postedAs ?? null,
        amount_millimes: amount ?? null,
      });
    },
    async find(id) {
      const [row] = await rowsOf(proposals().where('p.id', id));
      return row === undefined ? undefined : toProposal(row);
    },
    async waitingFor(subject) {
      const rows = await rowsOf(proposals().where('p.subject', subject).whereNull('d.proposal_id'));
      assert(rows.length <= 1, 'one proposal at most waits for a subject');
      const [row] = rows;
      return row === undefined ? undefined : toProposal(row);
    },
    async ofBreak(breakId) {
      return (await rowsOf(proposals().where('p.break_id', breakId).orderBy('p.position'))).map(toProposal);
    },
    async waiting(limit) {
      const order = ['p.proposed_at', 'p.id'];
      return (await rowsOf(proposals().whereNull('d.proposal_id').orderBy(order).limit(limit))).map(toProposal);
    },
  };
}

/** Lets the pending proposal of a break lapse: call it when the break is closed or opened again. */
export async function lapseProposal(session: Session, breakId: string, at: Instant, actor: string): Promise<void> {
  const store = openProposalStore(session);
  const waiting = await store.waitingFor(breakSubject(breakId));
  if (waiting === undefined) return;
  await store.decide(waiting.id, {
    outcome: 'lapsed',
    reason: undefined,
    decidedBy: actor,
    decidedByKey: undefined,
    decidedAt: at,
    postedAs: undefined,
    amount: undefined,
  });
}

export function breakSubject(breakId: string): string {
  return `break:${breakId}`;
}

function toProposal(row: Row): StoredProposal {
  return {
    id: row['id'] as string,
    subject: row['subject'] as string,
    breakId: optionalText(row['break_id']),
    action: { kind: row['kind'] as string, payload: JSON.parse(row['payload'] as string) as ProposedAction['payload'] },
    reason: row['reason'] as string,
    basis: optionalText(row['basis']),
    proposedBy: row['proposed_by'] as string,
    proposedAt: Number(row['proposed_at']),
    decision: row['outcome'] === null ? undefined : toDecision(row),
  };
}

function toDecision(row: Row): Decision {
  return {
    outcome: row['outcome'] as DecisionOutcome,
    reason: optionalText(row['decision_reason']),
    decidedBy: row['decided_by'] as string,
    decidedAt: Number(row['decided_at']),
    postedAs: optionalText(row['posted_as']),
    amount: optionalMillimes(row['amount_millimes']),
  };
}
