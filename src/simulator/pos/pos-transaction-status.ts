import { FieldCheck } from '../core/field-check';
import type { SimAnswer, SimOperation, SimRequest } from '../core/operation';
import type { Simulation } from '../core/simulation';
import { posTransactionOf } from './finish-pos';
import type { SimPosTransaction } from './pos-state';
import { settlementStatusOf } from './pos-status';
import type { PosFamily } from './start-pos-transaction';

/**
 * Get POS Transaction Status (interface section 4.4), in one of the two path families. An empty result is not an error.
 */
export function posTransactionStatus(family: PosFamily): SimOperation {
  return {
    name: 'pos.status',
    method: 'GET',
    path: `/${family}/transactions/get_pos_transaction_status`,
    auth: 'app',
    answer,
  };
}

function answer(simulation: Simulation, request: SimRequest): SimAnswer {
  const check = FieldCheck.ofQuery(request);
  const byServiceId = check.has('service_transaction_id');
  if (byServiceId && check.has('developer_tracking_id')) {
    check.refuse('developer_tracking_id', 'cannot be given beside service_transaction_id');
  }
  const id = byServiceId ? check.uuid('service_transaction_id') : check.text('developer_tracking_id');
  const terminalId = check.textOrNull('id_terminal');
  const refusal = check.refusal();
  if (refusal !== undefined) return refusal;
  const found = byServiceId ? [posTransactionOf(simulation, id)] : transactionsTracked(simulation, id);
  const transactions = found
    .filter((transaction) => transaction !== undefined)
    .filter((transaction) => terminalId === null || transaction.terminalId === terminalId);
  return { status: 200, body: { success: true, transactions: transactions.map(rowOf), status_code: 200 } };
}

/** Returns the transactions of a tracking id, which may have been reused; oldest first. */
function transactionsTracked({ world }: Simulation, developerTrackingId: string): readonly SimPosTransaction[] {
  return Object.values(world.pos.transactions).filter((row) => row.developerTrackingId === developerTrackingId);
}

function rowOf(transaction: SimPosTransaction): object {
  const settlementStatus = settlementStatusOf(transaction);
  return {
    developer_tracking_id: transaction.developerTrackingId,
    service_transaction_id: transaction.serviceTransactionId,
    payment_status: transaction.status,
    payment_method: transaction.paymentMethod,
    amount_in_millimes: transaction.amountMillimes,
    currency: 'TND',
    terminal_id: transaction.terminalId,
    ...(settlementStatus === undefined ? {} : { settlement_status: settlementStatus }),
  };
}
