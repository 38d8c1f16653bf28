import type { Instant } from '../../../src/kernel';
import type { Item } from '../../../src/payout-inference';
import type { TrueItem, TrueLine, TrueStream, World } from '../world';
import type { RefundsOf } from './same-items';

/** The truth of a world, by id. */
export interface TrueBook {
  readonly items: ReadonlyMap<string, Item>;
  readonly trueItems: ReadonlyMap<string, TrueItem>;
  readonly lines: ReadonlyMap<string, TrueLine>;
  readonly refunds: RefundsOf;
  /** Returns the last cut of the line that first paid the item; undefined if none did. */
  readonly cutOf: (itemId: string) => Instant | undefined;
  /** Returns the true stream of an item; undefined if its channel is never paid. */
  readonly streamOf: (item: Item) => TrueStream | undefined;
}

export function trueBook({ files, truth }: World): TrueBook {
  const trueItems = new Map(truth.items.map((item) => [item.itemId, item]));
  const lines = new Map(truth.lines.map((line) => [line.lineId, line]));
  return {
    items: new Map(files.items.map((item) => [item.itemId, item])),
    trueItems,
    lines,
    refunds: new Map(
      files.items.flatMap(({ itemId, refundOf }) => (refundOf === undefined ? [] : [[itemId, refundOf]])),
    ),
    cutOf: (itemId) => {
      const [lineId = ''] = trueItems.get(itemId)?.paidByLineIds ?? [];
      return lastCutOf(lines.get(lineId))?.cutAt;
    },
    streamOf: ({ channel }) => truth.streams.get(channel),
  };
}

/** Returns the last of a credit's cuts, if it has any. */
export function lastCutOf(line: TrueLine | undefined): TrueLine['cuts'][number] | undefined {
  return [...(line?.cuts ?? [])].sort((a, b) => a.cutAt - b.cutAt).at(-1);
}
