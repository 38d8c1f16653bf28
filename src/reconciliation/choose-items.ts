import type { Session } from '../db';
import { addToGroup, AppError, type Instant, onlyId, requireBeginning } from '../kernel';
import type { Channel } from '../payout-inference';
import { readUnpaid, type UnpaidDeps, type UnpaidItem } from './unpaid-items';

/** An end of a run of items: an instant, or an item by its id or a unique beginning of it. Both ends are included. */
export type ItemBound = { readonly at: Instant } | { readonly itemId: string };

/** The unpaid items of a run, as a person chooses them. Each condition narrows the choice. */
export interface ItemSelection {
  readonly channels?: readonly Channel[] | undefined;
  readonly agentId?: string | undefined;
  readonly from?: ItemBound | undefined;
  readonly through?: ItemBound | undefined;
}

/** Item ids, or unique beginnings of them; exact item ids; or a run of the unpaid items. */
export type ItemChoice = readonly string[] | { readonly itemIds: readonly string[] } | ItemSelection;

/**
 * Returns the ids of the chosen items as the session sees them. Ids of items that are not unpaid stay as they are, so
 * that the caller can say what holds them.
 *
 * @throws AppError `not_found`, `ambiguous_id`.
 */
export async function chosenItemIds(
  session: Session,
  deps: UnpaidDeps,
  choice: ItemChoice,
  now: Instant,
): Promise<readonly string[]> {
  if ('itemIds' in choice) return choice.itemIds;
  const unpaid = await readUnpaid(session, deps, now);
  if (!isList(choice)) return chooseItems(unpaid, choice).map(({ itemId }) => itemId);
  const find = itemFinder(unpaid);
  return choice.map((text) => unpaid[find(text) ?? -1]?.itemId ?? text);
}

/** An array type does not narrow a union with a readonly array. */
function isList(choice: ItemChoice): choice is readonly string[] {
  return Array.isArray(choice);
}

/**
 * Returns the chosen ones of the unpaid items, in their order. Pure.
 *
 * @throws AppError `not_found` for an item that is not unpaid, `ambiguous_id`.
 */
export function chooseItems(
  unpaid: readonly UnpaidItem[],
  { channels, agentId, from, through }: ItemSelection,
): UnpaidItem[] {
  const first = from === undefined ? 0 : firstFrom(unpaid, from);
  const end = through === undefined ? unpaid.length : endThrough(unpaid, through);
  return unpaid
    .slice(first, end)
    .filter((item) => channels === undefined || channels.includes(item.channel))
    .filter((item) => agentId === undefined || item.agentId === agentId);
}

function firstFrom(unpaid: readonly UnpaidItem[], bound: ItemBound): number {
  if ('itemId' in bound) return placeOf(unpaid, bound.itemId);
  const first = unpaid.findIndex(({ availableAt }) => availableAt >= bound.at);
  return first < 0 ? unpaid.length : first;
}

function endThrough(unpaid: readonly UnpaidItem[], bound: ItemBound): number {
  if ('itemId' in bound) return placeOf(unpaid, bound.itemId) + 1;
  const end = unpaid.findIndex(({ availableAt }) => availableAt > bound.at);
  return end < 0 ? unpaid.length : end;
}

function placeOf(unpaid: readonly UnpaidItem[], text: string): number {
  const place = itemFinder(unpaid)(text);
  if (place === undefined) throw new AppError('not_found', { thing: 'unpaid item', id: text });
  return place;
}

/**
 * Returns the function that finds the place of an item by its id, by the part after `service:` or `payment:`, or by a
 * unique beginning of either; undefined if no item has it. Only a beginning costs a pass over the items.
 *
 * @throws AppError `ambiguous_id`, or `not_found` for a beginning that is too short.
 */
function itemFinder(unpaid: readonly UnpaidItem[]): (text: string) => number | undefined {
  const places = new Map(unpaid.map(({ itemId }, place) => [itemId, place]));
  const byOutsideId = new Map<string, string[]>();
  for (const itemId of places.keys()) addToGroup(byOutsideId, outsideIdOf(itemId), itemId);
  return (text) => {
    if (places.has(text)) return places.get(text);
    const exact = byOutsideId.get(text);
    if (exact === undefined) requireBeginning('unpaid item', text);
    const begun = (itemId: string): boolean => itemId.startsWith(text) || outsideIdOf(itemId).startsWith(text);
    const found = onlyId('item', text, exact ?? [...places.keys()].filter(begun));
    return found === undefined ? undefined : places.get(found);
  };
}

function outsideIdOf(itemId: string): string {
  return itemId.slice(itemId.indexOf(':') + 1);
}
