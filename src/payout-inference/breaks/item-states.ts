import { assert, type BusinessDate } from '../../kernel';
import type { Item, Stream } from '../match-request';
import type { InferredItem, MatchedItem } from '../match-result';
import type { BreakContext } from './break-context';

/** An item that no credit paid, as the classes of breaks see it. */
export interface UnsettledItem {
  readonly item: Item;
  readonly available: InferredItem['available'];
  readonly stream: Stream;
  readonly dueOn: BusinessDate;
  readonly isOverdue: boolean;
}

export interface ItemStates {
  /** In the order of the request's items. */
  readonly items: readonly MatchedItem[];
  /** Without those of a returned payout, which tells of them by itself. */
  readonly unsettled: readonly UnsettledItem[];
}

/**
 * Says of each item whether it is settled, waits inside its grace (`pending`), or should have come (`open`). A payment
 * that left with its own refund is settled without a line, because it is not owed. What a returned payout had paid is open from
 * the day of the return on, until it is paid again. An item whose stream is not known stands in its channel's.
 */
export function itemStates(context: BreakContext): ItemStates {
  const { request, inference, grace, horizon, days, cadenceOf, returnedLineIds } = context;
  const overdueUntil = horizon === undefined ? undefined : days.latestOlderThan(0, horizon);
  const unsettled: UnsettledItem[] = [];
  const items = inference.items.map((inferred, index): MatchedItem => {
    const { itemId, lineId, evidence, available } = inferred;
    const isReturned = lineId !== undefined && returnedLineIds.has(lineId);
    if (inferred.cancelled || (lineId !== undefined && !isReturned)) {
      return { itemId, state: 'settled', evidence, lineId, dueOn: undefined };
    }
    const item = request.items[index];
    assert(item?.itemId === itemId, 'an inference names the items in the order of the request');
    const stream = inferred.stream ?? item.channel;
    const dueOn = days.add(cadenceOf(stream).bookedBy(available), grace.missingInBank);
    const isOverdue = overdueUntil !== undefined && dueOn <= overdueUntil;
    if (!isReturned) unsettled.push({ item, available, stream, dueOn, isOverdue });
    const state = isOverdue || isReturned ? 'open' : 'pending';
    return { itemId, state, evidence: undefined, lineId: undefined, dueOn };
  });
  return { items, unsettled };
}
