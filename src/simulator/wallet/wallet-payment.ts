import { addMillimes, negateMillimes } from '../../kernel';
import { wordError } from '../core/answers';
import { FieldCheck } from '../core/field-check';
import { magicPayerOf } from '../core/magic-amounts';
import type { SimAnswer, SimOperation } from '../core/operation';
import type { Simulation } from '../core/simulation';
import { emitWebhook } from '../webhooks/emit-webhook';
import { namedWallet } from './named-wallet';
import type { SimWallet, SimWalletOperation, WalletOperationStatus } from './wallet-state';

/** The event that completes a payment that failed first. */
export const WALLET_LATE_SUCCESS = 'wallet.late_success';

const LATE_MS = 60_000;
const HASH_DIGITS = 64;
const REF_DIGITS = 40;

/**
 * Initiate Payment of a wallet (interface section 4.3): debits the wallet immediately. The interface shows no error for
 * it; the refusal has the shape of a refused refund. The gateway does not owe this money to the integrator, so no
 * payout includes it.
 */
export const pay: SimOperation = {
  name: 'wallet.pay',
  method: 'POST',
  path: '/partners/v1/transactions/initiate_payment',
  auth: 'app',
  answer(simulation, request) {
    const check = FieldCheck.ofBody(request);
    const amountMillimes = check.amount('amount_in_millimes');
    const product = check.text('product');
    const webhook = check.webUrl('webhook');
    const named = namedWallet(simulation, check);
    if (named.kind === 'refused') return named.answer;
    const { wallet } = named;
    if (wallet.balanceMillimes < amountMillimes) return wordError('INSUFFICIENT_BALANCE', 'The balance is too small');
    const operation: SimWalletOperation = {
      operationId: simulation.newUuid(),
      amountMillimes,
      product,
      hash: simulation.random.hex(HASH_DIGITS),
      blockchainRef: `0x${simulation.random.hex(REF_DIGITS)}`,
      webhook,
      createdAt: simulation.now(),
      status: 'PENDING',
    };
    wallet.operations.push(operation);
    return decide(simulation, wallet, operation);
  },
};

/** Ends the payment as its magic amount determines. */
function decide(simulation: Simulation, wallet: SimWallet, operation: SimWalletOperation): SimAnswer {
  const { operationId, hash, blockchainRef } = operation;
  switch (magicPayerOf(operation.amountMillimes)) {
    case 'fails':
      finish(simulation, operation, 'FAILURE');
      return wordError('PAYMENT_FAILED', 'The payment failed');
    case 'abandons':
      break;
    case 'system_failure':
      finish(simulation, operation, 'SYSTEM_FAILURE');
      break;
    case 'late_success':
      finish(simulation, operation, 'FAILURE');
      simulation.schedule(simulation.now() + LATE_MS, WALLET_LATE_SUCCESS, {
        trackingId: wallet.trackingId,
        operationId,
      });
      break;
    case 'renewals_fail':
    case undefined:
      succeed(simulation, wallet, operation);
  }
  return { status: 201, body: { success: true, hash, blockchain_ref: blockchainRef } };
}

/** Debits the wallet, unless its balance is no longer sufficient. */
export function succeed(simulation: Simulation, wallet: SimWallet, operation: SimWalletOperation): void {
  if (wallet.balanceMillimes < operation.amountMillimes) return;
  wallet.balanceMillimes = addMillimes(wallet.balanceMillimes, negateMillimes(operation.amountMillimes));
  finish(simulation, operation, 'SUCCESS');
}

function finish(simulation: Simulation, operation: SimWalletOperation, status: WalletOperationStatus): void {
  operation.status = status;
  const { operationId, hash, blockchainRef, webhook, amountMillimes } = operation;
  simulation.record('wallet.payment', { operationId, status, amountMillimes });
  if (webhook === null) return;
  // The interface does not show this body (section 6.5); it only triggers a status check.
  const body = { operation_id: operationId, hash, blockchain_ref: blockchainRef, status };
  emitWebhook(simulation, { kind: 'hint', channel: 'partner', url: webhook, body });
}
