import { idFaults, linkFaults, type PaymentSettings, toGatewayFault, WITHOUT_ANSWER } from '../attempts';
import type { CreateSubscription, GatewayClient } from '../gateway';
import { inputError, type Instant, millimes, newId } from '../kernel';
import type { SubscriptionMirror, SubscriptionRequest } from './subscriptions';

/** The gateway's default (interface section 4.2). */
const SESSION_TIMEOUT_SECS = 1_200;

/**
 * The terms that must be equal in two requests of one reference. Millime's own ids and addresses are not among them.
 */
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

/** Returns the arguments of the gateway client's call for a request, with a new tracking id. */
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
 * Checks everything that can be checked before a row is stored.
 *
 * @throws AppError `bad_input`.
 */
export function checkTerms(gateway: GatewayClient, request: SubscriptionRequest, terms: CreateSubscription): void {
  const { reference, agentId } = request;
  const faults = [...idFaults('reference', reference), ...idFaults('agentId', agentId), ...linkFaults(terms)];
  if (faults.length > 0) throw inputError('subscription', faults);
  try {
    gateway.check('subscriptions.create', terms);
  } catch (error) {
    throw toGatewayFault(error);
  }
}

/** Returns the row of a subscription before its request is sent. The caller has checked the terms. */
export function newSubscription(
  { reference, agentId }: Pick<SubscriptionRequest, 'reference' | 'agentId'>,
  terms: CreateSubscription,
  by: { readonly at: Instant; readonly recordedBy: string; readonly isTest: boolean },
): SubscriptionMirror {
  return {
    ...WITHOUT_ANSWER,
    trackingId: terms.developerTrackingId,
    reference,
    isLive: reference !== undefined,
    agentId,
    amount: millimes(terms.amountMillimes),
    terms: { ...terms },
    isTest: by.isTest,
    requestState: 'requested',
    requestedAt: by.at,
    sentAt: undefined,
    subscriptionId: undefined,
    firstPaymentId: undefined,
    activatedAt: undefined,
    periodStartAt: undefined,
    periodEndAt: undefined,
    nextChargeAt: undefined,
    cyclesCompleted: 0,
    cancelAtPeriodEnd: false,
    canceledAt: undefined,
    cancellationInitiator: undefined,
    cancellationReason: undefined,
    recordedBy: by.recordedBy,
  };
}

/** Returns whether two requests of one reference have the same terms, agent and application. */
export function asksForTheSame(existing: SubscriptionMirror, asked: SubscriptionMirror): boolean {
  if (existing.isTest !== asked.isTest || existing.agentId !== asked.agentId) return false;
  return COMPARED.every((name) => existing.terms[name] === asked.terms[name]);
}

/** Returns the stored arguments of the call; their order and types are those of `termsOf`. */
export function storedTerms({ terms }: SubscriptionMirror): CreateSubscription {
  return terms as unknown as CreateSubscription;
}

/** Returns how many milliseconds the first charge can be paid. */
export function sessionTimeoutMs(terms: SubscriptionMirror['terms']): number {
  const given = terms['sessionTimeout'];
  return (typeof given === 'number' ? given : SESSION_TIMEOUT_SECS) * 1_000;
}
