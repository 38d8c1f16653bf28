import { type PaymentSettings, toGatewayFault } from '../../attempts';
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
import type { Instant } from '../../kernel';
import type { CheckoutKind, Payment } from '../payment';
import type { PaymentRequest } from '../payments';

/** The interface's, for a session whose request names none (section 4.1). */
const SESSION_DEFAULT_SECS = 1_200;
const SECOND_MS = 1_000;
const WEBHOOK_VERSION = 2;

const CALLS = {
  standard: 'payments.create',
  binding: 'payments.createWithBinding',
  preauthorization: 'payments.preauthorize',
  split: 'payments.createSplit',
} as const satisfies Record<CheckoutKind, keyof CheckedCalls>;

/** The arguments of Generate Payment, of whichever variant. */
export interface CheckoutTerms extends CreatePayment {
  readonly destination?: readonly SplitDestination[];
}

/**
 * The arguments of the call for a request, whether or not they can be sent. The tracking id is ours, and version 2 of
 * the webhook is asked for, because only that one has it.
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

/** What the client would refuse of the arguments before it sends anything: the reasons by field. */
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

/**
 * Sends Generate Payment with the terms as they were written down. They were checked then, and the client checks them
 * again.
 */
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

/** When the session of an attempt that was sent ends, by what it asked for. */
export function sessionEndOf({ terms }: Pick<Payment, 'terms'>, sentAt: Instant): Instant {
  const timeoutSecs = terms['sessionTimeoutSecs'];
  return sentAt + (typeof timeoutSecs === 'number' ? timeoutSecs : SESSION_DEFAULT_SECS) * SECOND_MS;
}

/**
 * Whether two attempts ask for the same payment: what is paid, with which money, for whom, and what it saves or gives
 * away.
 */
export function sameTerms(one: TermsToCompare, other: TermsToCompare): boolean {
  const textOf = ({ kind, agentId, amount, isTest, terms }: TermsToCompare): string =>
    JSON.stringify([kind, agentId ?? null, amount, isTest, terms['clientId'] ?? null, terms['destination'] ?? null]);
  return textOf(one) === textOf(other);
}

type TermsToCompare = Pick<Payment, 'kind' | 'agentId' | 'amount' | 'isTest' | 'terms'>;
