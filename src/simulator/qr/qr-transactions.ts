import { FieldCheck } from '../core/field-check';
import { gatewayTimestamp } from '../core/gateway-timestamp';
import type { SimOperation } from '../core/operation';
import type { Simulation } from '../core/simulation';
import { checkMerchantId, qrRefusal } from './qr-fields';
import type { SimQrPayment } from './qr-state';

const HISTORY_SIZE_MAX = 10_000;
const HISTORY_SIZE_DEFAULT = 100;

/** Verify Custom Transaction (interface section 4.5): returns all payments of a code; none for an unknown code. */
export const verifyQrTransaction: SimOperation = {
  name: 'qr.verify',
  method: 'GET',
  path: '/api/business/custom_transaction/status',
  auth: 'api_key',
  answer(simulation, request) {
    const check = FieldCheck.ofQuery(request);
    const operationUuid = check.uuid('operation_uuid');
    const refusal = qrRefusal(check);
    if (refusal !== undefined) return refusal;
    const payments = simulation.world.qr.payments.filter((payment) => payment.operationUuid === operationUuid);
    return { status: 200, body: { success: true, code: 200, transactions: payments.map(rowIn(simulation)) } };
  },
};

/**
 * History of Purchases of a merchant: newest first, from `start_date` on and before `end_date`. It returns at most
 * `size` rows and has no next page (open point 81).
 */
export const qrHistory: SimOperation = {
  name: 'qr.history',
  method: 'GET',
  path: '/api/business/custom_transactions/history',
  auth: 'api_key',
  answer(simulation, request) {
    const check = FieldCheck.ofQuery(request);
    const merchantId = checkMerchantId(check);
    const from = check.instant('start_date') ?? -Infinity;
    const to = check.instant('end_date') ?? Infinity;
    const size = check.whole('size', { min: 1, max: HISTORY_SIZE_MAX, fallback: HISTORY_SIZE_DEFAULT });
    const refusal = qrRefusal(check, merchantId);
    if (refusal !== undefined) return refusal;
    const payments = simulation.world.qr.payments
      .filter((payment) => payment.merchantId === merchantId && payment.paidAt >= from && payment.paidAt < to)
      .toReversed()
      .slice(0, size);
    return { status: 200, body: { success: true, code: 200, result: payments.map(rowIn(simulation)) } };
  },
};

function rowIn({ calendar }: Simulation): (payment: SimQrPayment) => object {
  return ({ transactionUniqueId, paidAt, amountMillimes, channel }) => ({
    transaction_unique_id: transactionUniqueId,
    time: gatewayTimestamp(paidAt, calendar),
    amount: amountMillimes,
    channel,
  });
}
