import { afterKey, column, type Decoded, rowCodec, type Session } from '../../db';
import { type Instant, type Page, pageByKey } from '../../kernel';
import type { Proposal } from './proposal';
import { readProposals, selectProposals } from './proposal-store';

/** The sort key of a proposal: when it was proposed, of a decided one when it was decided, and its id. */
export type ProposalKey = readonly [at: Instant, id: string];

export interface ProposalQuery {
  /** Proposals that wait for another person, or those that are decided or lapsed. */
  readonly waiting: boolean;
  readonly proposedBy?: string | undefined;
  readonly after?: ProposalKey | undefined;
  readonly limit: number;
}

const EXAMINED = rowCodec({ id: column.text('id'), at: column.number('at'), isDecided: column.flag('is_decided') });
type Examined = Decoded<typeof EXAMINED> & { readonly proposal: Proposal | undefined };

/**
 * Returns a page of proposals, newest first. It examines at most 2,000 of them, and those that wait are among the newest.
 */
export async function listProposals(session: Session, query: ProposalQuery): Promise<Page<Proposal, ProposalKey>> {
  const { waiting, proposedBy, after: first, limit } = query;
  const { rows, next } = await pageByKey<Examined, ProposalKey>({
    async read(after, count) {
      const found = await EXAMINED.all(waiting ? proposed(session, after, count) : decided(session, after, count));
      const ids = found.filter(({ isDecided }) => isDecided !== waiting).map(({ id }) => id);
      const proposals = ids.length === 0 ? [] : await readProposals(selectProposals(session).whereIn('p.id', ids));
      const byId = new Map(proposals.map((each) => [each.id, each]));
      return found.map((each) => ({ ...each, proposal: byId.get(each.id) }));
    },
    keyOf: ({ at, id }) => [at, id],
    keep: ({ proposal }) => proposal !== undefined && (proposedBy === undefined || proposal.proposedBy === proposedBy),
    ...{ after: first, limit },
  });
  return { rows: rows.flatMap(({ proposal }) => proposal ?? []), next };
}

/** Selects only columns of an index, so that MariaDB never prefers to scan the table. */
function proposed(session: Session, after: ProposalKey | undefined, count: number) {
  const query = session('break_proposals as p')
    .leftJoin('break_decisions as d', 'd.proposal_id', 'p.id')
    .select('p.id', 'p.proposed_at as at', session.fragment('d.proposal_id is not null as is_decided'));
  return afterKey(session, query, { columns: ['p.proposed_at', 'p.id'], order: 'desc', after }, count);
}

function decided(session: Session, after: ProposalKey | undefined, count: number) {
  const query = session('break_decisions as d').select(
    ...['d.proposal_id as id', 'd.decided_at as at'],
    session.fragment('1 as is_decided'),
  );
  return afterKey(session, query, { columns: ['d.decided_at', 'd.proposal_id'], order: 'desc', after }, count);
}
