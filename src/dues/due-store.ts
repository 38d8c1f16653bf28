import { rowsOf, type Row, type Session } from '../db';
import { businessDate, pagesOf, toMillimes, type Instant } from '../kernel';
import type { Due } from './due';

const ROWS_PER_STATEMENT = 500;

/** The dues inside one transaction of the database. */
export interface DueStore {
  /** Those of the given references that exist, cancelled or not. */
  find(references: readonly string[]): Promise<Map<string, Due>>;
  add(dues: readonly Due[], at: Instant, recordedBy: string): Promise<void>;
  isCancelled(reference: string): Promise<boolean>;
  /** A second cancellation of one due fails with `duplicate_key`. */
  cancel(reference: string, reason: string, at: Instant, recordedBy: string): Promise<void>;
}

export function openDueStore(session: Session): DueStore {
  return {
    async find(references) {
      const found = new Map<string, Due>();
      for (const page of pagesOf([...new Set(references)], ROWS_PER_STATEMENT)) {
        const rows = await rowsOf(
          session('dues as d')
            .select('d.reference', 'd.agent_id', 'd.amount_millimes', 'd.due_date', 'd.memo')
            .whereIn('d.reference', page),
        );
        for (const due of rows.map(toDue)) found.set(due.reference, due);
      }
      return found;
    },
    async add(dues, at, recordedBy) {
      const rows = dues.map((due) => ({
        reference: due.reference,
        agent_id: due.agentId,
        amount_millimes: due.amount,
        due_date: due.dueDate,
        memo: due.memo,
        recorded_at: at,
        recorded_by: recordedBy,
      }));
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

function toDue(row: Row): Due {
  return {
    reference: row['reference'] as string,
    agentId: row['agent_id'] as string,
    amount: toMillimes(row['amount_millimes']),
    dueDate: businessDate(row['due_date'] as string),
    memo: row['memo'] as string,
  };
}
