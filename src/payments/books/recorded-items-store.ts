import { EVERY_ROW, optionalNumber, optionalText, rowsOf, type Session, type SqlCondition } from '../../db';
import { compareBytes, toMillimes, type Instant } from '../../kernel';
import type { Channel } from '../../ledger';
import type { GatewayItem } from './item-store';

/** An item in the books, and when it became available as far as the gateway's answers say it. */
export interface RecordedItem extends GatewayItem {
  /** It succeeded in `(after, until]`; undefined where the gateway told the time, which then is `occurredAt`. */
  readonly succeeded: { readonly after: Instant; readonly until: Instant } | undefined;
  readonly recordedAt: Instant;
}

/** What one answer of the gateway said about an item. */
export interface ItemObservation {
  readonly itemId: string;
  readonly observedAt: Instant;
  readonly status: string;
  /** Empty where the answer has none. */
  readonly settlementStatus: string;
  readonly recordedAt: Instant;
}

export interface RecordedFilter {
  /** Only what happened before. */
  readonly before: Instant;
  /** Only what was recorded by then; everything when it is not given. */
  readonly knownUntil?: Instant | undefined;
  /** Only those of which this condition on the SQL of their id is true. */
  readonly wanted?: ((itemId: string) => SqlCondition) | undefined;
}

/**
 * The items of all channels but the agents', with what was observed of them, inside one transaction of the database.
 */
export interface RecordedItems {
  /** By id. */
  items(filter: RecordedFilter): Promise<RecordedItem[]>;
  /** By time. Of those items that a payment brought. */
  observations(filter: RecordedFilter): Promise<ItemObservation[]>;
}

const ANY = (): SqlCondition => EVERY_ROW;

export function openRecordedItems(session: Session): RecordedItems {
  return {
    async items({ before, knownUntil = Number.MAX_SAFE_INTEGER, wanted = ANY }) {
      const only = wanted('i.item_id');
      const rows = await rowsOf(
        session('gateway_items as i')
          .select('i.item_id', 'i.channel', 'i.amount_millimes', 'i.agent_id', 'i.refund_of', 'i.occurred_at')
          .select('i.recorded_at')
          .where('i.occurred_at', '<', before)
          .where('i.recorded_at', '<=', knownUntil)
          .whereRaw(only.sql, [...only.bindings])
          .orderBy('i.item_id'),
      );
      const succeeded = await successes(session, wanted('p.item_id'));
      return rows.map((row) => {
        const itemId = row['item_id'] as string;
        return {
          itemId,
          channel: row['channel'] as Channel,
          amount: toMillimes(row['amount_millimes']),
          agentId: optionalText(row['agent_id']),
          refundOf: optionalText(row['refund_of']),
          occurredAt: Number(row['occurred_at']),
          succeeded: succeeded.get(itemId),
          recordedAt: Number(row['recorded_at']),
        };
      });
    },
    async observations({ before, knownUntil = Number.MAX_SAFE_INTEGER, wanted = ANY }) {
      const only = wanted('p.item_id');
      const rows = await rowsOf(
        session('payment_observations as o')
          .join('payments as p', 'p.tracking_id', 'o.tracking_id')
          .select('p.item_id', 'o.observed_at', 'o.status', 'o.settlement_status', 'o.recorded_at')
          .whereNotNull('p.item_id')
          .where('o.observed_at', '<', before)
          .where('o.recorded_at', '<=', knownUntil)
          .whereRaw(only.sql, [...only.bindings]),
      );
      // Put in order here: a server would write all of them to a file of its own for it.
      return rows
        .map((row) => ({
          itemId: row['item_id'] as string,
          observedAt: Number(row['observed_at']),
          status: row['status'] as string,
          settlementStatus: optionalText(row['settlement_status']) ?? '',
          recordedAt: Number(row['recorded_at']),
        }))
        .sort(byTime);
    },
  };
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

/** Of the payments between two of whose status checks the success lies. */
async function successes(
  session: Session,
  only: SqlCondition,
): Promise<Map<string, { after: Instant; until: Instant }>> {
  const rows = await rowsOf(
    session('payments as p')
      .select('p.item_id', 'p.succeeded_after', 'p.succeeded_until')
      .whereNotNull('p.item_id')
      .whereRaw('p.succeeded_after < p.succeeded_until')
      .whereRaw(only.sql, [...only.bindings]),
  );
  const found = new Map<string, { after: Instant; until: Instant }>();
  for (const row of rows) {
    const after = optionalNumber(row['succeeded_after']);
    const until = optionalNumber(row['succeeded_until']);
    if (after !== undefined && until !== undefined) found.set(row['item_id'] as string, { after, until });
  }
  return found;
}
