import { requireGateway } from '../../attempts';
import type { Session } from '../../db';
import { type GatewayClient, isGatewayError, type WalletOperation } from '../../gateway';
import { assert, formatInstant } from '../../kernel';
import {
  applyStatusCheck,
  NOT_LISTED,
  openPaymentStore,
  type Payment,
  type PaymentsDeps,
  recordFailedCheck,
  startOf,
  type StatusCheckOutcome,
} from '../../payments';
import { decideWallet, refOf } from './decide-wallet';

/** The gateway's clock and ours need not agree. */
const CLOCKS_APART_MS = 5 * 60 * 1_000;
/** Operations of one wallet since the payment that are read; ours is among the first. */
const OPERATIONS_MAX = 1_000;

/** Looks for a payment in the history of its wallet (interface section 4.3), and keeps the status that it has there. */
export async function checkWalletStatus(deps: PaymentsDeps, payment: Payment): Promise<StatusCheckOutcome> {
  const gateway = requireGateway(deps);
  const { requestState, trackingId, gatewayId } = payment;
  if (requestState !== 'made' && requestState !== 'unknown') return { kind: 'nothing_to_ask', payment };
  const observedAt = deps.clock.now();
  let operations: readonly WalletOperation[];
  try {
    operations = await operationsSince(gateway, payment);
  } catch (error) {
    if (!isGatewayError(error)) throw error;
    return recordFailedCheck(deps, payment, error);
  }
  const found = operations.find((each) => gatewayId !== undefined && refOf(each) === gatewayId);
  const observation = {
    trackingId,
    source: 'wallet_history',
    observedAt,
    status: found?.status ?? NOT_LISTED,
    settlementStatus: undefined,
    method: undefined,
    amount: undefined,
    detail: JSON.stringify(found?.raw ?? []),
  } as const;
  const applied = await applyStatusCheck(
    deps,
    { observation, eventsCoveredUntil: observedAt },
    async (facts, session) => {
      const candidates = await candidatesOf(session, payment, operations);
      return decideWallet(deps, { payment: facts.payment, observedAt, found, candidates });
    },
  );
  return { kind: 'looked', payment: applied.payment };
}

async function operationsSince(gateway: GatewayClient, payment: Payment): Promise<readonly WalletOperation[]> {
  const { phoneNumber, trackingId } = payment.terms;
  assert(typeof phoneNumber === 'string' && typeof trackingId === 'string', 'the terms of a wallet payment are stored');
  const from = formatInstant(startOf(payment) - CLOCKS_APART_MS);
  const operations: WalletOperation[] = [];
  try {
    for await (const operation of gateway.wallet.history({ phoneNumber, trackingId, from })) {
      operations.push(operation);
      const isOurs = payment.gatewayId !== undefined && refOf(operation) === payment.gatewayId;
      if (isOurs || operations.length >= OPERATIONS_MAX) break;
    }
  } catch (error) {
    // The interface shows no errors of this operation; a wallet without a history may be this. Half of one is none.
    if (!isGatewayError(error, 'not_found') || operations.length > 0) throw error;
  }
  return operations;
}

/** Those of our product that are not known to be another payment of ours. */
async function candidatesOf(
  session: Session,
  { terms }: Payment,
  operations: readonly WalletOperation[],
): Promise<readonly WalletOperation[]> {
  const store = openPaymentStore(session);
  const candidates: WalletOperation[] = [];
  for (const operation of operations) {
    if (operation.payload['product'] !== terms['product']) continue;
    const ref = refOf(operation);
    if (ref === undefined || (await store.byGatewayId(ref)) === undefined) candidates.push(operation);
  }
  return candidates;
}
