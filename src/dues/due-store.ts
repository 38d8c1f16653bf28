import { byIndex, column, rowCodec, ROWS_PER_STATEMENT, rowsOf, type Session } from '../db';
import { type Instant, pagesOf } from '../kernel';
import type { Due } from './due';

const DUE = rowCodec({
  reference: column.text('reference'),
  agentId: column.text('agent_id'),
  amount: column.millimes('amount_millimes'),
  dueDate: column.businessDate('due_date'),
  memo: column.text('memo'),
});

const CANCELLATION = rowCodec({
  at: column.optional(column.number('recorded_at')),
  reason: column.optional(column.text('reason')),
});

/** A due, and its cancellation if there is one. Payments are not allocated to dues. */
export interface StoredDue extends Due {
  readonly cancellation: { readonly at: Instant; readonly reason: string } | undefined;
}

/** The place of a due in the list of an agent's dues. */
export type DueKey = Pick<Due, 'dueDate' | 'reference'>;

/** The dues inside one transaction of the database. */
export interface DueStore {
  /** Returns the existing dues among the given references, cancelled or not. */
  find(references: readonly string[]): Promise<Map<string, Due>>;
  /** Returns at most `limit` dues of an agent after a key, the latest due date first, then by reference backward. */
  pageOfAgent(agentId: string, after: DueKey | undefined, limit: number): Promise<StoredDue[]>;
  add(dues: readonly Due[], at: Instant, recordedBy: string): Promise<void>;
  isCancelled(reference: string): Promise<boolean>;
  /** Cancels a due. A second cancellation of the same due fails with `duplicate_key`. */
  cancel(reference: string, reason: string, at: Instant, recordedBy: string): Promise<void>;
}

export function openDueStore(session: Session): DueStore {
  return {
    async find(references) {
      const found = new Map<string, Due>();
      for (const page of pagesOf([...new Set(references)], ROWS_PER_STATEMENT)) {
        const query = session('dues as d').select(DUE.columns('d')).whereIn('d.reference', page);
        for (const due of await DUE.all(query)) found.set(due.reference, due);
      }
      return found;
    },
    pageOfAgent: (agentId, after, limit) => pageOfAgent(session, agentId, after, limit),
    async add(dues, at, recordedBy) {
      const rows = dues.map((due) => ({ ...DUE.write(due), recorded_at: at, recorded_by: recordedBy }));
      for (const page of pagesOf(rows, ROWS_PER_STATEMENT)) await session('dues').insert(page);
    },
    async isCancelled(reference) {
      const rows = await rowsOf(
        session('due_cancellations as c').select('c.reference').where('c.reference', reference),
      );
      return rows.length > 0;
    },
    async cancel(reference, reason, at, recordedBy) {
      await session('due_cancellations').insert({ reference, reason, recorded_at: at, recorded_by: recordedBy });
    },
  };
}

async function pageOfAgent(
  session: Session,
  agentId: string,
  after: DueKey | undefined,
  limit: number,
): Promise<StoredDue[]> {
  const page = byIndex(session, 'dues', 'd', 'dues_agent')
    .leftJoin('due_cancellations as c', 'c.reference', 'd.reference')
    .select(...DUE.columns('d'), 'c.recorded_at', 'c.reason')
    .where('d.agent_id', agentId)
    .orderBy([
      { column: 'd.due_date', order: 'desc' },
      { column: 'd.reference', order: 'desc' },
    ])
    .limit(limit);
  if (after !== undefined) {
    const { dueDate, reference } = after;
    void page.where('d.due_date', '<=', dueDate).where((rest) => {
      void rest.where('d.due_date', '<', dueDate).orWhere('d.reference', '<', reference);
    });
  }
  const rows = await rowsOf(page);
  return rows.map((row) => {
    const { at, reason } = CANCELLATION.read(row);
    return { ...DUE.read(row), cancellation: at === undefined || reason === undefined ? undefined : { at, reason } };
  });
}
