import { column, rowCodec, ROWS_PER_STATEMENT, type Session } from '../db';
import { type Instant, pagesOf } from '../kernel';
import type { NotificationKind } from './recipient';

const EVENT = rowCodec({ subject: column.text('subject'), endedAt: column.optional(column.number('ended_at')) });

/** The events that hold, or held until recently, inside one transaction. */
export interface EventStore {
  /** Returns when each event of a kind ended, by its subject; undefined for one that holds. */
  of(kind: NotificationKind): Promise<Map<string, Instant | undefined>>;
  /** Stores events that began. One that another process stored first fails with `duplicate_key`. */
  begin(kind: NotificationKind, subjects: readonly string[], at: Instant): Promise<void>;
  /** Stores that events ended; undefined: that they hold again. */
  mark(kind: NotificationKind, subjects: readonly string[], endedAt: Instant | undefined): Promise<void>;
  /** Forgets the events of a kind that ended before an instant: the next one with the same subject is new. */
  forget(kind: NotificationKind, endedBefore: Instant): Promise<void>;
}

export function openEvents(session: Session): EventStore {
  return {
    async of(kind) {
      const query = session('notification_events as e').select(EVENT.columns('e')).where('e.kind', kind);
      return new Map((await EVENT.all(query)).map(({ subject, endedAt }) => [subject, endedAt]));
    },
    async begin(kind, subjects, at) {
      for (const page of pagesOf(subjects, ROWS_PER_STATEMENT)) {
        const rows = page.map((subject) => ({ kind, subject, began_at: at, ended_at: null }));
        await session('notification_events').insert(rows);
      }
    },
    async mark(kind, subjects, endedAt) {
      for (const page of pagesOf(subjects, ROWS_PER_STATEMENT)) {
        await session('notification_events')
          .where('kind', kind)
          .whereIn('subject', page)
          .update(EVENT.write({ endedAt }));
      }
    },
    async forget(kind, endedBefore) {
      await session('notification_events').where('kind', kind).where('ended_at', '<', endedBefore).delete();
    },
  };
}
