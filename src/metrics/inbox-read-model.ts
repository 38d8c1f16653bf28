import { column, rowCodec, type Session } from '../db';
import type { Instant } from '../kernel';

const WAITING = rowCodec({
  state: column.word('state', ['received', 'parked']),
  count: column.number('row_count'),
  oldestAt: column.number('oldest_at'),
});

/** The stored webhooks in one state that are not processed yet, and when the oldest of them arrived. */
export interface WaitingWebhooks {
  readonly state: 'received' | 'parked';
  readonly count: number;
  readonly oldestAt: Instant;
}

/** Returns the waiting webhooks of each state that has some. */
export function waitingWebhooks(session: Session): Promise<WaitingWebhooks[]> {
  return WAITING.all(
    session('webhook_inbox as w')
      .select('w.state', session.fragment('count(*) as row_count'), session.fragment('min(w.received_at) as oldest_at'))
      .whereIn('w.state', ['received', 'parked'])
      .groupBy('w.state'),
  );
}
