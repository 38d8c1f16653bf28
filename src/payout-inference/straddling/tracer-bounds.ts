import type { MatchRequest } from '../match-request';
import type { ObservationBounds } from '../observation-bounds';

/**
 * Returns the bounds of tracers. Only cards show when they leave. Other observed items stay AVAILABLE forever, so they
 * are no tracers.
 */
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
