import { optionalText, rowsOf, type Row, type Session } from '../../db';
import { toMillimes, toTotal, type Instant, type Millimes } from '../../kernel';
import type { Channel } from '../../ledger';

/** One amount that the gateway owes us, or takes back when it is negative, as it was posted. */
export interface GatewayItem {
  /** `payment:<id>` or `refund:<id>`, with the gateway's id. */
  readonly itemId: string;
  readonly channel: Channel;
  readonly amount: Millimes;
  /** Whose due it pays; undefined for a customer's payment. */
  readonly agentId: string | undefined;
  /** The item that a refund takes back. */
  readonly refundOf: string | undefined;
  readonly occurredAt: Instant;
}

/** A report of an item's fee: the first one, or the difference that a later one makes. */
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
  /** An item that is there fails with `duplicate_key`. */
  add(item: GatewayItem, ledgerTransactionId: string, recordedAt: Instant): Promise<void>;
  /** What all refunds of an item took back, as a positive total. */
  refundedOf(itemId: string): Promise<bigint>;
  fees(itemId: string): Promise<ItemFee[]>;
  addFee(fee: ItemFee, ledgerTransactionId: string, recordedAt: Instant): Promise<void>;
}

export function openItemStore(session: Session): ItemStore {
  return {
    async find(itemId) {
      const [row] = await rowsOf(
        session('gateway_items as i')
          .select('i.item_id', 'i.channel', 'i.amount_millimes', 'i.agent_id', 'i.refund_of', 'i.occurred_at')
          .where('i.item_id', itemId),
      );
      return row === undefined ? undefined : toItem(row);
    },
    async add({ itemId, channel, amount, agentId, refundOf, occurredAt }, ledgerTransactionId, recordedAt) {
      await session('gateway_items').insert({
        item_id: itemId,
        channel,
        amount_millimes: amount,
        agent_id: agentId ?? null,
        refund_of: refundOf ?? null,
        occurred_at: occurredAt,
        recorded_at: recordedAt,
        ledger_transaction_id: ledgerTransactionId,
      });
    },
    async refundedOf(itemId) {
      const [row] = await rowsOf(
        session('gateway_items as i')
          .select(session.fragment('cast(sum(i.amount_millimes) as char) as total'))
          .where('i.refund_of', itemId),
      );
      return -toTotal(row?.['total']);
    },
    async fees(itemId) {
      const rows = await rowsOf(
        session('gateway_item_fees as f')
          .select('f.reference', 'f.item_id', 'f.channel', 'f.fee_millimes', 'f.tva_millimes')
          .where('f.item_id', itemId)
          .orderBy(['f.recorded_at', 'f.reference']),
      );
      return rows.map((row) => ({
        reference: row['reference'] as string,
        itemId: row['item_id'] as string,
        channel: row['channel'] as Channel,
        fee: toMillimes(row['fee_millimes']),
        tva: toMillimes(row['tva_millimes']),
      }));
    },
    async addFee({ reference, itemId, channel, fee, tva }, ledgerTransactionId, recordedAt) {
      await session('gateway_item_fees').insert({
        reference,
        item_id: itemId,
        channel,
        fee_millimes: fee,
        tva_millimes: tva,
        recorded_at: recordedAt,
        ledger_transaction_id: ledgerTransactionId,
      });
    },
  };
}

function toItem(row: Row): GatewayItem {
  return {
    itemId: row['item_id'] as string,
    channel: row['channel'] as Channel,
    amount: toMillimes(row['amount_millimes']),
    agentId: optionalText(row['agent_id']),
    refundOf: optionalText(row['refund_of']),
    occurredAt: Number(row['occurred_at']),
  };
}
