import { applyWebhookEvent } from './attempts/apply-webhook-event';
import { createPayment } from './attempts/create-payment';
import { importPaymentPlan } from './attempts/import-plan';
import { processWebhookEvents } from './attempts/process-webhook-events';
import { resolveStaleRequests } from './attempts/resolve-stale-requests';
import { sendRequestedPayments } from './attempts/send-requested';
import { cancelPayment, capturePayment, refundPayment } from './operations/payment-operations';
import type { Payments, PaymentsDeps } from './payments';
import { startPos } from './pos/start-pos';
import { createQr } from './qr/create-qr';
import { readQrHistory } from './qr/qr-history';
import { listPayments, showPayment } from './show-payments';
import { checkPaymentStatus } from './status-checks/check-payment';
import { pollPayments } from './status-checks/poll-payments';
import { scheduleHintedChecks } from './status-checks/schedule-hinted-checks';
import { payFromWallet } from './wallet/pay-from-wallet';
import { walletReads } from './wallet/wallet';

export type { Payment, PaymentKind } from './payment';
export type { PaymentFilter } from './payment-store';
export type {
  CreateOutcome,
  OperationOutcome,
  PaymentDetails,
  PaymentRequest,
  Payments,
  PaymentsDeps,
  PaymentWebhookEvent,
  StartPosRequest,
} from './payments';
export { openRecordedItems, type ItemObservation, type RecordedItem } from './recorded-items-store';

export function createPayments(deps: PaymentsDeps): Payments {
  return {
    create: (request, options) => createPayment(deps, request, options),
    importPlan: (file, options) => importPaymentPlan(deps, file, options),
    sendRequested: (signal) => sendRequestedPayments(deps, signal),
    resolveStaleRequests: () => resolveStaleRequests(deps),
    processWebhookEvents: (events, options) =>
      processWebhookEvents(
        {
          applyWebhookEvent: (event) => applyWebhookEvent(deps, event),
          checkStatus: (trackingId, atLeast) => checkPaymentStatus(deps, trackingId, atLeast),
        },
        events,
        options,
      ),
    checkStatus: (trackingId, options) => checkPaymentStatus(deps, trackingId, options),
    poll: (signal) => pollPayments(deps, signal),
    hint: (kind, receivedAt) => scheduleHintedChecks(deps, kind, receivedAt),
    capture: (trackingId, amountMillimes, options) => capturePayment(deps, trackingId, amountMillimes, options),
    cancel: (trackingId, options) => cancelPayment(deps, trackingId, options),
    refund: (trackingId, options) => refundPayment(deps, trackingId, options),
    startPos: (request, options) => startPos(deps, request, options),
    createQr: (request, options) => createQr(deps, request, options),
    readQrHistory: (window) => readQrHistory(deps, window),
    payFromWallet: (request, options) => payFromWallet(deps, request, options),
    ...walletReads(deps),
    list: (filter) => listPayments(deps, filter),
    show: (id) => showPayment(deps, id),
  };
}
