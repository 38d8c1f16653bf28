import { EVERY_ROW, type SqlCondition } from '../db';
import { LIVE_AS_OF, type AsOf } from './match-store';

/** More keys than this are not worth their text: everything is read then, and what is held is left out later. */
const MATCHES_LET_GO_MAX = 400;

/**
 * The condition that no match holds an item, now or as of the past, apart from the matches that let theirs go. So a run
 * reads what is open, and not all that was ever paid.
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
