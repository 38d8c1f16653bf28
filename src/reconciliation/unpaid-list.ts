import { AppError } from '../kernel';
import type { PayoutCandidate } from '../statements';
import type { ItemSelection } from './choose-items';
import type { UnpaidItem } from './unpaid-items';

/** An unpaid item with the sums of the list up to it. In millimes. */
export interface SummedItem extends UnpaidItem {
  readonly sum: bigint;
  /** The sum less the fees of the schedule in force. */
  readonly net: bigint;
}

export interface UnpaidListQuery {
  readonly selection: ItemSelection;
  /** A credit to compare the sums with. */
  readonly creditId?: string | undefined;
  /** The last item of the page before. */
  readonly after?: string | undefined;
  readonly limit: number;
}

/** A page of the chosen unpaid items, in the order of payouts, with the sums of all of them. */
export interface UnpaidList {
  readonly rows: readonly SummedItem[];
  readonly hasMore: boolean;
  readonly count: number;
  readonly sum: bigint;
  readonly net: bigint;
  readonly credit: PayoutCandidate | undefined;
  /** The first item up to which the sum or the net sum is nearest to the credit. */
  readonly nearest: { readonly itemId: string; readonly left: bigint } | undefined;
}

/** Returns a page of a list of items. Pure. @throws AppError `bad_input` for an item that is not in the list. */
export function unpaidList(
  chosen: readonly UnpaidItem[],
  credit: PayoutCandidate | undefined,
  { after, limit }: Pick<UnpaidListQuery, 'after' | 'limit'>,
): UnpaidList {
  const items = withSums(chosen);
  const first = after === undefined ? 0 : placeAfter(items, after);
  const last = items.at(-1);
  return {
    rows: items.slice(first, first + limit),
    hasMore: first + limit < items.length,
    count: items.length,
    sum: last?.sum ?? 0n,
    net: last?.net ?? 0n,
    credit,
    nearest: credit === undefined ? undefined : nearestTo(items, credit.amount),
  };
}

/** Adds the running sums to the items of a list, which begin with those of the page before. Pure. */
export function withSums(
  items: readonly UnpaidItem[],
  { sum, net }: Pick<SummedItem, 'sum' | 'net'> = { sum: 0n, net: 0n },
): SummedItem[] {
  return items.map((item) => {
    sum += BigInt(item.amount);
    net += BigInt(item.amount - item.fee - item.tva);
    return { ...item, sum, net };
  });
}

function placeAfter(items: readonly SummedItem[], itemId: string): number {
  const place = items.findIndex((item) => item.itemId === itemId);
  if (place < 0) throw new AppError('bad_input', { field: 'after', expected: 'an item of this list', got: itemId });
  return place + 1;
}

function nearestTo(items: readonly SummedItem[], amount: number): UnpaidList['nearest'] {
  let best: UnpaidList['nearest'];
  for (const { itemId, sum, net } of items) {
    for (const total of [net, sum]) {
      const left = BigInt(amount) - total;
      if (best === undefined || size(left) < size(best.left)) best = { itemId, left };
    }
  }
  return best;
}

function size(amount: bigint): bigint {
  return amount < 0n ? -amount : amount;
}
