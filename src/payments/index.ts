import { applyWebhookEvent } from './attempts/apply-webhook-event';
import { createPayment } from './attempts/create-payment';
import { importPaymentPlan } from './attempts/import-plan';
import { processWebhookEvents } from './attempts/process-webhook-events';
import { resolveStaleRequests } from './attempts/resolve-stale-requests';
import { sendRequestedPayments } from './attempts/send-requested';
import { cancelPayment, capturePayment, refundPayment } from './operations/payment-operations';
import type { Payments, PaymentsDeps } from './payments';
import { pollPayments } from './polling/poll-payments';
import { scheduleHintedChecks } from './polling/schedule-hinted-checks';
import { listPayments, showPayment } from './show-payments';
import { checkPaymentStatus } from './status-checks/check-payment';

export { hintUrl } from './attempts/hint-url';
export { sendAttempt } from './attempts/send-attempt';
export type { Payment, PaymentKind, PaymentObservation } from './payment';
export { openPaymentStore, type PaymentChange } from './payment-store';
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
export { applyStatusCheck, STATUS_CHECK_ACTOR, type StatusCheckDecision } from './status-checks/apply-status-check';
export { NOT_LISTED, startOf, statusSince, type ChannelFacts } from './status-checks/channel-check';
export { checkSafely } from './status-checks/check-safely';
export { DAY_MS, nextChannelCheck } from './status-checks/next-channel-check';
export { UNKNOWN_WORKING_DAYS_MAX } from './status-checks/next-check';
export { postponeCheck, recordFailedCheck } from './status-checks/record-failed-check';
export { statusCheckBreak } from './status-checks/status-check-break';
export { syncMismatches, type FoundByStatusCheck } from './status-checks/sync-mismatches';
export { mismatchBreak, type Mismatch } from './status-checks/webhook-mismatch';

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
    list: (filter) => listPayments(deps, filter),
    show: (id) => showPayment(deps, id),
  };
}
