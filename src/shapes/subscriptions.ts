import { z } from 'zod';
import type { ChargeMirror, CreateSubscriptionOutcome, SubscriptionMirror } from '../subscriptions';
import { statusCheckFields, statusChecksJson } from './status-checks';
import { dayValue, idValue, instantJson, instantValue, millimesValue, outsideIdField } from './values';

const gatewayText = z.string().nullable().meta({ description: 'As the gateway reports it.' });

/** A requested subscription, and its state at the gateway. */
export const subscriptionValue = z
  .strictObject({
    trackingId: idValue.meta({ description: 'The id of Millime, which the gateway knows too.' }),
    reference: outsideIdField.nullable(),
    isLive: z.boolean().meta({ description: 'Whether it is the live subscription of its reference.' }),
    agentId: outsideIdField.nullable(),
    amountMillimes: millimesValue.meta({ description: 'The amount of each charge.' }),
    terms: z.record(z.string(), z.unknown()).meta({ description: 'What Millime asked the gateway for.' }),
    isTest: z.boolean(),
    requestState: z.enum(['requested', 'sending', 'made', 'refused', 'unknown']),
    requestError: z.string().nullable(),
    requestedAt: instantValue,
    sentAt: instantValue.nullable(),
    subscriptionId: gatewayText,
    firstPaymentId: gatewayText,
    link: z.string().nullable().meta({ description: 'Where the customer pays the first charge.' }),
    sessionEndsAt: instantValue.nullable(),
    status: gatewayText,
    activatedAt: instantValue.nullable(),
    periodStartAt: instantValue.nullable(),
    periodEndAt: instantValue.nullable(),
    nextChargeAt: instantValue.nullable(),
    cyclesCompleted: z.int(),
    cancelAtPeriodEnd: z.boolean(),
    canceledAt: instantValue.nullable(),
    cancellationInitiator: gatewayText,
    cancellationReason: gatewayText,
    ...statusCheckFields,
    recordedBy: z.string(),
  })
  .meta({ id: 'Subscription' });

/** Returns a subscription as JSON. */
export function subscriptionJson(subscription: SubscriptionMirror): z.input<typeof subscriptionValue> {
  return {
    trackingId: subscription.trackingId,
    reference: subscription.reference ?? null,
    isLive: subscription.isLive,
    agentId: subscription.agentId ?? null,
    amountMillimes: subscription.amount,
    terms: subscription.terms,
    isTest: subscription.isTest,
    requestState: subscription.requestState,
    requestError: subscription.requestError ?? null,
    requestedAt: instantJson(subscription.requestedAt),
    sentAt: instantJson(subscription.sentAt),
    subscriptionId: subscription.subscriptionId ?? null,
    firstPaymentId: subscription.firstPaymentId ?? null,
    link: subscription.link ?? null,
    sessionEndsAt: instantJson(subscription.sessionEndsAt),
    status: subscription.status ?? null,
    activatedAt: instantJson(subscription.activatedAt),
    periodStartAt: instantJson(subscription.periodStartAt),
    periodEndAt: instantJson(subscription.periodEndAt),
    nextChargeAt: instantJson(subscription.nextChargeAt),
    cyclesCompleted: subscription.cyclesCompleted,
    cancelAtPeriodEnd: subscription.cancelAtPeriodEnd,
    canceledAt: instantJson(subscription.canceledAt),
    cancellationInitiator: subscription.cancellationInitiator ?? null,
    cancellationReason: subscription.cancellationReason ?? null,
    ...statusChecksJson(subscription),
    recordedBy: subscription.recordedBy,
  };
}

/** One charge of a subscription. */
export const chargeValue = z
  .strictObject({
    paymentId: z.string(),
    status: z.string(),
    method: z.string(),
    billingReason: z.string(),
    attempt: z.int().nullable(),
    periodStart: dayValue.nullable(),
    periodEnd: dayValue.nullable(),
    amountMillimes: millimesValue,
    feeMillimes: millimesValue.nullable().meta({ description: 'Null until the gateway has computed it.' }),
    tvaMillimes: millimesValue.nullable(),
    createdAt: instantValue.nullable(),
    paidAt: instantValue.nullable().meta({ description: 'When the wallet was debited or the debit failed.' }),
    firstSeenAt: instantValue,
    lastLookAt: instantValue,
    itemId: z.string().nullable().meta({ description: 'The item of its money in the ledger.' }),
  })
  .meta({ id: 'Charge' });

/** Returns a charge as JSON. */
export function chargeJson(charge: ChargeMirror): z.input<typeof chargeValue> {
  return {
    paymentId: charge.paymentId,
    status: charge.status,
    method: charge.method,
    billingReason: charge.billingReason,
    attempt: charge.attempt ?? null,
    periodStart: charge.periodStart ?? null,
    periodEnd: charge.periodEnd ?? null,
    amountMillimes: charge.amount,
    feeMillimes: charge.fee ?? null,
    tvaMillimes: charge.tva ?? null,
    createdAt: instantJson(charge.createdAt),
    paidAt: instantJson(charge.paidAt),
    firstSeenAt: instantJson(charge.firstSeenAt),
    lastLookAt: instantJson(charge.lastCheckAt),
    itemId: charge.itemId ?? null,
  };
}

/** The outcome of the creation of a subscription. */
export const subscriptionCreationValue = z
  .strictObject({
    kind: z.enum(['created', 'existing', 'refused', 'unknown', 'checked']),
    dryRun: z.boolean(),
    subscription: subscriptionValue.nullable().meta({ description: 'Null in a dry run.' }),
    reason: z.string().nullable(),
  })
  .meta({ id: 'SubscriptionCreation' });

/** Returns the outcome of the creation of a subscription as JSON. */
export function subscriptionCreationJson(
  outcome: CreateSubscriptionOutcome,
): z.input<typeof subscriptionCreationValue> {
  return {
    kind: outcome.kind,
    dryRun: outcome.kind === 'checked',
    subscription: outcome.kind === 'checked' ? null : subscriptionJson(outcome.subscription),
    reason: 'reason' in outcome ? outcome.reason : null,
  };
}
