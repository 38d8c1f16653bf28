import { addToGroup } from '../../kernel';
import type { PayableItem } from './payable-item';
import { type PayoutModel, type PayoutStream, streamOf } from './payout-model';

/** Items that one transfer takes, or leaves, together. */
export interface TransferGroup {
  readonly stream: PayoutStream;
  readonly items: readonly PayableItem[];
}

/**
 * Groups the items of a cut, in the order of availability, into the transfers of a model. `pays` returns whether a
 * transfer of the given items would happen.
 */
export function transferGroups(
  model: PayoutModel,
  items: readonly PayableItem[],
  pays: (items: readonly PayableItem[]) => boolean,
): TransferGroup[] {
  const groups = model === 'per-item' ? oneByOne(items, pays) : byStream(model, items);
  return groups.filter((group) => pays(group.items));
}

function byStream(model: PayoutModel, items: readonly PayableItem[]): TransferGroup[] {
  const streams = new Map<PayoutStream, PayableItem[]>();
  for (const item of items) {
    const stream = streamOf(model, item);
    if (stream === undefined) continue;
    addToGroup(streams, stream, item);
  }
  return [...streams].map(([stream, taken]) => ({ stream, items: taken }));
}

/**
 * Groups single items. A clawback cannot be transferred alone, so it joins the first payments that together cover it.
 */
function oneByOne(items: readonly PayableItem[], pays: (items: readonly PayableItem[]) => boolean): TransferGroup[] {
  let owed: readonly PayableItem[] = items.filter(({ amountMillimes }) => amountMillimes <= 0);
  const groups: TransferGroup[] = [];
  for (const item of items) {
    if (item.amountMillimes <= 0) continue;
    const together = [...owed, item];
    if (pays(together)) {
      groups.push({ stream: 'item', items: together });
      owed = [];
    } else if (owed.length > 0) {
      owed = together;
    }
  }
  return groups;
}
