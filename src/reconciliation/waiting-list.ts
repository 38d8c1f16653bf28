import type { Session } from '../db';
import { type BusinessCalendar, type BusinessDate, filteredPage, type Page, ROWS_EXAMINED_MAX } from '../kernel';
import { openFeeSchedules } from './fee-schedule-store';
import { openMatchStore } from './match-store';
import { withFee } from './unpaid-items';
import { type SummedItem, withSums } from './unpaid-list';
import { openWaitingItems, placeOf, type WaitingAsOf, type WaitingRows } from './waiting-item-store';

export const WAITING_STATES = ['pending', 'late'] as const;

/** The place of an item in the list, and the sums of the list up to it as decimal numbers in millimes. */
export type WaitingKey = readonly [availableAt: number, itemId: string, sum: string, net: string];

export interface WaitingQuery extends Pick<WaitingRows, 'channels' | 'agentId'> {
  readonly state?: (typeof WAITING_STATES)[number] | undefined;
  /** Only items that the bank should book by this day. */
  readonly dueBy?: BusinessDate | undefined;
  readonly after?: WaitingKey | undefined;
  readonly limit: number;
}

/** A page of the unpaid items as a run stored them, without those that a match holds since then. */
export interface WaitingPage extends Page<SummedItem, WaitingKey> {
  /** Undefined before the first run. */
  readonly asOf: WaitingAsOf | undefined;
}

/**
 * Reads a page of the unpaid items of the last run, in the order of payouts, with running sums. It examines a bounded
 * number of items, so it may be short.
 */
export async function readWaiting(
  session: Session,
  { dateOf }: Pick<BusinessCalendar, 'dateOf'>,
  { channels, agentId, state, dueBy, after, limit }: WaitingQuery,
): Promise<WaitingPage> {
  const store = openWaitingItems(session);
  const rules = (await openFeeSchedules(session).current())?.rules ?? [];
  const [, , sum = '0', net = '0'] = after ?? [];
  const { rows, next } = await filteredPage({
    ...{ limit, examinedMax: ROWS_EXAMINED_MAX, keyOf: placeOf },
    after: after === undefined ? undefined : ([after[0], after[1]] as const),
    read: (place, count) => store.list({ channels, agentId, after: place, count }),
    async keep(found) {
      const held = await openMatchStore(session).claimed(found.map(({ itemId }) => itemId));
      return found.filter(
        (item) =>
          !held.has(item.itemId) &&
          (channels === undefined || channels.includes(item.channel)) &&
          (state === undefined || item.isLate === (state === 'late')) &&
          (dueBy === undefined || (item.dueOn !== undefined && item.dueOn <= dueBy)),
      );
    },
  });
  const summed = withSums(
    rows.map((item) => withFee(item, rules, { dateOf })),
    { sum: BigInt(sum), net: BigInt(net) },
  );
  const last = summed.at(-1) ?? { sum, net };
  return {
    rows: summed,
    next: next === undefined ? undefined : [...next, String(last.sum), String(last.net)],
    asOf: await store.asOf(),
  };
}
