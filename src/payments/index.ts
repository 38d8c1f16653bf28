import { applyWebhookEvent } from './attempts/apply-webhook-event';
import { createPayment } from './attempts/create-payment';
import { importPaymentPlan } from './attempts/import-plan';
import { processWebhookEvents } from './attempts/process-webhook-events';
import { resolveStaleRequests } from './attempts/resolve-stale-requests';
import { sendRequestedPayments } from './attempts/send-requested';
import { cancelPayment, capturePayment, refundPayment } from './operations/payment-operations';
import { openPaymentStore } from './payment-store';
import type { Payments, PaymentsDeps } from './payments';
import { pollPayments } from './polling/poll-payments';
import { scheduleHintedChecks } from './polling/schedule-hinted-checks';
import { showPayment } from './show-payments';
import { checkPaymentStatus } from './status-checks/check-payment';

export { sendAttempt } from './attempts/send-attempt';
export type {
  ChannelAnswer,
  ChannelDecision,
  ChannelFacts,
  ChannelQuestion,
  FoundByStatusCheck,
  Mismatch,
} from './channel';
export { CHECKOUT_KINDS, type Payment, type PaymentKind, type PaymentObservation } from './payment';
export { type PaymentProgress, progressOf } from './payment-progress';
export type {
  CreateOutcome,
  OperationOutcome,
  PaymentDetails,
  PaymentRequest,
  Payments,
  PaymentsDeps,
  PaymentWebhookEvent,
  StatusCheckOutcome,
} from './payments';
export { openRecordedItems, type ItemObservation, type RecordedItem } from './recorded-items-store';
export { checkSafely } from './status-checks/check-safely';
export { unpostedPaymentOf } from './unposted-payment-store';

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
    list: (filter) => deps.database.read((session) => openPaymentStore(session).list(filter)),
    show: (id) => showPayment(deps, id),
  };
}
