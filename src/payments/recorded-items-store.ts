import { column, type Decoded, EVERY_ROW, rowCodec, type Session, type SqlCondition } from '../db';
import { type GatewayItem, ITEM } from '../gateway-items';
import { compareBytes, type Instant } from '../kernel';

/** A posted item, and when it became available according to the gateway's answers. */
export interface RecordedItem extends GatewayItem {
  /** It succeeded in `(after, until]`; undefined if the gateway reported the time, which then is `occurredAt`. */
  readonly succeeded: { readonly after: Instant; readonly until: Instant } | undefined;
  readonly recordedAt: Instant;
}

/** The content of one gateway answer about an item. */
export interface ItemObservation {
  readonly itemId: string;
  readonly observedAt: Instant;
  readonly status: string;
  /** Empty if the answer has none. */
  readonly settlementStatus: string;
  readonly recordedAt: Instant;
}

export interface RecordedFilter {
  /** Only events before this instant. */
  readonly before: Instant;
  /** Only rows recorded by this instant; without it all rows. */
  readonly knownUntil?: Instant | undefined;
  /** Only items whose id satisfies this SQL condition. */
  readonly wanted?: ((itemId: string) => SqlCondition) | undefined;
}

/** The items of all channels except the agents', with their observations, inside one transaction of the database. */
export interface RecordedItems {
  /** Returns the items, ordered by id. */
  items(filter: RecordedFilter): Promise<RecordedItem[]>;
  /** Returns the observations of items that belong to a payment, ordered by time. */
  observations(filter: RecordedFilter): Promise<ItemObservation[]>;
}

const RECORDED = rowCodec({ ...ITEM.fields, recordedAt: column.number('recorded_at') });

const SUCCESS = rowCodec({
  itemId: column.text('item_id'),
  after: column.number('succeeded_after'),
  until: column.number('succeeded_until'),
});

const OBSERVED = rowCodec({
  itemId: column.text('item_id'),
  observedAt: column.number('observed_at'),
  status: column.text('status'),
  settlementStatus: column.optional(column.text('settlement_status')),
  recordedAt: column.number('recorded_at'),
});

const ANY = (): SqlCondition => EVERY_ROW;

export function openRecordedItems(session: Session): RecordedItems {
  return {
    async items({ before, knownUntil = Number.MAX_SAFE_INTEGER, wanted = ANY }) {
      const only = wanted('i.item_id');
      const items = await RECORDED.all(
        session('gateway_items as i')
          .select(RECORDED.columns('i'))
          .where('i.occurred_at', '<', before)
          .where('i.recorded_at', '<=', knownUntil)
          .whereRaw(only.sql, [...only.bindings])
          .orderBy('i.item_id'),
      );
      const succeeded = await successes(session, wanted('p.item_id'));
      return items.map((item) => ({ ...item, succeeded: succeeded.get(item.itemId) }));
    },
    async observations({ before, knownUntil = Number.MAX_SAFE_INTEGER, wanted = ANY }) {
      const only = wanted('p.item_id');
      const observed = await OBSERVED.all(
        session('payment_observations as o')
          .join('payments as p', 'p.tracking_id', 'o.tracking_id')
          .select('p.item_id', 'o.observed_at', 'o.status', 'o.settlement_status', 'o.recorded_at')
          .whereNotNull('p.item_id')
          .where('o.observed_at', '<', before)
          .where('o.recorded_at', '<=', knownUntil)
          .whereRaw(only.sql, [...only.bindings]),
      );
      // Sorted in memory, because a server would first write all rows to a temporary file.
      return observed.map(toObservation).sort(byTime);
    },
  };
}

// The order of these fields matters: a run stores the digest of its observations as JSON, and a replay compares it.
function toObservation(observed: Decoded<typeof OBSERVED>): ItemObservation {
  const { itemId, observedAt, status, settlementStatus = '', recordedAt } = observed;
  return { itemId, observedAt, status, settlementStatus, recordedAt };
}

function byTime(a: ItemObservation, b: ItemObservation): number {
  return (
    a.observedAt - b.observedAt ||
    a.recordedAt - b.recordedAt ||
    compareBytes(a.itemId, b.itemId) ||
    compareBytes(a.settlementStatus, b.settlementStatus) ||
    compareBytes(a.status, b.status)
  );
}

/** Returns the intervals of success of payments that succeeded between two status checks. */
async function successes(
  session: Session,
  only: SqlCondition,
): Promise<Map<string, { after: Instant; until: Instant }>> {
  const found = await SUCCESS.all(
    session('payments as p')
      .select(SUCCESS.columns('p'))
      .whereNotNull('p.item_id')
      .whereRaw('p.succeeded_after < p.succeeded_until')
      .whereRaw(only.sql, [...only.bindings]),
  );
  return new Map(found.map(({ itemId, ...interval }) => [itemId, interval]));
}
