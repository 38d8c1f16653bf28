/** The tables that have a queue of requests. */
export const QUEUE_TABLES = ['payments', 'subscriptions'] as const;
export type QueueTable = (typeof QUEUE_TABLES)[number];

/**
 * Returns the SQL of the sending order: rows never tried come first, so that a row that always fails does not delay the
 * others.
 */
export function queueOrder(alias: string): string {
  const [sentAt, requestedAt] = [`${alias}.sent_at`, `${alias}.requested_at`];
  return `case when ${sentAt} is null then 0 else 1 end, coalesce(${sentAt}, ${requestedAt}), ${alias}.tracking_id`;
}
