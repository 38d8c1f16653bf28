import { at } from './at';
import type { Link } from './find-links';
import type { ObservationBounds } from './observation-bounds';
import type { StreamItems } from './order-stream';

/** Observations and payments are read from two clocks. */
const CLOCK_SLACK_MS = 120_000;

/** A link with the bounds of its cut. */
export interface BoundedLink extends Link {
  readonly cutFrom: number;
  readonly cutTo: number;
  /** What was available by then was in, as observations of the run show: seen before its cut, and seen taken after it. */
  readonly tracedFrom: number;
  /**
   * `fits`; `merged`: observations show that the first of the items were taken by an earlier cut, the others not, so two payouts
   * came in one credit; `against`: an observation shows that this cut cannot have taken these items.
   */
  readonly observed: 'fits' | 'merged' | 'against';
}

/** The cut lies after the last item of the run and before the next one, and where the observations of the run leave it. */
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

/** Whether what was available when the first item was seen taken can all have been taken then, and the rest at the end. */
function hasInnerCut(link: Link, sequence: StreamItems, bounds: ObservationBounds, takenBy: number): boolean {
  const last = at(sequence.key, link.to - 1);
  if (takenBy > last) return false;
  for (let position = link.from; position < link.to; position += 1) {
    const index = at(sequence.item, position);
    const isBefore = at(sequence.key, position) < takenBy;
    const seenOpen = at(bounds.lastAvailable, index);
    const seenTaken = at(bounds.firstTaken, index);
    // An item of the last hours before the observation may belong to either payout.
    if (isBefore && seenOpen > takenBy && seenTaken < last) return false;
    if (!isBefore && seenTaken + CLOCK_SLACK_MS <= last) return false;
  }
  return true;
}
