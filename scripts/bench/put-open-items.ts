import type { Database } from '../../src/db';
import { type Instant, newId, pagesOf, sha256Hex } from '../../src/kernel';
import { agentReceivable, gatewayClearing, moved, openLedger, PAYMENTS_RECEIVED } from '../../src/ledger';
import type { Item, Observation } from '../../src/payout-inference';

/** The agent whose due is paid each time. */
const AGENT = 'A1';
const RECORDED_BY = 'bench';
const ITEMS_PER_TRANSACTION = 2_000;
const DEADLINE_MS = 60_000;

type Row = Readonly<Record<string, unknown>>;

interface Posted {
  readonly item: Item;
  readonly ledgerTransactionId: string;
}

/**
 * Stores payments in the ledger as the service does: agents' payments as confirms, those of the other channels as
 * payments with the status checks that observed them.
 */
export async function putOpenItems(
  database: Database,
  items: readonly Item[],
  observations: readonly Observation[],
): Promise<void> {
  const looks = new Map(observations.map((look) => [look.itemId, look]));
  for (const page of pagesOf(items, ITEMS_PER_TRANSACTION)) {
    const posted = page.map((item): Posted => ({ item, ledgerTransactionId: newId() }));
    const ofAgents = posted.filter(({ item }) => item.channel === 'agent');
    const others = posted.filter(({ item }) => item.channel !== 'agent');
    await database.transact(
      async (session) => {
        await openLedger(session).post(posted.map(ledgerTransaction));
        await session.insert([{ table: 'agent_confirmations', rows: ofAgents.map(confirmationRow) }]);
        await session.insert([{ table: 'gateway_items', rows: others.map(itemRow) }]);
        const seen = others.map(({ item }) => lookRows(item, looks.get(item.itemId)?.observedAt ?? item.succeededAt));
        await session.insert([{ table: 'payments', rows: seen.map(({ payment }) => payment) }]);
        await session.insert([{ table: 'payment_observations', rows: seen.map(({ look }) => look) }]);
      },
      { deadlineMs: DEADLINE_MS },
    );
  }
}

function ledgerTransaction({
  item,
  ledgerTransactionId,
}: Posted): Parameters<ReturnType<typeof openLedger>['post']>[0][number] {
  const { itemId, channel, amount, succeededAt } = item;
  const isOfAgent = channel === 'agent';
  const source = isOfAgent ? agentReceivable(AGENT) : PAYMENTS_RECEIVED;
  return {
    id: ledgerTransactionId,
    reference: itemId,
    code: isOfAgent ? 'agent_payment' : 'payment',
    occurredAt: succeededAt,
    recordedAt: succeededAt,
    recordedBy: RECORDED_BY,
    postings: [moved(gatewayClearing(channel), source, amount)],
  };
}

function confirmationRow({ item: { itemId, amount, succeededAt }, ledgerTransactionId }: Posted): Row {
  return {
    transaction_id: itemId.replace('service:', ''),
    agent_id: AGENT,
    amount_millimes: amount,
    fingerprint: sha256Hex(itemId),
    attempt_id: ledgerTransactionId,
    balance_before_millimes: 0,
    followed_unavailable: 0,
    token_sub: RECORDED_BY,
    token_jti: RECORDED_BY,
    received_at: succeededAt,
    recorded_at: succeededAt,
    ledger_transaction_id: ledgerTransactionId,
  };
}

function itemRow({ item: { itemId, channel, amount, succeededAt }, ledgerTransactionId }: Posted): Row {
  return {
    item_id: itemId,
    channel,
    amount_millimes: amount,
    agent_id: null,
    refund_of: null,
    occurred_at: succeededAt,
    recorded_at: succeededAt,
    ledger_transaction_id: ledgerTransactionId,
  };
}

function lookRows({ itemId, amount, succeededAt }: Item, observedAt: Instant): { payment: Row; look: Row } {
  const trackingId = newId();
  const payment = {
    tracking_id: trackingId,
    kind: 'standard',
    amount_millimes: amount,
    our_share_millimes: amount,
    terms: '{}',
    is_test: 0,
    request_state: 'made',
    requested_at: succeededAt,
    sent_at: succeededAt,
    gateway_id: itemId.replace('service:', ''),
    status: 'SUCCESS',
    settlement_status: 'AVAILABLE',
    succeeded_after: succeededAt,
    succeeded_until: succeededAt,
    item_id: itemId,
    last_look_at: observedAt,
    looks: 1,
    failed_looks: 0,
    recorded_by: RECORDED_BY,
  };
  const look = {
    id: newId(),
    tracking_id: trackingId,
    source: 'verify',
    observed_at: observedAt,
    recorded_at: observedAt,
    status: 'SUCCESS',
    settlement_status: 'AVAILABLE',
    amount_millimes: amount,
    detail: '{}',
  };
  return { payment, look };
}
