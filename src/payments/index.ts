import { createPayment } from './create-payment';
import { createQr } from './create-qr';
import { hintPayments } from './hint-payments';
import { importPaymentPlan } from './import-plan';
import { lookAtPayment } from './look-payment';
import { payByWallet } from './pay-by-wallet';
import { cancelPayment, capturePayment, refundPayment } from './payment-operations';
import type { Payments, PaymentsDeps } from './payments';
import { pollPayments } from './poll-payments';
import { readQrHistory } from './qr-history';
import { sendRequestedPayments } from './send-requested';
import { settleRequests } from './settle-requests';
import { listPayments, showPayment } from './show-payments';
import { startPos } from './start-pos';
import { takeNews } from './take-news';
import { walletReads } from './wallet';

export { BEING_SENT, isBeingSent, SENDING_MAX_MS } from './being-sent';
export { createSharedBudgetStore } from './budget-store';
export { isProvisional } from './decide-news';
export { toGatewayFault } from './gateway-fault';
export type { GatewayItem } from './item-store';
export { nextPendingLook, pauseAfterFailuresMs } from './next-look';
export { otherApplication } from './other-application';
export { REQUEST_STATES, type Payment, type PaymentKind, type RequestState } from './payment';
export type { PaymentFilter } from './payment-store';
export { word } from './payment-store';
export type {
  ActOptions,
  CreateOutcome,
  NewsOutcome,
  OperationOutcome,
  PaymentDetails,
  PaymentNews,
  PaymentRequest,
  Payments,
  PaymentsDeps,
  PaymentSettings,
  PlanResult,
  PollResult,
  QueueResult,
  StartPosRequest,
} from './payments';
export { postFee, postItem, type PostedBy } from './post-item';
export { requireGateway } from './require-gateway';

export function createPayments(deps: PaymentsDeps): Payments {
  return {
    create: (request, options) => createPayment(deps, request, options),
    importPlan: (file, options) => importPaymentPlan(deps, file, options),
    sendRequested: (signal) => sendRequestedPayments(deps, signal),
    settleRequests: () => settleRequests(deps),
    takeNews: (news) => takeNews(deps, news),
    look: (trackingId, options) => lookAtPayment(deps, trackingId, options),
    poll: (signal) => pollPayments(deps, signal),
    hint: (kind, receivedAt) => hintPayments(deps, kind, receivedAt),
    capture: (trackingId, amountMillimes, options) => capturePayment(deps, trackingId, amountMillimes, options),
    cancel: (trackingId, options) => cancelPayment(deps, trackingId, options),
    refund: (trackingId, options) => refundPayment(deps, trackingId, options),
    startPos: (request, options) => startPos(deps, request, options),
    createQr: (request, options) => createQr(deps, request, options),
    readQrHistory: (window) => readQrHistory(deps, window),
    payByWallet: (request, options) => payByWallet(deps, request, options),
    ...walletReads(deps),
    list: (filter) => listPayments(deps, filter),
    show: (id) => showPayment(deps, id),
  };
}
