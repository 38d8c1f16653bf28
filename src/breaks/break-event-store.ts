import { column, rowCodec, type Session } from '../db';
import { BREAK_EVENT_KINDS, type BreakEvent } from './recon-break';

/** What happened to a break, before it has its position in the history. */
export type NewBreakEvent = Omit<BreakEvent, 'position'>;

/** Reads and appends the histories of breaks inside one transaction of the database. */
export interface BreakEventStore {
  /** Stores the first events of new breaks, at most `ROWS_PER_STATEMENT`. */
  begin(first: readonly (readonly [breakId: string, event: NewBreakEvent])[]): Promise<void>;
  append(breakId: string, event: NewBreakEvent): Promise<void>;
  /** Returns the events of a break, oldest first. */
  of(breakId: string): Promise<BreakEvent[]>;
}

const EVENT = rowCodec({
  position: column.number('position'),
  kind: column.word('kind', BREAK_EVENT_KINDS),
  actor: column.text('actor'),
  at: column.number('at'),
  detail: column.json('detail', (value) => value as BreakEvent['detail']),
});
const LAST_POSITION = rowCodec({ position: column.number('position') });

export function openBreakEventStore(session: Session): BreakEventStore {
  return {
    async begin(first) {
      await session('recon_break_events').insert(first.map(([id, event]) => rowOf(id, { position: 1, ...event })));
    },
    async append(breakId, event) {
      const last = await LAST_POSITION.first(
        session('recon_break_events as e')
          .select(session.fragment('coalesce(max(e.position), 0) as position'))
          .where('e.break_id', breakId),
      );
      const position = (last?.position ?? 0) + 1;
      await session('recon_break_events').insert(rowOf(breakId, { position, ...event }));
    },
    of: (breakId) =>
      EVENT.all(
        session('recon_break_events as e')
          .select(EVENT.columns('e'))
          .where('e.break_id', breakId)
          .orderBy('e.position'),
      ),
  };
}

function rowOf(breakId: string, event: BreakEvent): Record<string, unknown> {
  return { break_id: breakId, ...EVENT.write(event) };
}
