import { createPayment } from './attempts/create-payment';
import { createQr } from './qr/create-qr';
import { scheduleHintedChecks } from './status-checks/schedule-hinted-checks';
import { importPaymentPlan } from './attempts/import-plan';
import { checkPaymentStatus } from './status-checks/check-payment';
import { payFromWallet } from './wallet/pay-from-wallet';
import { cancelPayment, capturePayment, refundPayment } from './operations/payment-operations';
import type { Payments, PaymentsDeps } from './payments';
import { pollPayments } from './status-checks/poll-payments';
import { readQrHistory } from './qr/qr-history';
import { sendRequestedPayments } from './attempts/send-requested';
import { resolveStaleRequests } from './attempts/resolve-stale-requests';
import { listPayments, showPayment } from './show-payments';
import { startPos } from './pos/start-pos';
import { applyWebhookEvent } from './attempts/apply-webhook-event';
import { processWebhookEvents } from './attempts/process-webhook-events';
import { walletReads } from './wallet/wallet';

export { BEING_SENT, isBeingSent, SENDING_MAX_MS } from './attempts/being-sent';
export { toGatewayFault } from './gateway-fault';
export { faultText, idFaults, inputError, linkFaults } from './attempts/input-error';
export type { GatewayItem } from './books/item-store';
export { readLastDetail } from './status-checks/last-detail-store';
export { nextPendingCheck, pauseAfterFailuresMs, SESSION_GRACE_MS } from './status-checks/next-check';
export { otherApplication } from './attempts/other-application';
export { queueMaySend } from './attempts/queue-may-send';
export { queueOrder } from './attempts/queue-store';
export type { CallSign } from './attempts/queue-wait';
export { noteForQueue } from './attempts/queue-wait-record';
export { REQUEST_STATES, type Payment, type PaymentKind, type RequestState } from './payment';
export type { PaymentFilter } from './payment-store';
export { ATTEMPT_FIELDS, gatewayWord, withIsLive, withLiveReference, word } from './attempts/attempt-codec';
export type { Attempt } from './attempts/attempt';
export type {
  ActOptions,
  CreateOutcome,
  OperationOutcome,
  PaymentDetails,
  PaymentWebhookEvent,
  PaymentRequest,
  Payments,
  PaymentsDeps,
  PaymentSettings,
  PlanResult,
  PollResult,
  QueueResult,
  StartPosRequest,
} from './payments';
export { postFees, type FeeCorrection, type FoundFee } from './books/post-fees';
export { postFee, postItem, type PostedBy } from './books/post-item';
export { openRecordedItems, type ItemObservation, type RecordedItem } from './books/recorded-items-store';
export { requireGateway } from './require-gateway';

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
