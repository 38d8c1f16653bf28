import { AppError, type Millimes, negateMillimes } from '../../kernel';
import type { Simulation } from '../core/simulation';
import { earnMoney } from '../payouts/earn-money';
import { emitWebhook } from '../webhooks/emit-webhook';
import type { PosMethod, PosStatus, SimPosTransaction } from './pos-state';
import { isCleared, mayBecome } from './pos-status';

/**
 * Ends a POS payment at the terminal or at the gateway: it succeeds, fails or is refunded. `paymentMethod` is the
 * customer's actual method if it differs from the requested one; only a payment uses it.
 *
 * @throws AppError `not_found` for an unknown transaction, `conflict` for a status that cannot follow.
 */
export function finishPos(
  simulation: Simulation,
  serviceTransactionId: string,
  status: PosStatus,
  { paymentMethod }: { readonly paymentMethod?: PosMethod | undefined } = {},
): void {
  const transaction = posTransactionOf(simulation, serviceTransactionId);
  if (transaction === undefined) {
    throw new AppError('not_found', { thing: 'POS transaction', id: serviceTransactionId });
  }
  if (!mayBecome(transaction.status, status)) {
    const fault = `POS transaction ${serviceTransactionId} (${transaction.status}) cannot become ${status}`;
    throw new AppError('simulated_state', { fault });
  }
  if (paymentMethod !== undefined && status === 'PS') transaction.paymentMethod = paymentMethod;
  transaction.status = status;
  simulation.record('pos.status', { serviceTransactionId, status, amountMillimes: transaction.amountMillimes });
  earnOrTakeBack(simulation, transaction);
  notify(simulation, transaction);
}

export function posTransactionOf({ world }: Simulation, serviceTransactionId: string): SimPosTransaction | undefined {
  const { transactions } = world.pos;
  return Object.hasOwn(transactions, serviceTransactionId) ? transactions[serviceTransactionId] : undefined;
}

/**
 * Adds or takes back the money. PS and PR are each reached at most once, so each happens once; never for a test
 * application.
 */
function earnOrTakeBack(
  simulation: Simulation,
  { status, serviceTransactionId, ...transaction }: SimPosTransaction,
): void {
  if (transaction.isTest || !isCleared(transaction.paymentMethod)) return;
  if (status !== 'PS' && status !== 'PR') return;
  const now = simulation.now();
  const item = (itemId: string, amountMillimes: Millimes) =>
    ({ itemId, channel: 'pos', amountMillimes, succeededAt: now, availableAt: now }) as const;
  const paymentItemId = `payment:${serviceTransactionId}`;
  if (status === 'PS') return earnMoney(simulation, item(paymentItemId, transaction.amountMillimes));
  const taken = item(`refund:${simulation.newId('re_')}`, negateMillimes(transaction.amountMillimes));
  earnMoney(simulation, { ...taken, refundOf: paymentItemId });
}

/** Sends the webhook. The interface does not show its body (section 6.5); it only triggers a status check. */
function notify(simulation: Simulation, transaction: SimPosTransaction): void {
  if (transaction.webhook === null) return;
  const body = {
    service_transaction_id: transaction.serviceTransactionId,
    developer_tracking_id: transaction.developerTrackingId,
    payment_status: transaction.status,
    amount_in_millimes: transaction.amountMillimes,
    terminal_id: transaction.terminalId,
  };
  emitWebhook(simulation, { kind: 'hint', channel: 'pos', url: transaction.webhook, body });
}
