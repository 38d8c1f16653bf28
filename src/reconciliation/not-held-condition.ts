import { EVERY_ROW, type SqlCondition } from '../db';
import { type AsOf, LIVE_AS_OF } from './match-store';

/** With more keys than this, the run reads all items and removes the held ones later. */
const MATCHES_LET_GO_MAX = 400;

/**
 * Returns the condition that no match holds an item, now or as of the past. Matches in `letGo` do not count. So a run
 * reads only open items.
 */
export function notHeldCondition(asOf: AsOf | undefined, letGo: readonly string[]): (itemId: string) => SqlCondition {
  if (letGo.length > MATCHES_LET_GO_MAX) return () => EVERY_ROW;
  const butThese = (column: string): string =>
    letGo.length === 0 ? '' : ` and ${column} not in (${letGo.map(() => '?').join(', ')})`;
  if (asOf === undefined) {
    return (itemId) => ({
      sql: `not exists (select 1 from payout_claimed_items k where k.item_id = ${itemId}${butThese('k.match_id')})`,
      bindings: letGo,
    });
  }
  const { knownUntil, beforeRunId } = asOf;
  return (itemId) => ({
    sql:
      `not exists (select 1 from payout_match_items h join payout_matches m on m.id = h.match_id` +
      ` where h.item_id = ${itemId} and ${LIVE_AS_OF}${butThese('m.id')})`,
    bindings: [knownUntil, beforeRunId, knownUntil, beforeRunId, ...letGo],
  });
}
