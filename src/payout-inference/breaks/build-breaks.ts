import { type BusinessDate, millimes } from '../../kernel';
import type { Item } from '../match-request';
import type { NamedBreak } from './break-context';
import { inByteOrder } from './byte-order';
import type { UnsettledItem } from './item-states';

/** A break of many items under one name, with their net sum: payments less refunds. */
export interface ItemsBreak {
  readonly breakClass: string;
  readonly name: string;
  readonly since: BusinessDate;
  readonly items: readonly UnsettledItem[];
}

interface Part {
  readonly itemIds: string[];
  amount: number;
}

/** Returns the break of a single item. */
export function itemBreak(
  breakClass: string,
  { itemId, amount }: Pick<Item, 'itemId' | 'amount'>,
  since: BusinessDate,
): NamedBreak {
  return { fingerprint: `${breakClass}:${itemId}`, breakClass, amount, itemIds: [itemId], lineIds: [], since };
}

/**
 * Builds one break, or several numbered ones if one exact number cannot represent the sum. No sum is rounded, and a
 * file with impossible amounts cannot stop the run.
 */
export function buildBreaks({ breakClass, name, since, items }: ItemsBreak): NamedBreak[] {
  const amounts = new Map(items.map(({ item }) => [item.itemId, item.amount]));
  const parts: Part[] = [];
  let part: Part = { itemIds: [], amount: 0 };
  for (const itemId of inByteOrder(amounts.keys())) {
    const amount = amounts.get(itemId) ?? 0;
    if (part.itemIds.length === 0 || !Number.isSafeInteger(part.amount + amount)) {
      part = { itemIds: [], amount: 0 };
      parts.push(part);
    }
    part.itemIds.push(itemId);
    part.amount += amount;
  }
  return parts.map(({ itemIds, amount }, index) => ({
    fingerprint: `${breakClass}:${name}${index === 0 ? '' : `:${index + 1}`}`,
    breakClass,
    amount: millimes(amount),
    itemIds,
    lineIds: [],
    since,
  }));
}
