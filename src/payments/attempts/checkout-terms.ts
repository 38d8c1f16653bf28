import { type PaymentSettings, toGatewayFault, UNKNOWN_GRACE_MS } from '../../attempts';
import {
  type CheckedCalls,
  type CreateBindingPayment,
  type CreatedPayment,
  type CreatePayment,
  type CreateSplitPayment,
  type GatewayClient,
  isGatewayError,
  type SplitDestination,
} from '../../gateway';
import { type Instant, SECOND_MS } from '../../kernel';
import { type CheckoutKind, isCheckout, type Payment } from '../payment';
import type { PaymentRequest } from '../payments';

/** The interface's default session length (section 2.1). */
const SESSION_DEFAULT_SECS = 1_200;
const WEBHOOK_VERSION = 2;

const CALLS = {
  standard: 'payments.create',
  binding: 'payments.createWithBinding',
  preauthorization: 'payments.preauthorize',
  split: 'payments.createSplit',
} as const satisfies Record<CheckoutKind, keyof CheckedCalls>;

/** The arguments of Generate Payment, for any variant. */
export interface CheckoutTerms extends CreatePayment {
  readonly destination?: readonly SplitDestination[];
}

/**
 * Returns the arguments of the call for a request, valid or not. They have Millime's tracking id, and request version 2
 * of the webhook, because only that version returns the id.
 */
export function checkoutTerms(request: PaymentRequest, settings: PaymentSettings, trackingId: string): CheckoutTerms {
  const { acceptCard, sessionTimeoutSecs, clientId, imageUrl, destination } = request;
  return {
    amountMillimes: request.amountMillimes,
    successLink: request.successLink ?? settings.successLink ?? '',
    failLink: request.failLink ?? settings.failLink ?? '',
    developerTrackingId: trackingId,
    ...(settings.publicUrl === undefined
      ? {}
      : { webhook: `${settings.publicUrl}/webhooks/payment`, webhookVersion: WEBHOOK_VERSION }),
    ...(acceptCard === undefined ? {} : { acceptCard }),
    ...(sessionTimeoutSecs === undefined ? {} : { sessionTimeoutSecs }),
    ...(clientId === undefined ? {} : { clientId }),
    ...(imageUrl === undefined ? {} : { imageUrl }),
    ...(destination === undefined
      ? {}
      : { destination: destination.map(({ amountMillimes, ...rest }) => ({ amountMillimes, ...rest })) }),
  };
}

/** Returns the faults that the client would find before sending: the reasons by field. */
export function termsFaults(
  gateway: GatewayClient,
  kind: CheckoutKind,
  terms: CheckoutTerms,
): Readonly<Record<string, readonly string[]>> {
  try {
    gateway.check(CALLS[kind], terms);
    return {};
  } catch (error) {
    if (isGatewayError(error, 'validation') && error.fields !== undefined) return error.fields;
    throw toGatewayFault(error);
  }
}

/** Sends Generate Payment with the stored terms. They were checked before, and the client checks them again. */
export async function generatePayment(
  gateway: GatewayClient,
  kind: CheckoutKind,
  terms: Payment['terms'],
): Promise<CreatedPayment> {
  const { payments } = gateway;
  switch (kind) {
    case 'standard':
      return payments.create(terms as unknown as CreatePayment);
    case 'binding':
      return payments.createWithBinding(terms as unknown as CreateBindingPayment);
    case 'preauthorization':
      return payments.preauthorize(terms as unknown as CreatePayment);
    case 'split':
      return payments.createSplit(terms as unknown as CreateSplitPayment);
  }
}

/** Returns when the session of a sent attempt ends, by its requested length. */
export function sessionEndOf({ terms }: Pick<Payment, 'terms'>, sentAt: Instant): Instant {
  const timeoutSecs = terms['sessionTimeoutSecs'];
  return sentAt + (typeof timeoutSecs === 'number' ? timeoutSecs : SESSION_DEFAULT_SECS) * SECOND_MS;
}

/**
 * Returns from when on an unknown session counts as never paid, so that another one may be created. Undefined for an
 * attempt that was not sent, that the gateway created, or whose channel can be checked.
 */
export function abandonmentTime(
  payment: Pick<Payment, 'kind' | 'requestState' | 'sentAt' | 'terms'>,
): Instant | undefined {
  const { kind, requestState, sentAt } = payment;
  if (!isCheckout(kind) || sentAt === undefined) return undefined;
  if (requestState !== 'unknown' && requestState !== 'sending') return undefined;
  return sessionEndOf(payment, sentAt) + UNKNOWN_GRACE_MS;
}

/**
 * Returns whether two attempts request the same payment: the amount, real or test money, the agent, the saved payment
 * method and the split.
 */
export function sameTerms(one: TermsToCompare, other: TermsToCompare): boolean {
  const textOf = ({ kind, agentId, amount, isTest, terms }: TermsToCompare): string =>
    JSON.stringify([kind, agentId ?? null, amount, isTest, terms['clientId'] ?? null, terms['destination'] ?? null]);
  return textOf(one) === textOf(other);
}

type TermsToCompare = Pick<Payment, 'kind' | 'agentId' | 'amount' | 'isTest' | 'terms'>;
