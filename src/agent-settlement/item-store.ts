import { EVERY_ROW, optionalNumber, rowsOf, type Row, type Session, type SqlCondition } from '../db';
import { toMillimes, type Instant, type Millimes } from '../kernel';

/** How long before its receipt the gateway may have taken an agent's payment. */
const BEFORE_RECEIPT_MS = 2 * 60_000;

// The same payment was told to us at another time too: before we took it, or once more after.
const RESENT = `(select max(r.first_at) from confirm_refusals r
  where r.kind in ('identical', 'unknown_agent', 'invalid_amount') and r.transaction_id = c.transaction_id
    and r.first_at <= ?) as resent_at`;

/** One confirmed payment of an agent, as money that the gateway owes us. */
export interface AgentItem {
  readonly itemId: string;
  readonly agentId: string;
  readonly amount: Millimes;
  /**
   * When it became available lies in `(after, until]`. `after` is undefined when the call was a resend, or followed a
   * failure or a refusal of ours: then the payment may be much older than its receipt.
   */
  readonly availableAfter: Instant | undefined;
  readonly availableUntil: Instant;
  /** When the last of what is said here was recorded. */
  readonly recordedAt: Instant;
}

export interface AgentItemFilter {
  /** Only what was recorded by then, as it was known then; everything when it is not given. */
  readonly knownUntil?: Instant | undefined;
  /** Only those of which this condition on the SQL of their id is true. */
  readonly wanted?: ((itemId: string) => SqlCondition) | undefined;
}

/** Confirmed payments received before `before`, in the order of their receipt. */
export function openAgentItems(session: Session): {
  receivedBefore(before: Instant, filter?: AgentItemFilter): Promise<AgentItem[]>;
} {
  const itemId =
    session.dialect === 'sqlite' ? "('service:' || c.transaction_id)" : "concat('service:', c.transaction_id)";
  return {
    async receivedBefore(before, { knownUntil = Number.MAX_SAFE_INTEGER, wanted } = {}) {
      const only = wanted?.(itemId) ?? EVERY_ROW;
      const rows = await rowsOf(
        session('agent_confirmations as c')
          .select('c.transaction_id', 'c.agent_id', 'c.amount_millimes', 'c.received_at', 'c.followed_unavailable')
          .select('c.recorded_at', session.fragment(RESENT, [knownUntil]))
          .where('c.received_at', '<', before)
          .where('c.recorded_at', '<=', knownUntil)
          .whereRaw(only.sql, [...only.bindings])
          .orderBy(['c.received_at', 'c.transaction_id']),
      );
      return rows.map(toItem);
    },
  };
}

function toItem(row: Row): AgentItem {
  const receivedAt = Number(row['received_at']);
  const resentAt = optionalNumber(row['resent_at']);
  const sharp = Number(row['followed_unavailable']) === 0 && resentAt === undefined;
  return {
    itemId: `service:${row['transaction_id'] as string}`,
    agentId: row['agent_id'] as string,
    amount: toMillimes(row['amount_millimes']),
    availableAfter: sharp ? receivedAt - BEFORE_RECEIPT_MS : undefined,
    availableUntil: receivedAt,
    recordedAt: Math.max(Number(row['recorded_at']), resentAt ?? 0),
  };
}
