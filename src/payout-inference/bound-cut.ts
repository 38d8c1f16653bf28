import { at } from './at';
import type { Link } from './find-links';
import type { ObservationBounds } from './observation-bounds';
import type { StreamItems } from './order-stream';

/** The allowed difference between the clocks of observations and of payments. */
const CLOCK_SLACK_MS = 120_000;

/** A link with the bounds of its cut. */
export interface BoundedLink extends Link {
  readonly cutFrom: number;
  readonly cutTo: number;
  /**
   * Items that were available by then are surely in the payout: observations of the run saw others unpaid before its
   * cut, and taken after it.
   */
  readonly tracedFrom: number;
  /**
   * - `fits`: observations allow the cut.
   * - `merged`: an earlier cut took the first items only, so two payouts came in one credit.
   * - `against`: an observation shows that this cut cannot have taken these items.
   */
  readonly observed: 'fits' | 'merged' | 'against';
}

/**
 * Bounds the cut of a link: after the last item of the run, before the next item, and within the observations of the
 * run.
 */
export function boundCut(link: Link, sequence: StreamItems, bounds: ObservationBounds): BoundedLink {
  let seenOpen = -Infinity;
  let seenTaken = Infinity;
  for (let position = link.from; position < link.to; position += 1) {
    const index = at(sequence.item, position);
    seenOpen = Math.max(seenOpen, at(bounds.lastAvailable, index));
    seenTaken = Math.min(seenTaken, at(bounds.firstTaken, index));
  }
  const from = at(sequence.key, link.to - 1);
  const to = Math.min(at(sequence.key, link.to), link.credit.latest);
  const boundFrom = Math.max(from, seenOpen - CLOCK_SLACK_MS);
  const boundTo = Math.min(to, seenTaken + CLOCK_SLACK_MS);
  if (boundFrom >= boundTo) {
    const isMerged = hasInnerCut(link, sequence, bounds, seenTaken + CLOCK_SLACK_MS);
    return {
      ...link,
      cutFrom: from,
      cutTo: Math.max(to, from + 1),
      tracedFrom: -Infinity,
      observed: isMerged ? 'merged' : 'against',
    };
  }
  const isTraced = seenOpen > -Infinity && seenTaken < Infinity;
  return {
    ...link,
    cutFrom: boundFrom,
    cutTo: boundTo,
    tracedFrom: isTraced ? seenOpen : -Infinity,
    observed: 'fits',
  };
}

/**
 * Returns whether one cut can have taken all items that were available when the first item was seen taken, and a later
 * cut the rest.
 */
function hasInnerCut(link: Link, sequence: StreamItems, bounds: ObservationBounds, takenBy: number): boolean {
  const last = at(sequence.key, link.to - 1);
  if (takenBy > last) return false;
  for (let position = link.from; position < link.to; position += 1) {
    const index = at(sequence.item, position);
    const isBefore = at(sequence.key, position) < takenBy;
    const seenOpen = at(bounds.lastAvailable, index);
    const seenTaken = at(bounds.firstTaken, index);
    // An item that became available within hours of the observation may belong to either payout.
    if (isBefore && seenOpen > takenBy && seenTaken < last) return false;
    if (!isBefore && seenTaken + CLOCK_SLACK_MS <= last) return false;
  }
  return true;
}
