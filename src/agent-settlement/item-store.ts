import { column, type Decoded, EVERY_ROW, prefixedInSql, rowCodec, type Session, type SqlCondition } from '../db';
import { type Instant, type Millimes, MINUTE_MS } from '../kernel';

/** The time before the receipt of a confirm in which the gateway may have accepted the agent's payment. */
const BEFORE_RECEIPT_MS = 2 * MINUTE_MS;

// The time of a refusal of the same payment, before Millime stored it or after: the gateway reported it twice.
const RESENT = `(select max(r.first_at) from confirm_refusals r
  where r.kind in ('identical', 'unknown_agent', 'invalid_amount') and r.transaction_id = c.transaction_id
    and r.first_at <= ?) as resent_at`;

const STORED = rowCodec({
  transactionId: column.text('transaction_id'),
  agentId: column.text('agent_id'),
  amount: column.millimes('amount_millimes'),
  receivedAt: column.number('received_at'),
  followedUnavailable: column.flag('followed_unavailable'),
  recordedAt: column.number('recorded_at'),
});
const CONFIRM = rowCodec({ ...STORED.fields, resentAt: column.optional(column.number('resent_at')) });

/** One confirmed payment of an agent, as money that the gateway owes the integrator. */
export interface AgentItem {
  readonly itemId: string;
  readonly agentId: string;
  readonly amount: Millimes;
  /**
   * It became available in `(after, until]`. `after` is undefined if the call was a resend, or followed a failure or a
   * refusal of Millime. Then the payment may be much older than its receipt.
   */
  readonly availableAfter: Instant | undefined;
  readonly availableUntil: Instant;
  /** When the last of these facts was recorded. */
  readonly recordedAt: Instant;
}

export interface AgentItemFilter {
  /** Only facts recorded by then, as they were known then (default: everything). */
  readonly knownUntil?: Instant | undefined;
  /** Only items whose id satisfies this SQL condition. */
  readonly wanted?: ((itemId: string) => SqlCondition) | undefined;
  /** Only these payments, which their primary key finds (default: all). */
  readonly transactionIds?: readonly string[] | undefined;
}

/** Opens the confirmed payments. `receivedBefore` returns them in the order of their receipt. */
export function openAgentItems(session: Session): {
  receivedBefore(before: Instant, filter?: AgentItemFilter): Promise<AgentItem[]>;
} {
  const itemId = prefixedInSql(session.dialect, 'service:', 'c.transaction_id');
  return {
    async receivedBefore(before, { knownUntil = Number.MAX_SAFE_INTEGER, wanted, transactionIds } = {}) {
      const only = wanted?.(itemId) ?? EVERY_ROW;
      const query = session('agent_confirmations as c')
        .select(STORED.columns('c'))
        .select(session.fragment(RESENT, [knownUntil]))
        .where('c.received_at', '<', before)
        .where('c.recorded_at', '<=', knownUntil)
        .whereRaw(only.sql, [...only.bindings])
        .orderBy(['c.received_at', 'c.transaction_id']);
      if (transactionIds !== undefined) void query.whereIn('c.transaction_id', [...transactionIds]);
      return (await CONFIRM.all(query)).map(toItem);
    },
  };
}

function toItem(confirm: Decoded<typeof CONFIRM>): AgentItem {
  const { transactionId, agentId, amount, receivedAt, followedUnavailable, recordedAt, resentAt } = confirm;
  const isSharp = !followedUnavailable && resentAt === undefined;
  return {
    itemId: `service:${transactionId}`,
    agentId,
    amount,
    availableAfter: isSharp ? receivedAt - BEFORE_RECEIPT_MS : undefined,
    availableUntil: receivedAt,
    recordedAt: Math.max(recordedAt, resentAt ?? 0),
  };
}
