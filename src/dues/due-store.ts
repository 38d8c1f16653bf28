import { column, type Decoded, rowCodec, ROWS_PER_STATEMENT, rowsOf, type Session } from '../db';
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
  reference: column.text('reference'),
  at: column.number('recorded_at'),
  reason: column.text('reason'),
});

const KEY = rowCodec({ dueDate: DUE.fields.dueDate, reference: DUE.fields.reference });

/** When and why a due was cancelled. */
export type DueCancellation = Omit<Decoded<typeof CANCELLATION>, 'reference'>;

/** The place of a due in the list of an agent's dues. */
export type DueKey = Decoded<typeof KEY>;

/** The dues inside one transaction of the database. */
export interface DueStore {
  /** Returns the existing dues among the given references, cancelled or not. */
  find(references: readonly string[]): Promise<Map<string, Due>>;
  /**
   * Returns at most `limit` keys of an agent's dues after a key, the latest due date first. Only keys: with further
   * columns MariaDB reads the agent's dues from the first one on.
   */
  keysOfAgent(agentId: string, after: DueKey | undefined, limit: number): Promise<DueKey[]>;
  /** Returns the cancellations of those dues that are cancelled. */
  cancellations(references: readonly string[]): Promise<Map<string, DueCancellation>>;
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
    keysOfAgent(agentId, after, limit) {
      const page = session('dues as d')
        .select(KEY.columns('d'))
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
      return KEY.all(page);
    },
    async cancellations(references) {
      const found = new Map<string, DueCancellation>();
      for (const page of pagesOf(references, ROWS_PER_STATEMENT)) {
        const query = session('due_cancellations as c').select(CANCELLATION.columns('c'));
        for (const { reference, ...rest } of await CANCELLATION.all(query.whereIn('c.reference', page))) {
          found.set(reference, rest);
        }
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
