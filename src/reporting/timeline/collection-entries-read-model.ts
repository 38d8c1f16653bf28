import { byIndex, column, rowCodec, type Session } from '../../db';
import type { Instant, Millimes } from '../../kernel';
import { rankOf, type TimelineEntry, type TimelineKey } from './timeline-entry';
import { ROWS_PER_SOURCE, type TimelinePayment } from './timeline-payment';

const ATTEMPT = rowCodec({
  attemptKind: column.text('kind'),
  reference: column.optional(column.text('reference')),
  amount: column.millimes('amount_millimes'),
  requestedAt: column.number('requested_at'),
  recordedBy: column.text('recorded_by'),
  requestState: column.text('request_state'),
  error: column.optional(column.text('request_error')),
  sentAt: column.optional(column.number('sent_at')),
  gatewayId: column.optional(column.text('gateway_id')),
  sessionEndsAt: column.optional(column.number('session_ends_at')),
  paidAfter: column.optional(column.number('succeeded_after')),
  paidUntil: column.optional(column.number('succeeded_until')),
});
const OBSERVATION = rowCodec({
  id: column.text('id'),
  call: column.text('source'),
  at: column.number('observed_at'),
  status: column.text('status'),
  settlementStatus: column.optional(column.text('settlement_status')),
  method: column.optional(column.text('method')),
  amount: column.optional(column.millimes('amount_millimes')),
});
const OPERATION = rowCodec({
  id: column.text('id'),
  operation: column.text('kind'),
  state: column.text('state'),
  amount: column.optional(column.millimes('amount_millimes')),
  refundId: column.optional(column.text('refund_id')),
  error: column.optional(column.text('error')),
  requestedAt: column.number('requested_at'),
  endedAt: column.optional(column.number('ended_at')),
  requestedBy: column.text('requested_by'),
});
const WEBHOOK = rowCodec({
  id: column.text('id'),
  family: column.text('family'),
  event: column.text('event'),
  proof: column.text('proof'),
  at: column.number('received_at'),
  lastReceivedAt: column.number('last_received_at'),
  times: column.number('times'),
  state: column.text('state'),
  outcome: column.optional(column.text('outcome')),
});

/** Returns the request of an attempt, its answer and its success. */
export async function attemptEntries(session: Session, trackingId: string): Promise<TimelineEntry[]> {
  const attempt = await ATTEMPT.first(
    session('payments as p').select(ATTEMPT.columns('p')).where('p.tracking_id', trackingId),
  );
  if (attempt === undefined) return [];
  const { attemptKind, reference, amount, requestedAt, recordedBy, sentAt, paidAfter, paidUntil } = attempt;
  const { requestState, gatewayId, error, sessionEndsAt } = attempt;
  const of = { from: trackingId, id: trackingId };
  const entries: TimelineEntry[] = [
    { kind: 'requested', at: requestedAt, ...of, attemptKind, reference, amount, requestedBy: recordedBy },
  ];
  if (sentAt !== undefined) {
    entries.push({ kind: 'sent', at: sentAt, ...of, requestState, gatewayId, error, sessionEndsAt });
  }
  if (paidUntil !== undefined) entries.push({ kind: 'paid', at: paidUntil, ...of, notBefore: paidAfter, amount });
  return entries;
}

/** Returns the captures, cancels and refunds of an attempt, each with its end. */
export async function operationEntries(session: Session, trackingId: string): Promise<TimelineEntry[]> {
  const query = session('payment_operations as o')
    .select(OPERATION.columns('o'))
    .where('o.tracking_id', trackingId)
    .orderBy('o.id', 'desc')
    .limit(ROWS_PER_SOURCE);
  return (await OPERATION.all(query)).flatMap((row): TimelineEntry[] => {
    const { id, operation, state, amount, refundId, error, requestedAt, endedAt, requestedBy } = row;
    const requested = { kind: 'operation_requested', at: requestedAt, from: id, id } as const;
    const ended = { kind: 'operation_ended', at: endedAt ?? requestedAt, from: id, id } as const;
    return [
      { ...requested, operation, amount, requestedBy },
      ...(endedAt === undefined ? [] : [{ ...ended, operation, state, refundId, error }]),
    ];
  });
}

/** Returns the first answers of the gateway about an attempt behind a key. */
export async function observationEntries(
  session: Session,
  trackingId: string,
  after: TimelineKey | undefined,
  count: number,
): Promise<TimelineEntry[]> {
  const query = byIndex(session, 'payment_observations', 'o', 'payment_observations_payment')
    .select(OBSERVATION.columns('o'))
    .where('o.tracking_id', trackingId)
    .orderBy(['o.observed_at', 'o.id'])
    .limit(count);
  behind(query, { at: 'o.observed_at', id: 'o.id', rank: rankOf('status_observed') }, after);
  return (await OBSERVATION.all(query)).map((row) => ({ kind: 'status_observed', from: row.id, ...row }));
}

/** Returns the first webhooks about the gateway's id of a payment behind a key. */
export async function webhookEntries(
  session: Session,
  gatewayId: string,
  after: TimelineKey | undefined,
  count: number,
): Promise<TimelineEntry[]> {
  const query = byIndex(session, 'webhook_inbox', 'w', 'webhook_inbox_payment_received')
    .select(WEBHOOK.columns('w'))
    .where('w.payment_id', gatewayId)
    .orderBy(['w.received_at', 'w.id'])
    .limit(count);
  behind(query, { at: 'w.received_at', id: 'w.id', rank: rankOf('webhook_received') }, after);
  return (await WEBHOOK.all(query)).map((row) => ({ kind: 'webhook_received', from: row.id, ...row }));
}

/** Selects the rows behind a key. Entries of one instant are in the order of the ranks of their kinds. */
function behind(
  query: ReturnType<Session>,
  { at, id, rank }: { readonly at: string; readonly id: string; readonly rank: number },
  after: TimelineKey | undefined,
): void {
  if (after === undefined) return;
  const [afterAt, afterRank, afterId] = after;
  if (rank < afterRank) return void query.where(at, '>', afterAt);
  void query.where(at, '>=', afterAt);
  if (rank === afterRank) void query.where((rest) => void rest.where(at, '>', afterAt).orWhere(id, '>', afterId));
}

/** Returns the entries of a payment that the gateway reported without an attempt, or of the payments of a QR code. */
export function receiptEntries(session: Session, { source, id }: TimelinePayment): Promise<TimelineEntry[]> {
  switch (source) {
    case 'confirm':
      return confirmEntries(session, id);
    case 'charge':
      return chargeEntries(session, id);
    case 'qr_payment':
      return qrEntries(session, 'q.transaction_unique_id', id);
    case 'attempt':
      return qrEntries(session, 'q.tracking_id', id);
  }
}

const CONFIRM = rowCodec({
  agentId: column.text('agent_id'),
  amount: column.millimes('amount_millimes'),
  at: column.number('received_at'),
});
const REFUSAL = rowCodec({
  id: column.text('id'),
  reason: column.text('kind'),
  at: column.number('first_at'),
  lastAt: column.number('last_at'),
  times: column.number('times'),
});
const CHARGE = rowCodec({
  id: column.text('payment_id'),
  amount: column.millimes('amount_millimes'),
  status: column.text('status'),
  method: column.text('method'),
  at: column.number('first_seen_at'),
  paidAt: column.optional(column.number('paid_at')),
});
const QR_PAYMENT = rowCodec({
  id: column.text('transaction_unique_id'),
  amount: column.millimes('amount_millimes'),
  method: column.optional(column.text('channel')),
  at: column.number('first_seen_at'),
  paidAt: column.number('paid_at'),
});

async function confirmEntries(session: Session, transactionId: string): Promise<TimelineEntry[]> {
  const confirms = session('agent_confirmations as c')
    .select(CONFIRM.columns('c'))
    .where('c.transaction_id', transactionId);
  const refusals = session('confirm_refusals as r')
    .select(REFUSAL.columns('r'))
    .where('r.transaction_id', transactionId)
    .orderBy('r.id', 'desc')
    .limit(ROWS_PER_SOURCE);
  const of = { from: transactionId, id: transactionId };
  return [
    ...(await CONFIRM.all(confirms)).map((row): TimelineEntry => ({ kind: 'confirmed', ...of, ...row })),
    ...(await REFUSAL.all(refusals)).map((row): TimelineEntry => ({ kind: 'confirm_refused', from: row.id, ...row })),
  ];
}

/** A debit that failed has an instant too, so a charge is paid only with this status. */
const PAID = 'SUCCESS';

async function chargeEntries(session: Session, paymentId: string): Promise<TimelineEntry[]> {
  const query = session('subscription_charges as c').select(CHARGE.columns('c')).where('c.payment_id', paymentId);
  return (await CHARGE.all(query)).flatMap(({ paidAt, ...row }): TimelineEntry[] => {
    const listed = { kind: 'listed', from: row.id, ...row } as const;
    return row.status === PAID && paidAt !== undefined ? [paidEntry(row, paidAt), listed] : [listed];
  });
}

async function qrEntries(session: Session, name: string, id: string): Promise<TimelineEntry[]> {
  const query = session('qr_transactions as q').select(QR_PAYMENT.columns('q')).where(name, id).limit(ROWS_PER_SOURCE);
  return (await QR_PAYMENT.all(query)).flatMap(({ paidAt, ...row }): TimelineEntry[] => [
    paidEntry(row, paidAt),
    { kind: 'listed', from: row.id, status: undefined, ...row },
  ]);
}

function paidEntry({ id, amount }: { readonly id: string; readonly amount: Millimes }, paidAt: Instant): TimelineEntry {
  return { kind: 'paid', at: paidAt, from: id, id, notBefore: paidAt, amount };
}
