import type { CreateSubscription, GatewayClient } from '../gateway';
import { AppError, millimes, newId, outsideIdFault, type Instant } from '../kernel';
import { otherApplication, toGatewayFault, type PaymentSettings } from '../payments';
import type { SubscriptionMirror, SubscriptionRequest } from './subscriptions';

/** The gateway's default (interface section 4.2). */
const SESSION_TIMEOUT_SECS = 1_200;

/** What of the terms makes two requests the same one. Our own ids and addresses are not part of it. */
const COMPARED = [
  'amountMillimes',
  'interval',
  'intervalCount',
  'name',
  'description',
  'successLink',
  'failLink',
  'sessionTimeout',
  'clientId',
  'maxCycles',
  'acceptCard',
] as const satisfies readonly (keyof CreateSubscription)[];

/** The arguments of the gateway client's call for a request, with a tracking id of its own. */
export function termsOf(request: SubscriptionRequest, settings: PaymentSettings): CreateSubscription {
  const { publicUrl } = settings;
  const given = {
    intervalCount: request.intervalCount,
    description: request.description,
    webhook: publicUrl === undefined ? undefined : `${publicUrl}/webhooks/subscription`,
    sessionTimeout: request.sessionTimeoutSecs,
    clientId: request.clientId,
    maxCycles: request.maxCycles,
    acceptCard: request.acceptCard,
  };
  return {
    amountMillimes: request.amountMillimes,
    interval: request.interval,
    name: request.name,
    developerTrackingId: newId(),
    successLink: request.successLink ?? settings.successLink ?? '',
    failLink: request.failLink ?? settings.failLink ?? '',
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
  };
}

/**
 * Checks all that can be known before anything is written.
 *
 * @throws AppError `bad_input` with one detail per field.
 */
export function checkTerms(gateway: GatewayClient, request: SubscriptionRequest, terms: CreateSubscription): void {
  const { reference, agentId } = request;
  const faults = [
    ...idFaults('reference', reference),
    ...idFaults('agentId', agentId),
    ...(terms.successLink === '' ? ['successLink is missing, and CHECKOUT_SUCCESS_URL is not set'] : []),
    ...(terms.failLink === '' ? ['failLink is missing, and CHECKOUT_FAIL_URL is not set'] : []),
  ];
  if (faults.length > 0) throw new AppError('bad_input', 'the subscription cannot be created', { details: faults });
  try {
    gateway.check('subscriptions.create', terms);
  } catch (error) {
    throw toGatewayFault(error);
  }
}

/** A row of a subscription that nobody has asked the gateway for yet. The terms were checked. */
export function newSubscription(
  { reference, agentId }: Pick<SubscriptionRequest, 'reference' | 'agentId'>,
  terms: CreateSubscription,
  by: { readonly at: Instant; readonly recordedBy: string; readonly isTest: boolean },
): SubscriptionMirror {
  return {
    trackingId: terms.developerTrackingId,
    reference,
    isLive: reference !== undefined,
    agentId,
    amount: millimes(terms.amountMillimes),
    terms: { ...terms },
    isTest: by.isTest,
    requestState: 'requested',
    requestError: undefined,
    requestedAt: by.at,
    sentAt: undefined,
    subscriptionId: undefined,
    firstPaymentId: undefined,
    link: undefined,
    sessionEndsAt: undefined,
    status: undefined,
    activatedAt: undefined,
    periodStartAt: undefined,
    periodEndAt: undefined,
    nextChargeAt: undefined,
    cyclesCompleted: 0,
    cancelAtPeriodEnd: false,
    canceledAt: undefined,
    cancellationInitiator: undefined,
    cancellationReason: undefined,
    nextCheckAt: undefined,
    triggeredAt: undefined,
    lastCheckAt: undefined,
    checks: 0,
    failedChecks: 0,
    lastCheckError: undefined,
    recordedBy: by.recordedBy,
  };
}

/** Whether two requests of one reference ask for the same, with the same money. */
export function asksForTheSame(existing: SubscriptionMirror, asked: SubscriptionMirror): boolean {
  if (otherApplication(existing, asked) !== undefined) return false;
  return existing.agentId === asked.agentId && COMPARED.every((name) => existing.terms[name] === asked.terms[name]);
}

/** The call's arguments as they were written down; their order and their types are those of `termsOf`. */
export function storedTerms({ terms }: SubscriptionMirror): CreateSubscription {
  return terms as unknown as CreateSubscription;
}

/** How long the first charge may be paid. */
export function sessionTimeoutMs(terms: SubscriptionMirror['terms']): number {
  const given = terms['sessionTimeout'];
  return (typeof given === 'number' ? given : SESSION_TIMEOUT_SECS) * 1_000;
}

function idFaults(name: string, id: string | undefined): string[] {
  const fault = id === undefined ? undefined : outsideIdFault(id);
  return fault === undefined ? [] : [`${name} ${fault}`];
}
