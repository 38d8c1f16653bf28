import { column, databaseNow, rowCodec, type Session } from '../db';
import { type Instant, newId } from '../kernel';
import {
  type Delivery,
  DELIVERY_ERRORS,
  DELIVERY_STATES,
  MESSAGE_KINDS,
  type MessageContent,
  type MessageKind,
} from './delivery';

const DELIVERY = rowCodec({
  id: column.text('id'),
  recipientId: column.text('recipient_id'),
  kind: column.word('kind', MESSAGE_KINDS),
  content: column.json('content', (value) => value as MessageContent),
  state: column.word('state', DELIVERY_STATES),
  createdAt: column.number('created_at'),
  availableAt: column.number('available_at'),
  tries: column.number('tries'),
  error: column.optional(column.word('error', DELIVERY_ERRORS)),
  answer: column.optional(column.number('answer')),
  doneAt: column.optional(column.number('done_at')),
});
const CLAIMED = rowCodec({ ...DELIVERY.fields, fencing: column.number('fencing') });
const ID = rowCodec({ id: column.text('id') });

const REMOVED_AT_ONCE_MAX = 1_000;

/** The right to send a message until the lease ends. `fencing` tells the holder from an earlier or a later one. */
export interface DeliveryClaim {
  readonly delivery: Delivery;
  readonly fencing: number;
}

export type DeliveryChange = Pick<Delivery, 'state' | 'tries' | 'error' | 'answer' | 'doneAt' | 'availableAt'>;

/** The messages to recipients inside one transaction. */
export interface DeliveryStore {
  add(recipientIds: readonly string[], kind: MessageKind, content: MessageContent, at: Instant): Promise<string[]>;
  /** Returns the messages that are due and that no process sends, the longest waiting first. */
  due(now: Instant, limit: number): Promise<string[]>;
  /** Claims a message. Undefined when another process has it, or has sent it. */
  claim(id: string, now: Instant, leaseMs: number): Promise<DeliveryClaim | undefined>;
  /** Stores how a try ended. Returns false when another process has the message, or its recipient is gone. */
  finish(claim: DeliveryClaim, change: DeliveryChange): Promise<boolean>;
  /** Returns the id of the test message that waits for a recipient. */
  waitingTest(recipientId: string): Promise<string | undefined>;
  /** Returns the newest messages to recipients. */
  newest(recipientIds: readonly string[], limit: number): Promise<Delivery[]>;
  /** Removes messages that were done before an instant, some at a time. */
  removeDone(before: Instant): Promise<void>;
}

export function openDeliveries(session: Session): DeliveryStore {
  const rows = () => session('notification_deliveries as d');
  return {
    async add(recipientIds, kind, content, at) {
      const made = recipientIds.map((recipientId) => newRow(recipientId, kind, content, at));
      await session('notification_deliveries').insert(made.map(({ row }) => row));
      return made.map(({ id }) => id);
    },
    async due(now, limit) {
      const query = rows()
        .select(ID.columns('d'))
        .where('d.state', 'waiting')
        .where('d.available_at', '<=', now)
        .where('d.lease_until', '<', await databaseNow(session));
      return (await ID.all(query.orderBy(['d.available_at', 'd.id']).limit(limit))).map(({ id }) => id);
    },
    async claim(id, now, leaseMs) {
      const leaseFrom = await databaseNow(session);
      const taken = await session('notification_deliveries')
        .where({ id, state: 'waiting' })
        .where('available_at', '<=', now)
        .where('lease_until', '<', leaseFrom)
        .update({ lease_until: leaseFrom + leaseMs, fencing: session.fragment('fencing + 1') });
      if (taken !== 1) return undefined;
      const claimed = await CLAIMED.first(rows().select(CLAIMED.columns('d')).where('d.id', id));
      if (claimed === undefined) return undefined;
      const { fencing, ...delivery } = claimed;
      return { delivery, fencing };
    },
    async finish({ delivery: { id }, fencing }, change) {
      const written = await session('notification_deliveries')
        .where({ id, fencing })
        .update({ ...DELIVERY.write(change), lease_until: 0 });
      return written === 1;
    },
    async waitingTest(recipientId) {
      const waiting = { 'd.recipient_id': recipientId, 'd.kind': 'test', 'd.state': 'waiting' };
      return (await ID.first(rows().select(ID.columns('d')).where(waiting).limit(1)))?.id;
    },
    newest(recipientIds, limit) {
      const query = rows()
        .select(DELIVERY.columns('d'))
        .whereIn('d.recipient_id', [...recipientIds]);
      const newestFirst = [
        { column: 'd.created_at', order: 'desc' },
        { column: 'd.id', order: 'desc' },
      ];
      return DELIVERY.all(query.orderBy(newestFirst).limit(limit));
    },
    async removeDone(before) {
      const query = rows().select(ID.columns('d')).where('d.done_at', '<', before).limit(REMOVED_AT_ONCE_MAX);
      const ids = (await ID.all(query)).map(({ id }) => id);
      if (ids.length > 0) await session('notification_deliveries').whereIn('id', ids).delete();
    },
  };
}

function newRow(recipientId: string, kind: MessageKind, content: MessageContent, at: Instant) {
  const id = newId();
  const fresh = { error: undefined, answer: undefined, doneAt: undefined };
  const row = DELIVERY.write({
    ...{ id, recipientId, kind, content, state: 'waiting', createdAt: at, availableAt: at, tries: 0 },
    ...fresh,
  });
  return { id, row: { ...row, lease_until: 0, fencing: 0 } };
}
