import { column, type Row, rowCodec, rowsOf, type Session } from '../../db';
import { assert, type Instant } from '../../kernel';
import { type Decision, DECISION_OUTCOMES, type Proposal, type ProposedAction } from './proposal';

const PROPOSAL = rowCodec({
  id: column.text('id'),
  subject: column.text('subject'),
  breakId: column.optional(column.text('break_id')),
  kind: column.text('kind'),
  payload: column.json('payload', (value) => value as ProposedAction['payload']),
  reason: column.text('reason'),
  basis: column.optional(column.text('basis')),
  proposedBy: column.text('proposed_by'),
  proposedAt: column.number('proposed_at'),
});
const OUTCOME = {
  outcome: column.word('outcome', DECISION_OUTCOMES),
  decidedBy: column.text('decided_by'),
  decidedAt: column.number('decided_at'),
  postedAs: column.optional(column.text('posted_as')),
  amount: column.optional(column.millimes('amount_millimes')),
};
/** A decision in a row of its proposal. The reason of the proposal occupies the name `reason`. */
const JOINED_DECISION = rowCodec({ ...OUTCOME, reason: column.optional(column.text('decision_reason')) });
const DECISION = rowCodec({
  proposalId: column.text('proposal_id'),
  ...OUTCOME,
  reason: column.optional(column.text('reason')),
  decidedByKey: column.optional(column.text('decided_by_key')),
});
const LAST_POSITION = rowCodec({ position: column.number('position') });

export interface NewProposal extends Omit<Proposal, 'decision'> {
  /** Its position among the proposals of its subject, from `nextPosition`. */
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

/** Reads and appends proposals and decisions inside one transaction. */
export interface ProposalStore {
  /** Returns the position of the next proposal. Call it before you read anything on which the proposal depends. */
  nextPosition(subject: string): Promise<number>;
  /** Stores a proposal. If two proposals for one subject are concurrent, one fails with `duplicate_key`. */
  add(proposal: NewProposal): Promise<void>;
  /** Stores a decision. If two decisions on one proposal are concurrent, one fails with `duplicate_key`. */
  decide(proposalId: string, decision: NewDecision): Promise<void>;
  find(id: string): Promise<StoredProposal | undefined>;
  /** Finds the undecided proposal of a subject. */
  waitingFor(subject: string): Promise<StoredProposal | undefined>;
  /** Returns the proposals of a break, oldest first. */
  ofBreak(breakId: string): Promise<Proposal[]>;
}

export function openProposalStore(session: Session): ProposalStore {
  const proposals = () => selectProposals(session);

  return {
    async nextPosition(subject) {
      const last = await LAST_POSITION.first(
        session('break_proposals as p')
          .select(session.fragment('coalesce(max(p.position), 0) as position'))
          .where('p.subject', subject),
      );
      return (last?.position ?? 0) + 1;
    },
    async add({ position, action, proposedByKey, ...proposal }) {
      await session('break_proposals').insert({
        ...PROPOSAL.write({ ...proposal, kind: action.kind, payload: action.payload }),
        position,
        proposed_by_key: proposedByKey,
      });
    },
    async decide(proposalId, decision) {
      await session('break_decisions').insert(DECISION.write({ proposalId, ...decision }));
    },
    find: async (id) => (await readProposals(proposals().where('p.id', id)))[0],
    async waitingFor(subject) {
      const waiting = await readProposals(proposals().where('p.subject', subject).whereNull('d.proposal_id'));
      assert(waiting.length <= 1, 'one proposal at most waits for a subject');
      return waiting[0];
    },
    ofBreak: (breakId) => readProposals(proposals().where('p.break_id', breakId).orderBy('p.position')),
  };
}

/** Selects proposals (`p`) with their decisions (`d`). */
export function selectProposals(session: Session) {
  return session('break_proposals as p')
    .leftJoin('break_decisions as d', 'd.proposal_id', 'p.id')
    .select(...PROPOSAL.columns('p'), 'd.reason as decision_reason')
    .select(Object.values(OUTCOME).map(({ name }) => `d.${name}`));
}

export async function readProposals(query: ReturnType<Session>): Promise<StoredProposal[]> {
  return (await rowsOf(query)).map(toProposal);
}

/** Lets the pending proposal of a break lapse. Call it when the break is closed or reopened. */
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
  const { kind, payload, ...proposal } = PROPOSAL.read(row);
  const isDecided = row[OUTCOME.outcome.name] !== null;
  return { ...proposal, action: { kind, payload }, decision: isDecided ? JOINED_DECISION.read(row) : undefined };
}
