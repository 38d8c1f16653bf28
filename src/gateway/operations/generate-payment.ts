import { copyInput } from '../codec/copy-input';
import { InputCheck } from '../codec/field-faults';
import type { Operation } from '../operation';

const SESSION_TIMEOUT_MAX_SECS = 2_147_483_647;
const DESTINATIONS_MAX = 1_000;

/**
 * The fields that every variant of Generate Payment accepts (interface section 2.1). The client sends only those that
 * are set.
 */
export interface CreatePayment {
  /** The amount that the customer pays, in millimes; above zero. */
  readonly amountMillimes: number;
  /** Where the customer goes after a successful payment: https, or http on a loopback address. */
  readonly successLink: string;
  readonly failLink: string;
  /** The address that receives the payment webhook. */
  readonly webhook?: string | undefined;
  /** `1` is the gateway's default. Only `2` carries the tracking id, the amount and an event id. */
  readonly webhookVersion?: 1 | 2 | undefined;
  /** A free reference; the gateway does not check its uniqueness. */
  readonly developerTrackingId?: string | undefined;
  readonly acceptCard?: boolean | undefined;
  /** How long the customer may take, in seconds; the gateway's default is 1200. */
  readonly sessionTimeoutSecs?: number | undefined;
  /** Shown on the payment page. `createWithBinding` saves the payment method under it. */
  readonly clientId?: string | undefined;
  readonly imageUrl?: string | undefined;
}

export interface CreateBindingPayment extends CreatePayment {
  readonly clientId: string;
}

export interface SplitDestination {
  readonly amountMillimes: number;
  /** The merchant id that receives this part. It is a text because leading zeros belong to it. */
  readonly destination: string;
}

export interface CreateSplitPayment extends CreatePayment {
  /** At least one; their sum is at most `amountMillimes` (open point 8). */
  readonly destination: readonly SplitDestination[];
}

export interface CreatedPayment {
  readonly paymentId: string;
  /** Where to send the customer. */
  readonly link: string;
  readonly developerTrackingId: string | null;
  readonly raw: unknown;
}

/** The gateway has one operation for the four variants; only their bodies differ. */
export const generateOperation = {
  standard: generate<CreatePayment>('payments.create', standardBody),
  binding: generate<CreateBindingPayment>('payments.createWithBinding', bindingBody),
  preauthorization: generate<CreatePayment>('payments.preauthorize', preauthorizationBody),
  split: generate<CreateSplitPayment>('payments.createSplit', splitBody),
} as const;

function generate<Input extends CreatePayment>(
  name: string,
  bodyOf: (check: InputCheck) => Readonly<Record<string, unknown>>,
): Operation<Input, CreatedPayment> {
  return {
    name,
    safety: 'C',
    auth: 'app',
    request(input) {
      const check = new InputCheck(input);
      const body = bodyOf(check);
      check.done();
      return { method: 'POST', path: '/api/v2/generate_payment', body };
    },
    decode(body, { developerTrackingId: requested }) {
      const result = body.object('result');
      const developerTrackingId = result.textOrNull('developer_tracking_id');
      // The customer must not get a link to another merchant's payment (S14).
      if (requested !== undefined && developerTrackingId !== null && developerTrackingId !== requested) {
        throw result.fault('developer_tracking_id', 'differs from the request');
      }
      return {
        paymentId: result.text('payment_id'),
        link: result.link('link'),
        developerTrackingId,
        raw: body.raw,
      };
    },
  };
}

/**
 * Returns the body of a standard payment. The amount is a text here, and an integer in the body of a pre-authorization
 * or a split (open point 6).
 */
function standardBody(check: InputCheck): Readonly<Record<string, unknown>> {
  return { amount: String(check.amount('amountMillimes')), ...commonFields(check) };
}

function bindingBody(check: InputCheck): Readonly<Record<string, unknown>> {
  check.text('clientId');
  return standardBody(check);
}

function preauthorizationBody(check: InputCheck): Readonly<Record<string, unknown>> {
  return { amount: check.amount('amountMillimes'), ...commonFields(check), pre_authorization: true };
}

function splitBody(check: InputCheck): Readonly<Record<string, unknown>> {
  const amount = check.amount('amountMillimes');
  return { amount, ...commonFields(check), destination: destinations(check, amount) };
}

function commonFields(check: InputCheck): Readonly<Record<string, unknown>> {
  return {
    success_link: check.link('successLink'),
    fail_link: check.link('failLink'),
    ...check.given('webhook', 'webhook', (name) => check.link(name)),
    ...check.given('webhookVersion', 'webhook_version', (name) => check.oneOf(name, [1, 2])),
    ...check.given('developerTrackingId', 'developer_tracking_id', (name) => check.text(name)),
    ...check.given('sessionTimeoutSecs', 'session_timeout_secs', (name) =>
      check.whole(name, 1, SESSION_TIMEOUT_MAX_SECS),
    ),
    ...check.given('acceptCard', 'accept_card', (name) => check.flag(name)),
    ...check.given('clientId', 'client_id', (name) => check.text(name)),
    ...check.given('imageUrl', 'image_url', (name) => check.link(name)),
  };
}

function destinations(check: InputCheck, amount: number): readonly Readonly<Record<string, unknown>>[] {
  const given = check.value('destination');
  if (!Array.isArray(given) || given.length === 0 || given.length > DESTINATIONS_MAX) {
    check.refuse('destination', `must be an array of 1 to ${DESTINATIONS_MAX} parts`);
    return [];
  }
  let sum = 0n;
  const parts = given.map((part: unknown, index) => {
    const { amountMillimes, destination, ...others } = (copyInput('payments.createSplit', part) ??
      {}) as Partial<SplitDestination>;
    for (const name of Object.keys(others)) {
      check.refuse('destination', `[${index}].${name} is not a field of a part`);
    }
    const good = Number.isSafeInteger(amountMillimes) && Number(amountMillimes) > 0;
    if (!good) check.refuse('destination', `[${index}].amountMillimes must be a whole number above zero`);
    if (typeof destination !== 'string' || destination === '' || !destination.isWellFormed()) {
      check.refuse('destination', `[${index}].destination must be a merchant id as text`);
    }
    sum += good ? BigInt(amountMillimes as number) : 0n;
    return { amount: amountMillimes, destination };
  });
  if (Number.isSafeInteger(amount) && sum > BigInt(amount)) {
    check.refuse('destination', `has a sum of ${sum} millimes, more than the amount`);
  }
  return parts;
}
