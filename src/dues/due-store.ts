import { column, rowCodec, ROWS_PER_STATEMENT, rowsOf, type Session } from '../db';
import { type Instant, pagesOf } from '../kernel';
import type { Due } from './due';

const DUE = rowCodec({
  reference: column.text('reference'),
  agentId: column.text('agent_id'),
  amount: column.millimes('amount_millimes'),
  dueDate: column.businessDate('due_date'),
  memo: column.text('memo'),
});

/** The dues inside one transaction of the database. */
export interface DueStore {
  /** Returns the existing dues among the given references, cancelled or not. */
  find(references: readonly string[]): Promise<Map<string, Due>>;
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
