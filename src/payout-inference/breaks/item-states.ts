import { assert, type BusinessDate } from '../../kernel';
import type { Item, Stream } from '../match-request';
import type { InferredItem, MatchedItem } from '../match-result';
import type { BreakContext } from './break-context';

/** An item that no credit paid, with the facts that the classes of breaks need. */
export interface UnsettledItem {
  readonly item: Item;
  readonly available: InferredItem['available'];
  readonly stream: Stream;
  /** The day on which the bank should book it by the cadence of its stream. */
  readonly usuallyOn: BusinessDate;
  /** That day and the grace. */
  readonly dueOn: BusinessDate;
  readonly isOverdue: boolean;
}

export interface ItemStates {
  /** In the order of the request's items. */
  readonly items: readonly MatchedItem[];
  readonly open: readonly UnsettledItem[];
  /** Without the items of a returned payout, which has its own break. */
  readonly unsettled: readonly UnsettledItem[];
}

/**
 * Returns the state of each item: settled, inside its grace (`pending`), or past it (`open`). A payment that left with
 * its own refund is settled without a line, because it is not owed. The items of a returned payout are open from the
 * day of the return until they are paid again. An item of an unknown stream belongs to the stream of its channel.
 */
export function itemStates(context: BreakContext): ItemStates {
  const { request, inference, grace, horizon, days, cadenceOf, returnedLineIds } = context;
  const overdueUntil = horizon === undefined ? undefined : days.latestOlderThan(0, horizon);
  const open: UnsettledItem[] = [];
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
    const usuallyOn = cadenceOf(stream).bookedBy(available);
    const dueOn = days.add(usuallyOn, grace.missingInBank);
    const isOverdue = overdueUntil !== undefined && dueOn <= overdueUntil;
    const found = { item, available, stream, usuallyOn, dueOn, isOverdue };
    open.push(found);
    if (!isReturned) unsettled.push(found);
    const state = isOverdue || isReturned ? 'open' : 'pending';
    return { itemId, state, evidence: undefined, lineId: undefined, dueOn };
  });
  return { items, open, unsettled };
}
