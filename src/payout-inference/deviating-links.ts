import { at } from './at';
import type { CutRates } from './cut-rates';
import { chanceOfState, cleanCut, type CutFinder, type CutState, nameOfCut, type Reach } from './cut-states';
import type { Link } from './find-links';
import { cutChance } from './link-prior';
import type { StreamItems } from './order-stream';

/** Links of a smaller share have no alternatives that matter. */
const SHARE_MIN = 0.01;
/** Of the items after a run, this many may have been taken early. */
const EARLY_MAX = 400;
const HELD_MAX = 4_000;
/** Cuts beside the one that was found, on each side. */
const NEIGHBORS_MAX = 40;
/** A cut that is so much less likely than the one beside it is no alternative. */
const CUT_RATIO_MIN = 0.01;
const UNLIKELY_MAX = 4;
const EITHER_WAY = { heldBack: 1, takenEarly: 1 };
/** Two alternatives at once count only if they are not rarer than this. */
const STRENGTH_MIN = 1e-5;

/** A run whose credit paid an item that lies beyond one of its cuts, or did not pay one, or left out refunds. */
export interface DeviatingLink extends Link {
  readonly start: CutState;
  readonly end: CutState;
  /** The positions of refunds of the run that were not taken, and never are. */
  readonly leftOut: readonly number[];
  /** The number of ways in which as many refunds could have been left out. */
  readonly ways: number;
}

export function nameOfLink({ start, end, credit, leftOut }: DeviatingLink): string {
  return [nameOfCut(start), nameOfCut(end), credit.index, ...leftOut].join(' ');
}

/** Returns a link as a deviating one that does not deviate. */
export function plainLink(link: Link): DeviatingLink {
  return { ...link, start: cleanCut(link.from), end: cleanCut(link.to), leftOut: [], ways: 1 };
}

/** Returns whether nothing deviates. */
export function isPlain({ start, end, leftOut }: DeviatingLink): boolean {
  return start.carried === 0 && end.carried === 0 && leftOut.length === 0;
}

export type LinkWithShare = DeviatingLink & { readonly share: number };

export interface NearRequest {
  readonly sequence: StreamItems;
  readonly finder: CutFinder;
  readonly cutRates: CutRates;
}

interface NearState {
  readonly state: CutState;
  /** How likely it is compared with the cut beside it, but for how often items move. */
  readonly strength: number;
}

/**
 * Returns the links that pay the same amounts with other cuts nearby, from which the same sums come out when one item
 * lies on the other side. With a few price points there are many such items, and an exact hit says little.
 */
export function linksNear(request: NearRequest, links: readonly LinkWithShare[]): DeviatingLink[] {
  const likely = links.filter(({ share }) => share > SHARE_MIN);
  const near = statesNear(request, likely);
  const { finder } = request;
  return likely.flatMap((link) => {
    const statesOf = (state: CutState): readonly NearState[] => [
      { state, strength: 1 },
      ...(state.carried === 0 ? (near.get(state.position) ?? []) : []),
    ];
    const paid = paidBy(finder, link);
    return statesOf(link.start).flatMap(({ state: start, strength: ofStart }) =>
      statesOf(link.end)
        .filter(({ strength }) => strength * ofStart >= STRENGTH_MIN)
        .map(({ state: end }) => ({ ...link, from: start.position, to: end.position, start, end }))
        .filter(
          (each) =>
            (each.start !== link.start || each.end !== link.end) && isPossible(each) && paidBy(finder, each) === paid,
        ),
    );
  });
}

/**
 * Returns the links that pay two credits the other way round, with one item on the other side of a cut nearby. What
 * their payouts share by chance then hides the item that moved.
 */
export function linksSwapped(request: NearRequest, [first, next]: readonly [Link, Link]): DeviatingLink[] {
  const { sequence, finder } = request;
  const reach = reachOf(sequence, first.to, first, next);
  const here = { position: first.to, carried: finder.sum(first.from, first.to) - next.credit.amount };
  const cuts = [{ place: here.position, carried: here.carried }, ...cutsNear(request, here, reach)];
  return cuts.flatMap(({ place, carried }) => {
    const state = carried === 0 ? undefined : finder.stateAt(place, carried, reach);
    if (state === undefined) return [];
    const links = [
      { ...plainLink({ from: first.from, to: place, credit: next.credit }), end: state },
      { ...plainLink({ from: place, to: next.to, credit: first.credit }), start: state },
    ];
    return links.every(isPossible) ? links : [];
  });
}

/** Returns the amount of a payout in millimes, without fees on the payout as a whole and without refunds left out. */
function paidBy(finder: CutFinder, { start, end }: DeviatingLink): number {
  return finder.sum(start.position, end.position) + start.carried - end.carried;
}

/** Returns whether the run can contain the items that its states move. No item moves over both of its cuts. */
export function isPossible({ from, to, start, end, leftOut }: DeviatingLink): boolean {
  if (from >= to) return false;
  if (!leftOut.every((position) => position >= from && position < to)) return false;
  const first = start.items.filter(({ position }) => position < to);
  const last = end.items.filter(({ position }) => position >= from);
  if (start.carried === 0) return end.carried === 0 || last.length > 0;
  if (end.carried === 0) return first.length > 0;
  return first.some((one) => last.some((other) => one.position !== other.position));
}

/** Returns, by position, the states beside each clean cut of the links. */
function statesNear(request: NearRequest, links: readonly LinkWithShare[]): Map<number, NearState[]> {
  const into = new Map<number, LinkWithShare>();
  const outOf = new Map<number, LinkWithShare>();
  for (const link of links) {
    if (link.end.carried === 0 && link.share > (into.get(link.to)?.share ?? 0)) into.set(link.to, link);
    if (link.start.carried === 0 && link.share > (outOf.get(link.from)?.share ?? 0)) outOf.set(link.from, link);
  }
  const found = new Map<number, NearState[]>();
  for (const position of new Set([...into.keys(), ...outOf.keys()])) {
    if (position > 0) found.set(position, near(request, position, into.get(position), outOf.get(position)));
  }
  return found;
}

function near(
  request: NearRequest,
  position: number,
  before: LinkWithShare | undefined,
  after: LinkWithShare | undefined,
): NearState[] {
  const { sequence, finder } = request;
  const reach = reachOf(sequence, position, before, after);
  return cutsNear(request, cleanCut(position), reach, before?.credit).flatMap(({ place, carried, ratio }) => {
    const state = carried === 0 ? undefined : finder.stateAt(place, carried, reach);
    if (state === undefined) return [];
    const strength = ratio * chanceOfState(state, EITHER_WAY);
    return strength >= STRENGTH_MIN ? [{ state, strength }] : [];
  });
}

/** A cut beside another one, after which as much was paid. */
export interface NearbyCut {
  readonly place: number;
  readonly carried: number;
  /** How likely a cut is here, compared with the other place. */
  readonly ratio: number;
}

/** Returns the likely cuts on both sides of one, and what each of them would carry. */
export function cutsNear(
  { sequence, finder, cutRates }: NearRequest,
  { position, carried: here }: Pick<CutState, 'position' | 'carried'>,
  reach: Reach,
  credit: Pick<Link['credit'], 'earliest' | 'latest'> = { earliest: -Infinity, latest: Infinity },
): NearbyCut[] {
  const chance = cutChance(sequence, cutRates, position, credit);
  const sumHere = finder.sum(reach.from, position);
  const found: NearbyCut[] = [];
  for (const step of chance > 0 ? [1, -1] : []) {
    let unlikely = 0;
    let place = position;
    for (let steps = 0; steps < NEIGHBORS_MAX && unlikely <= UNLIKELY_MAX; steps += 1) {
      do place += step;
      while (place > 0 && place < sequence.size && at(sequence.isBoundary, place) === 0);
      if (place <= reach.from || place >= reach.to) break;
      const ratio = cutChance(sequence, cutRates, place, credit) / chance;
      if (ratio < CUT_RATIO_MIN) unlikely += 1;
      else if (finder.isPricedAlike(position, place)) {
        found.push({ place, carried: here + finder.sum(reach.from, place) - sumHere, ratio });
      }
    }
  }
  return found;
}

/** Returns the runs around a cut. If no link leads to it or from it, a run as long as the other one is assumed. */
export function reachOf(
  sequence: StreamItems,
  position: number,
  before: Pick<Link, 'from'> | undefined,
  after: Pick<Link, 'to'> | undefined,
): Reach {
  const length = before === undefined ? (after?.to ?? position) - position : position - before.from;
  const from = before?.from ?? position - length;
  const to = after?.to ?? position + length;
  return {
    from: Math.max(0, from, position - HELD_MAX),
    to: Math.min(sequence.size, to, position + EARLY_MAX),
  };
}
