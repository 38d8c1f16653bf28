import type { MatchRequest } from '../match-request';
import type { ObservationBounds } from '../observation-bounds';

/** Only card money says when it leaves: what else is observed stays AVAILABLE for ever, so it is no tracer. */
export function tracerBounds({ items }: MatchRequest, bounds: ObservationBounds): ObservationBounds {
  const lastAvailable = bounds.lastAvailable.slice();
  const firstTaken = bounds.firstTaken.slice();
  items.forEach(({ channel, amount }, index) => {
    if (channel === 'card' && amount > 0) return;
    lastAvailable[index] = -Infinity;
    firstTaken[index] = Infinity;
  });
  return { ...bounds, lastAvailable, firstTaken };
}
