import { column, rowCodec, type Session } from '../db';
import type { Instant, Millimes } from '../kernel';
import { type Channel, CHANNELS } from '../ledger';

export const ITEM = rowCodec({
  itemId: column.text('item_id'),
  channel: column.word('channel', CHANNELS),
  amount: column.millimes('amount_millimes'),
  agentId: column.optional(column.text('agent_id')),
  refundOf: column.optional(column.text('refund_of')),
  occurredAt: column.number('occurred_at'),
});

export const ITEM_FEE = rowCodec({
  reference: column.text('reference'),
  itemId: column.text('item_id'),
  channel: column.word('channel', CHANNELS),
  fee: column.millimes('fee_millimes'),
  tva: column.millimes('tva_millimes'),
});

const TOTAL = rowCodec({ total: column.total('total') });

/** One posted amount that the gateway owes the integrator, or takes back if it is negative. */
export interface GatewayItem {
  /** `payment:<id>` or `refund:<id>`, with the gateway's id. */
  readonly itemId: string;
  readonly channel: Channel;
  readonly amount: Millimes;
  /** The agent whose due it pays; undefined for a customer's payment. */
  readonly agentId: string | undefined;
  /** The item that a refund takes back. */
  readonly refundOf: string | undefined;
  readonly occurredAt: Instant;
}

/** A report of an item's fee: the first fee, or a later report's difference to it. */
export interface ItemFee {
  /** `fee:<item>`, then `fee-fix:<item>`. */
  readonly reference: string;
  readonly itemId: string;
  readonly channel: Channel;
  readonly fee: Millimes;
  readonly tva: Millimes;
}

export interface ItemStore {
  find(itemId: string): Promise<GatewayItem | undefined>;
  /**
   * Adds an item.
   *
   * @throws AppError `duplicate_key` for an item that exists.
   */
  add(item: GatewayItem, by: RowOrigin): Promise<void>;
  /** Returns the sum of all refunds of an item, as a positive total. */
  refundedOf(itemId: string): Promise<bigint>;
  /** Returns the fee reports of an item, oldest first. */
  fees(itemId: string): Promise<ItemFee[]>;
  addFee(fee: ItemFee, by: RowOrigin): Promise<void>;
}

/** The ledger transaction of a row, and when it was recorded. */
export interface RowOrigin {
  readonly ledgerTransactionId: string;
  readonly recordedAt: Instant;
}

export function openItemStore(session: Session): ItemStore {
  return {
    find: (itemId) => ITEM.first(session('gateway_items as i').select(ITEM.columns('i')).where('i.item_id', itemId)),
    async add(item, by) {
      await session('gateway_items').insert({ ...ITEM.write(item), ...originColumns(by) });
    },
    async refundedOf(itemId) {
      const sum = session.fragment('cast(sum(i.amount_millimes) as char) as total');
      const found = await TOTAL.first(session('gateway_items as i').select(sum).where('i.refund_of', itemId));
      return -(found?.total ?? 0n);
    },
    fees: (itemId) =>
      ITEM_FEE.all(
        session('gateway_item_fees as f')
          .select(ITEM_FEE.columns('f'))
          .where('f.item_id', itemId)
          .orderBy(['f.recorded_at', 'f.reference']),
      ),
    async addFee(fee, by) {
      await session('gateway_item_fees').insert(feeRow(fee, by));
    },
  };
}

export function feeRow(fee: ItemFee, by: RowOrigin): Record<string, unknown> {
  return { ...ITEM_FEE.write(fee), ...originColumns(by) };
}

function originColumns({ ledgerTransactionId, recordedAt }: RowOrigin): Record<string, unknown> {
  return { recorded_at: recordedAt, ledger_transaction_id: ledgerTransactionId };
}
