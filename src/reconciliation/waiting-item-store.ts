import { afterKey, byIndex, column, type Decoded, rowCodec, ROWS_PER_STATEMENT, type Session } from '../db';
import { type Instant, mergeByKey, pagesOf } from '../kernel';
import { CHANNELS } from '../ledger';
import type { WaitingItem } from './waiting-items';

const WAITING = rowCodec({
  itemId: column.text('item_id'),
  channel: column.word('channel', CHANNELS),
  agentId: column.optional(column.text('agent_id')),
  amount: column.millimes('amount_millimes'),
  succeededAt: column.number('succeeded_at'),
  availableAt: column.number('available_at'),
  usuallyOn: column.optional(column.businessDate('usually_on')),
  dueOn: column.optional(column.businessDate('due_on')),
  isLate: column.flag('is_late'),
});
const AS_OF = rowCodec({
  runId: column.text('run_id'),
  through: column.businessDate('through'),
  knownAt: column.number('known_at'),
});

/** The table has one row. */
const ONLY = 1;

/** A stored item, with its agent. */
export type StoredWaitingItem = Decoded<typeof WAITING>;

/** The run that stored the items, its last day, and when it began to read. */
export type WaitingAsOf = Decoded<typeof AS_OF>;

/** The place of an item in the order of payouts. */
export type WaitingPlace = readonly [availableAt: Instant, itemId: string];

export interface WaitingRows {
  readonly channels?: readonly WaitingItem['channel'][] | undefined;
  readonly agentId?: string | undefined;
  readonly after: WaitingPlace | undefined;
  readonly count: number;
}

/**
 * The unpaid items as the last run judged them, inside one transaction of the database. A later match may hold some, and
 * newer items are missing; the next run changes both.
 */
export interface WaitingItemStore {
  /** Returns those of the items that are stored. */
  named(itemIds: readonly string[]): Promise<Map<string, StoredWaitingItem>>;
  /** Returns the first rows after a place, in the order of payouts. */
  list(rows: WaitingRows): Promise<StoredWaitingItem[]>;
  /** Returns all items. */
  all(): Promise<StoredWaitingItem[]>;
  /** Stores items; those that are stored get the new content. */
  put(items: readonly StoredWaitingItem[]): Promise<void>;
  remove(itemIds: readonly string[]): Promise<void>;
  /** Returns which run stored the items; undefined before the first one. */
  asOf(): Promise<WaitingAsOf | undefined>;
  setAsOf(asOf: WaitingAsOf): Promise<void>;
}

export function openWaitingItems(session: Session): WaitingItemStore {
  const remove = async (itemIds: readonly string[]): Promise<void> => {
    for (const page of pagesOf(itemIds, ROWS_PER_STATEMENT)) {
      await session('recon_waiting_items').whereIn('item_id', page).delete();
    }
  };
  return {
    async named(itemIds) {
      const found = new Map<string, StoredWaitingItem>();
      for (const page of pagesOf(itemIds, ROWS_PER_STATEMENT)) {
        const rows = session('recon_waiting_items as t').select(WAITING.columns('t')).whereIn('t.item_id', page);
        for (const row of await WAITING.all(rows)) found.set(row.itemId, row);
      }
      return found;
    },
    list: (rows) => listWaiting(session, rows),
    all: () => WAITING.all(session('recon_waiting_items as t').select(WAITING.columns('t'))),
    async put(items) {
      await remove(items.map(({ itemId }) => itemId));
      await session.insert([{ table: 'recon_waiting_items', rows: items.map((item) => WAITING.write(item)) }]);
    },
    remove,
    asOf: () => AS_OF.first(session('recon_waiting_runs as t').select(AS_OF.columns('t'))),
    async setAsOf(asOf) {
      const changed = await session('recon_waiting_runs').where('position', ONLY).update(AS_OF.write(asOf));
      if (changed === 0) await session('recon_waiting_runs').insert({ position: ONLY, ...AS_OF.write(asOf) });
    },
  };
}

/** One range of an index for an agent, one for each channel, or one for the whole list. */
async function listWaiting(
  session: Session,
  { channels, agentId, after, count }: WaitingRows,
): Promise<StoredWaitingItem[]> {
  const ranges: readonly (readonly [index: string, equal: Readonly<Record<string, string>>])[] =
    agentId !== undefined
      ? [['recon_waiting_items_agent', { agent_id: agentId }]]
      : (channels?.map((channel) => ['recon_waiting_items_channel', { channel }] as const) ?? [
          ['recon_waiting_items_available', {}],
        ]);
  const lists: StoredWaitingItem[][] = [];
  for (const [index, equal] of ranges) {
    const query = byIndex(session, 'recon_waiting_items', 't', index).select(WAITING.columns('t'));
    const order = { equal, columns: ['available_at', 'item_id'], order: 'asc', after } as const;
    lists.push(await WAITING.all(afterKey(session, query, order, count)));
  }
  return mergeByKey(lists, placeOf, 'asc', count);
}

/** Returns the place of an item in the list. Pure. */
export function placeOf({ availableAt, itemId }: Pick<WaitingItem, 'availableAt' | 'itemId'>): WaitingPlace {
  return [availableAt, itemId];
}
