import type { NewBreak } from '../breaks';
import { addToGroup, type BusinessCalendar } from '../kernel';
import type { Observation } from '../payout-inference';
import type { Facts } from './facts';
import { CLOCK_ERROR_MS, type StoredMatch } from './match';

/**
 * Finds observations that contradict the match of their item: still available after the cut that should have paid it,
 * or paid before that cut. Only card payments change their status; other items stay available. Each contradicted match
 * gets one break and stays live until a person decides. Pure.
 */
export function findContradictions(
  { matches, observations, credits }: Pick<Facts, 'matches' | 'observations' | 'credits'>,
  calendar: BusinessCalendar,
): NewBreak[] {
  const matchOf = new Map<string, StoredMatch>();
  for (const match of matches) {
    for (const { channel, itemId } of match.parts) if (channel === 'card') matchOf.set(itemId, match);
  }
  const amounts = new Map(credits.map(({ lineId, amount }) => [lineId, amount]));
  const doubts = new Map<StoredMatch, Observation[]>();
  for (const observation of observations) {
    const match = matchOf.get(observation.itemId);
    if (match === undefined || !contradicts(observation, match)) continue;
    addToGroup(doubts, match, observation);
  }
  return [...doubts].flatMap(([match, seen]): NewBreak[] => {
    const first = seen.reduce((earliest, each) => (each.observedAt < earliest.observedAt ? each : earliest));
    const { lineId } = match;
    // The run does not report credits after its day.
    if (!amounts.has(lineId)) return [];
    return [
      {
        fingerprint: `ambiguous_payout:contradicted:${match.id}`,
        breakClass: 'ambiguous_payout',
        since: calendar.dateOf(first.observedAt),
        amount: amounts.get(lineId),
        direction: 'unknown',
        subject: {
          itemIds: [...new Set(seen.map(({ itemId }) => itemId))].sort(),
          lineIds: [lineId],
          facts: { matchId: match.id, seen: first.settlementStatus, evidence: match.evidence },
        },
      },
    ];
  });
}

function contradicts({ observedAt, settlementStatus }: Observation, { cut }: StoredMatch): boolean {
  if (cut === undefined) return false;
  if (settlementStatus === 'PAID') return observedAt < cut.after - CLOCK_ERROR_MS;
  const isStillThere = settlementStatus === 'AVAILABLE' || settlementStatus === 'PROCESSING';
  return isStillThere && cut.until !== undefined && observedAt > cut.until + CLOCK_ERROR_MS;
}
