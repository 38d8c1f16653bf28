import type { CutRates } from '../cut-rates';
import type { StreamItems } from '../order-stream';
import type { CutSlot, StraddlingItem } from './cut-slots';
import { chanceOf, hasTaken, paidBetween, type TakenSet, takenSet } from './taken-set';
import type { WeighedEdge } from './weigh-chain';

/** How often items lie on the other side of a cut than time says. */
const MOVED_RATE = 0.002;
/** Cuts that are so much less likely than the one that was found do not matter. */
const RATIO_MIN = 0.01;
/** Less likely answers need no further check. */
const CHECKED_SHARE_MIN = 0.5;

export interface NearMissRequest {
  readonly sequence: StreamItems;
  readonly slots: readonly CutSlot[];
  readonly cutRates: CutRates;
  readonly netAt: (instant: number) => Float64Array;
}

/**
 * How likely an exact hit is another cut in disguise: a cut nearby that takes other items comes to the same sum when one
 * item was passed over, or taken although no observation saw it in time.
 */
export function nearMissError({ sequence, slots, cutRates, netAt }: NearMissRequest, edge: WeighedEdge): number {
  const { from, to, share } = edge;
  if (share < CHECKED_SHARE_MIN) return 0;
  const here = to.slots.reduce((sum, { slot, logChance }) => sum + cutChance(cutRates, slot) * Math.exp(logChance), 0);
  const net = netAt(edge.cutFrom);
  const paid = paidBetween(sequence, from.taken, to.taken);
  const counts = new Map<number, number>();
  for (const position of paid) counts.set(net[position] ?? 0, (counts.get(net[position] ?? 0) ?? 0) + 1);
  const sumOf = (taken: TakenSet): number => netOf(paidBetween(sequence, from.taken, taken), net);
  const sumHere = sumOf(to.taken);
  let error = 0;
  for (const slot of slots) {
    if (slot.to <= edge.cutFrom - cutRates.widthMs || slot.from >= edge.cutTo + cutRates.widthMs) continue;
    const taken = sameChoice(slot, to.taken, from.taken);
    const difference = Math.abs(sumOf(taken) - sumHere);
    const ratio = (cutChance(cutRates, slot) * Math.exp(chanceOf(slot, taken))) / here;
    if (difference === 0 || ratio < RATIO_MIN) continue;
    error += (ratio * MOVED_RATE * (counts.get(difference) ?? 0)) / paid.length;
  }
  return error;
}

function cutChance(cutRates: CutRates, { from, to }: CutSlot): number {
  return -Math.expm1(-cutRates.expected(from, to));
}

/** What a cut in another slot takes when what is open there is chosen alike. */
function sameChoice(slot: CutSlot, chosen: TakenSet, before: TakenSet): TakenSet {
  const isChosen = ({ position }: StraddlingItem): boolean => hasTaken(chosen, position);
  // What is open in a crowded slot is unknown: then all that was chosen is.
  const extras = slot.isCrowded ? chosen.extras : slot.open.filter(isChosen).map(({ position }) => position);
  return takenSet(Math.max(slot.sure, before.upTo), [...before.extras, ...slot.taken, ...extras]);
}

function netOf(positions: readonly number[], net: Float64Array): number {
  return positions.reduce((sum, position) => sum + (net[position] ?? 0), 0);
}
