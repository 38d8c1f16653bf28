import { elementAt } from './at';
import type { MatchRequest } from './match-request';

type ObservedRequest = Pick<MatchRequest, 'items' | 'observations' | 'observedItems'>;

/** The index of an observation whose item is not in the request. */
export const NO_ITEM = -1;

/**
 * Returns for each observation the index of its item, or `NO_ITEM`. The index in the request is tried first and counts
 * only if the ids agree, so a wrong one costs only time.
 */
export function observedItems(request: ObservedRequest): Int32Array {
  const { items, observations, observedItems: known } = request;
  const places = new Int32Array(observations.length).fill(NO_ITEM);
  const unplaced: number[] = [];
  for (let index = 0; index < observations.length; index += 1) {
    const place = known?.[index] ?? NO_ITEM;
    const item = items[place];
    if (item !== undefined && item.itemId === observations[index]?.itemId) places[index] = place;
    else unplaced.push(index);
  }
  if (unplaced.length > 0) placeById(request, unplaced, places);
  return places;
}

/** If fewer than this share of the items is needed, a set of their ids is built first. */
const FEW_SHARE = 0.25;

/**
 * Returns the indexes of items by id. A map of a million unused ids takes longer than the search, so a few ids are
 * searched among a few.
 */
function placeById({ items, observations }: ObservedRequest, unplaced: readonly number[], places: Int32Array): void {
  const isAsked = unplaced.length < items.length * FEW_SHARE ? asked(observations, unplaced) : undefined;
  const placeOf = new Map<string, number>();
  items.forEach(({ itemId }, place) => {
    if (isAsked === undefined || isAsked.has(itemId)) placeOf.set(itemId, place);
  });
  for (const index of unplaced) places[index] = placeOf.get(elementAt(observations, index).itemId) ?? NO_ITEM;
}

function asked(observations: MatchRequest['observations'], unplaced: readonly number[]): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const index of unplaced) ids.add(elementAt(observations, index).itemId);
  return ids;
}
