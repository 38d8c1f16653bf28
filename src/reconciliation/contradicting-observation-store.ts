import { column, rowCodec, type Session } from '../db';
import type { Instant } from '../kernel';
import type { ItemObservation } from '../payments';
import { CLOCK_ERROR_MS } from './match';
import { ALWAYS, type AsOf, LIVE_AS_OF } from './match-store';

/** The statuses are words of the gateway, so any text is valid. */
const OBSERVATION = rowCodec({
  itemId: column.text('item_id'),
  observedAt: column.number('observed_at'),
  status: column.text('status'),
  settlementStatus: column.text('settlement_status'),
  recordedAt: column.number('recorded_at'),
});

/** Reads observations that contradict the match of their item, inside one transaction of the database. */
export interface ContradictingObservations {
  /** Returns those before `before`, by time; as of the past if `asOf` is given. */
  list(before: Instant, asOf?: AsOf): Promise<ItemObservation[]>;
}

/** The condition of `findContradictions`, so that only these observations are read. */
const CONTRADICTS = `((o.settlement_status = 'PAID' and o.observed_at < m.cut_after - ?)
  or (o.settlement_status in ('AVAILABLE', 'PROCESSING') and o.observed_at > m.cut_until + ?))`;

export function openContradictingObservations(session: Session): ContradictingObservations {
  // With outdated statistics a server would scan all observations first, but only a few belong to matched cards.
  const itemInThisOrder = session.dialect === 'mariadb' ? 'straight_join p.item_id' : 'p.item_id';
  return {
    list(before, asOf) {
      const { knownUntil, beforeRunId } = asOf ?? ALWAYS;
      return OBSERVATION.all(
        session('payout_matches as m')
          .join('payout_match_items as i', 'i.match_id', 'm.id')
          .join('payments as p', 'p.item_id', 'i.item_id')
          .join('payment_observations as o', 'o.tracking_id', 'p.tracking_id')
          .select(
            session.fragment(itemInThisOrder),
            'o.observed_at',
            'o.status',
            'o.settlement_status',
            'o.recorded_at',
          )
          .where('i.channel', 'card')
          .where('o.observed_at', '<', before)
          .where('o.recorded_at', '<=', knownUntil)
          .whereNotNull('m.cut_after')
          .whereRaw(CONTRADICTS, [CLOCK_ERROR_MS, CLOCK_ERROR_MS])
          .whereRaw(LIVE_AS_OF, [knownUntil, beforeRunId, knownUntil, beforeRunId])
          .orderBy(['o.observed_at', 'o.id']),
      );
    },
  };
}
