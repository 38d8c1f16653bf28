import { column, rowCodec, rowsOf, type Session } from '../../db';
import type { Instant } from '../../kernel';
import { BREAK } from '../break-store';
import type { BreakStatus } from '../recon-break';
import type { HeldBreak } from './break-view';

const HELD_BREAK = rowCodec({
  ...BREAK.fields,
  assignee: column.optional(column.text('assignee')),
  proposalId: column.optional(column.text('proposal_id')),
  version: column.number('version'),
});

/** Reads and writes the assignees of breaks inside one transaction. */
export interface AssignmentStore {
  /** Returns the breaks with these ids, at most a page of them, in any order. */
  byIds(ids: readonly string[]): Promise<HeldBreak[]>;
  find(id: string): Promise<HeldBreak | undefined>;
  /** Finds a break and locks it until the transaction ends. Every change of a break requires this lock. */
  lock(id: string): Promise<HeldBreak | undefined>;
  assign(id: string, assignee: string, at: Instant, actor: string): Promise<void>;
  setStatus(id: string, status: BreakStatus, at: Instant): Promise<void>;
}

export function openAssignmentStore(session: Session): AssignmentStore {
  const held = () =>
    session('recon_breaks as b')
      .leftJoin('break_assignments as a', 'a.break_id', 'b.id')
      .select(
        ...BREAK.columns('b'),
        'a.assignee',
        session.fragment(
          '(select p.id from break_proposals p left join break_decisions d on d.proposal_id = p.id ' +
            'where p.break_id = b.id and d.proposal_id is null) as proposal_id',
        ),
        session.fragment('(select max(e.position) from recon_break_events e where e.break_id = b.id) as version'),
      );

  const find = (id: string): Promise<HeldBreak | undefined> => HELD_BREAK.first(held().where('b.id', id));

  return {
    byIds: async (ids) => (ids.length === 0 ? [] : HELD_BREAK.all(held().whereIn('b.id', [...ids]))),
    find,
    async lock(id) {
      // Locks the row first, so that later reads include the writes of earlier holders.
      await rowsOf(session('recon_breaks as b').select('b.id').where('b.id', id).forUpdate());
      return find(id);
    },
    async assign(id, assignee, at, actor) {
      const row = { assignee, assigned_at: at, assigned_by: actor };
      const changed = await session('break_assignments').where('break_id', id).update(row);
      if (changed === 0) await session('break_assignments').insert({ break_id: id, ...row });
    },
    async setStatus(id, status, at) {
      await session('recon_breaks').where('id', id).update({ status, updated_at: at });
    },
  };
}
