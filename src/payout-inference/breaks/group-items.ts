import { addToGroup } from '../../kernel';
import type { Stream } from '../match-request';
import type { UnsettledItem } from './item-states';

export interface ItemGroup<Day extends string> {
  readonly stream: Stream;
  readonly day: Day;
  readonly items: readonly UnsettledItem[];
}

/** Groups items by stream and by day, or by another text for the time that they share. */
export function groupItems<Day extends string>(
  items: readonly UnsettledItem[],
  dayOf: (item: UnsettledItem) => Day,
): ItemGroup<Day>[] {
  const groups = new Map<Stream, Map<Day, UnsettledItem[]>>();
  for (const item of items) {
    let ofStream = groups.get(item.stream);
    if (ofStream === undefined) groups.set(item.stream, (ofStream = new Map<Day, UnsettledItem[]>()));
    const day = dayOf(item);
    addToGroup(ofStream, day, item);
  }
  return [...groups].flatMap(([stream, ofStream]) =>
    [...ofStream].map(([day, ofDay]) => ({ stream, day, items: ofDay })),
  );
}
