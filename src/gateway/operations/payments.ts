import type { Millimes } from '../../kernel';
import type { Caller } from '../call';
import { InputCheck } from '../codec/field-faults';
import type { ReadBody } from '../codec/read-body';
import { takeInput } from '../codec/take-input';
import type { Logger } from '../../logging';
import type { Operation } from '../operation';
import type { WireRequest } from '../transport/wire';
import type { VerifiedPayment } from './verify-payment';

const SESSION_TIMEOUT_MAX_SECS = 2_147_483_647;
const DESTINATIONS_MAX = 1_000;

/** What every variant of Generate Payment takes (interface section 2.1). Only the fields that are given are sent. */
export interface CreatePayment {
  /** What the customer pays, in millimes; above zero. */
  readonly amountMillimes: number;
  /** Where the customer goes after paying, or not: https, or http on a loopback address. */
  readonly successLink: string;
  readonly failLink: string;
  /** Gets the payment webhook. */
  readonly webhook?: string | undefined;
  /** `1` is the gateway's default; only `2` carries the tracking id, the amount and an event id. */
  readonly webhookVersion?: 1 | 2 | undefined;
  /** A free reference; the gateway does not check that it is unique. */
  readonly developerTrackingId?: string | undefined;
  readonly acceptCard?: boolean | undefined;
  /** How long the customer may take, in seconds; the gateway's default is 1200. */
  readonly sessionTimeoutSecs?: number | undefined;
  /** Shown on the payment page. For `createWithBinding` it is the key of the binding. */
  readonly clientId?: string | undefined;
  readonly imageUrl?: string | undefined;
}

export interface CreateBindingPayment extends CreatePayment {
  readonly clientId: string;
}

export interface SplitDestination {
  readonly amountMillimes: number;
  /** The merchant id that receives this part, as text: leading zeros are part of it. */
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

export interface CapturePayment {
  readonly paymentId: string;
  /** At most what is held, in millimes; without it everything is captured. */
  readonly amountMillimes?: number | undefined;
}

export interface CapturedPayment {
  readonly paymentId: string;
  /** `confirmed` or `SUCCESS` (open point 41). */
  readonly status: string;
  readonly amountMillimes?: Millimes;
  /** UTC ISO 8601. */
  readonly confirmedAt?: string;
  readonly assumedOffset?: readonly string[];
  readonly raw: unknown;
}

export interface CancelledPayment {
  readonly paymentId: string;
  /** `cancelled` or `SUCCESS` (open point 41). */
  readonly status: string;
  readonly cancelledAt?: string;
  readonly assumedOffset?: readonly string[];
  readonly raw: unknown;
}

export interface RefundedPayment {
  readonly refundId: string;
  readonly paymentId: string;
  readonly amountMillimes: Millimes;
  readonly status: string;
  /** UTC ISO 8601; null when the gateway gave no readable time. */
  readonly refundedAt: string | null;
  readonly assumedOffset?: readonly string[];
  readonly raw: unknown;
}

/** Hosted checkout (interface section 4.1). */
export interface Payments {
  /**
   * Generate Payment, standard variant. `clientId` here is only shown on the page; see `createWithBinding`.
   *
   * Class C: sent again only when it provably never left.
   *
   * @throws GatewayError `validation`, `authentication`, `permission`, `refused`, `rate_limited`, `connection`;
   *   `outcome_unknown` when a session may have been made, which costs nothing while nobody pays it (open point 129).
   */
  create(input: CreatePayment): Promise<CreatedPayment>;
  /** Create Binding: the first successful payment saves the customer's payment method under `clientId`. As `create`. */
  createWithBinding(input: CreateBindingPayment): Promise<CreatedPayment>;
  /** Initiate Pre-Authorization: reserves the amount until `capture` or `cancel`. As `create`. */
  preauthorize(input: CreatePayment): Promise<CreatedPayment>;
  /** Orchestration: the payment is split over several merchants. As `create`. */
  createSplit(input: CreateSplitPayment): Promise<CreatedPayment>;
  /**
   * Verify Payment, within the budget: one request per payment and `verifySpacingMs`, whoever asks and however often.
   *
   * @throws GatewayError `rate_limited` with `retryAfterMs` when the budget allows no request now; `validation` for an
   *   id that cannot be sent, or by the gateway's word; `not_found`, `refused`, `conflict`, `authentication`,
   *   `permission`, `timeout`, `connection`, `unavailable`, `unexpected_shape`.
   */
  verify(paymentId: string): Promise<VerifiedPayment>;
  /**
   * Confirm Payment: captures all or part of a pre-authorization, once.
   *
   * Class D: sent once, whatever happens.
   *
   * @throws GatewayError `refused` (`CONFIRMATION_FAILED`), `validation`, `not_found`, `conflict`, `authentication`,
   *   `permission`, `rate_limited`, `connection` (it never left); `outcome_unknown` for everything else.
   */
  capture(input: CapturePayment): Promise<CapturedPayment>;
  /** Cancel Payment: releases a pre-authorization. Class D and errors as `capture` (`CANCELLATION_FAILED`). */
  cancel(input: { readonly paymentId: string }): Promise<CancelledPayment>;
  /**
   * Refund Payment: gives a completed standard payment back in full. Class D and errors as `capture`
   * (`REFUND_NOT_ALLOWED`). After `outcome_unknown` a second try may be refused because the first one worked.
   */
  refund(input: { readonly paymentId: string }): Promise<RefundedPayment>;
}

export function createPayments(caller: Caller, verify: Payments['verify'], logger: Logger): Payments {
  let isWarned = false;
  return {
    create: async (given) => {
      const input = takeInput('payments.create', given);
      const clientId = (input as Partial<CreatePayment> | undefined)?.clientId;
      if (clientId !== undefined && !isWarned) {
        isWarned = true; // one shop does the same thing thousands of times
        logger.warn('clientId is only shown on the payment page; createWithBinding saves a payment method under it', {
          event: 'gateway.client_id_without_binding',
          operation: 'payments.create',
        });
      }
      return caller.run(generate('payments.create', standardBody), input);
    },
    createWithBinding: async (input) => caller.run(generate('payments.createWithBinding', bindingBody), input),
    preauthorize: async (input) => caller.run(generate('payments.preauthorize', preauthorizationBody), input),
    createSplit: async (input) => caller.run(generate('payments.createSplit', splitBody), input),
    verify,
    capture: async (input) => caller.run(captureOperation, input),
    cancel: async (input) => caller.run(cancelOperation, input),
    refund: async (input) => caller.run(refundOperation, input),
  };
}

/** The four variants are one operation of the gateway; they differ in their bodies only. */
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
    decode(body, { developerTrackingId: ours }) {
      const result = body.object('result');
      const developerTrackingId = result.textOrNull('developer_tracking_id');
      // A link to somebody else's payment must not reach our customer (S14).
      if (ours !== undefined && developerTrackingId !== null && developerTrackingId !== ours) {
        throw result.fault('developer_tracking_id', 'is not ours');
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

/** Open point 6: the amount is a text here, and an integer as soon as a pre-authorization or a split is in the body. */
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
    const { amountMillimes, destination, ...others } = (takeInput('payments.createSplit', part) ??
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

const captureOperation: Operation<CapturePayment, CapturedPayment> = {
  name: 'payments.capture',
  safety: 'D',
  auth: 'app',
  request(input) {
    const check = new InputCheck(input);
    const body = {
      payment_id: check.text('paymentId'),
      ...check.given('amountMillimes', 'amount', (name) => String(check.amount(name))),
    };
    check.done();
    return { method: 'POST', path: '/api/v2/confirm_payment', body };
  },
  decode(body, { paymentId, amountMillimes: asked }) {
    const result = body.object('result');
    const amountMillimes = result.millimesOrNull('amount');
    if (asked !== undefined && amountMillimes !== null && amountMillimes !== asked) {
      throw result.fault('amount', 'is not the amount that was asked for');
    }
    const confirmedAt = result.time('confirmed_at', 'confirmedAt');
    return {
      paymentId: samePayment(result, paymentId),
      status: wordOf(result, ['confirmed', 'success']),
      ...(amountMillimes === null ? {} : { amountMillimes }),
      ...(confirmedAt === null ? {} : { confirmedAt }),
      ...result.assumedOffset(),
      raw: body.raw,
    };
  },
};

const cancelOperation: Operation<{ readonly paymentId: string }, CancelledPayment> = {
  name: 'payments.cancel',
  safety: 'D',
  auth: 'app',
  request: (input) => onPayment('/api/v2/cancel_payment', input),
  decode(body, { paymentId }) {
    const result = body.object('result');
    const cancelledAt = result.time('cancelled_at', 'cancelledAt');
    return {
      paymentId: samePayment(result, paymentId),
      status: wordOf(result, ['cancelled', 'canceled', 'success']),
      ...(cancelledAt === null ? {} : { cancelledAt }),
      ...result.assumedOffset(),
      raw: body.raw,
    };
  },
};

const refundOperation: Operation<{ readonly paymentId: string }, RefundedPayment> = {
  name: 'payments.refund',
  safety: 'D',
  auth: 'app',
  request: (input) => onPayment('/api/v2/refund_payment', input),
  decode(body, { paymentId }) {
    const result = body.object('result');
    const refundedAt = result.time('refunded_at', 'refundedAt');
    return {
      refundId: result.text('refund_id'),
      paymentId: samePayment(result, paymentId),
      amountMillimes: result.millimes('amount'),
      status: wordOf(result, ['success']),
      refundedAt,
      ...result.assumedOffset(),
      raw: body.raw,
    };
  },
};

function onPayment(path: string, input: { readonly paymentId: string }): WireRequest {
  const check = new InputCheck(input);
  const body = { payment_id: check.text('paymentId') };
  check.done();
  return { method: 'POST', path, body };
}

/** The short forms of open point 41 name no payment; one that names another says nothing about ours (S14). */
function samePayment(result: ReadBody, paymentId: string): string {
  const named = result.textOrNull('payment_id');
  if (named !== null && named !== paymentId) throw result.fault('payment_id', 'names another payment');
  return paymentId;
}

/** Any other word in an answer about money is not a success that we know of; compared without case (open point 20). */
function wordOf(result: ReadBody, words: readonly string[]): string {
  const status = result.text('status');
  if (!words.includes(status.toLowerCase())) throw result.fault('status', 'is not a word of success');
  return status;
}
