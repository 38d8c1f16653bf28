import { FieldCheck } from '../core/field-check';
import type { SimAnswer, SimOperation, SimRequest } from '../core/operation';
import type { Simulation } from '../core/simulation';
import { sendCustomer } from './pos-customer';
import type { PosMethod, SimPosTransaction } from './pos-state';

const METHODS: ReadonlyMap<string, PosMethod> = new Map([
  ['NFC', 'nfc'],
  ['CARD', 'card'],
  ['WALLET', 'wallet'],
  ['CHECK', 'check'],
]);

export type PosFamily = 'api' | 'partners';

/** Initiate POS Transaction (interface section 4.4), in one of the two path families. Every terminal id exists. */
export function startPosTransaction(family: PosFamily): SimOperation {
  return {
    name: 'pos.start',
    method: 'POST',
    path: `/${family}/transactions/init_pos_transaction`,
    auth: 'app',
    answer: (simulation, request) => answer(simulation, request, family),
  };
}

function answer(simulation: Simulation, request: SimRequest, family: PosFamily): SimAnswer {
  const check = FieldCheck.ofBody(request);
  const transaction: SimPosTransaction = {
    serviceTransactionId: simulation.newUuid(),
    developerTrackingId: check.text('developer_tracking_id'),
    terminalId: check.text('id_terminal'),
    serialNumber: check.text('serial_number'),
    amountMillimes: check.amount('amount_in_millimes'),
    webhook: check.webUrl('webhook'),
    isTest: simulation.settings.isTest,
    createdAt: simulation.now(),
    paymentMethod: checkMethod(check),
    status: 'PP',
  };
  const refusal = check.refusal();
  if (refusal !== undefined) return refusal;
  const { serviceTransactionId, developerTrackingId, terminalId, amountMillimes } = transaction;
  simulation.world.pos.transactions[serviceTransactionId] = transaction;
  simulation.record('pos.started', { serviceTransactionId, amountMillimes });
  sendCustomer(simulation, transaction);
  // Neither family returns the id of the transaction (open point 73).
  const more = { developer_tracking_id: developerTrackingId, message: 'Transaction sent to the terminal' };
  return {
    status: 201,
    body: { success: true, terminal_id: terminalId, status_code: 201, ...(family === 'partners' ? more : {}) },
  };
}

function checkMethod(check: FieldCheck): PosMethod {
  const word = check.text('payment_method');
  const method = METHODS.get(word);
  if (word !== '' && method === undefined) {
    check.refuse('payment_method', `is not one of ${[...METHODS.keys()].join(', ')}`);
  }
  return method ?? 'card';
}
