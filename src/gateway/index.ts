export { createGatewayClient, type GatewayClient } from './gateway-client';
export type { GatewayBudgetOptions, GatewayClientOptions } from './client-options';
export {
  GatewayError,
  isGatewayError,
  type ExistingSubscription,
  type GatewayErrorCode,
  type GatewayErrorDetails,
} from './gateway-error';
export type { BudgetEntry, BudgetStore } from './budget/budget-store';
export { readCallBudgetUse, type CallBudgetQuestion, type CallBudgetUse, type CallsUsed } from './budget/budget-use';
export type { CheckedCalls, CheckInput } from './operations/check-input';
export type { Binding, Bindings } from './operations/bindings';
export type { Charge } from './operations/charge';
export type { CreatedSubscription, CreateSubscription } from './operations/create-subscription';
export type {
  CreateBindingPayment,
  CreatedPayment,
  CreatePayment,
  CreateSplitPayment,
  SplitDestination,
} from './operations/generate-payment';
export type {
  CancelledPayment,
  CapturedPayment,
  CapturePayment,
  Payments,
  RefundedPayment,
} from './operations/payments';
export type { Pos, PosStatusQuery, PosTransaction, StartedPosTransaction, StartPosTransaction } from './operations/pos';
export type { GenerateQrCode, Qr, QrCode, QrHistory, QrTransaction } from './operations/qr';
export type { RawRequest } from './operations/raw-request';
export type { Subscription } from './operations/subscription';
export type { Subscriptions } from './operations/subscriptions';
export type { VerifiedPayment } from './operations/verify-payment';
export type {
  InitiatedLink,
  InitiatedWalletPayment,
  RefreshedSession,
  Wallet,
  WalletAccount,
  WalletBalance,
  WalletHistory,
  WalletOperation,
  WalletPayment,
  WalletSession,
} from './operations/wallet';
export { verifyPaymentWebhook, type PaymentWebhook } from './webhooks/verify-payment-webhook';
export { verifySubscriptionWebhook, type SubscriptionWebhook } from './webhooks/verify-subscription-webhook';
export { paymentQueryContent, signWebhook, type SignWebhookInput } from './webhooks/sign-webhook';
export { EVENT_HEADER, SIGNATURE_HEADER, type WebhookHeaders } from './webhooks/webhook-headers';
export { WEBHOOK_BODY_BYTES_MAX } from './webhooks/check-signed-body';
export type { WebhookRejection, WebhookRejectionReason } from './webhooks/webhook-rejection';
export type { SignedWebhook, WebhookRequest } from './webhooks/webhook-request';
export type { KnownPaymentEvent, PaymentEvent, PaymentQueryEvent, UnknownPaymentEvent } from './webhooks/payment-event';
export type {
  KnownSubscriptionEvent,
  SubscriptionEvent,
  UnknownSubscriptionEvent,
} from './webhooks/subscription-event';
// The types above refer to these, so an integrator must be able to name them.
export type { BusinessDate, Clock, Millimes } from '../kernel';
export type { Logger } from '../logging';
