import type { Millimes } from '../../kernel';
import type { Logger } from '../../logging';
import type { Caller } from '../call';
import { copyInput } from '../codec/copy-input';
import { InputCheck } from '../codec/field-faults';
import type { ReadBody } from '../codec/read-body';
import type { Operation } from '../operation';
import type { WireRequest } from '../transport/wire';
import type { ChangePayment } from './change-payment';
import {
  type CreateBindingPayment,
  type CreatedPayment,
  type CreatePayment,
  type CreateSplitPayment,
  generateOperation,
} from './generate-payment';
import type { VerifiedPayment } from './verify-payment';

export interface CapturePayment {
  readonly paymentId: string;
  /** At most the reserved amount, in millimes; without it everything is captured. */
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
  /** UTC ISO 8601; null when the gateway sent no readable time. */
  readonly refundedAt: string | null;
  readonly assumedOffset?: readonly string[];
  readonly raw: unknown;
}

/** Hosted checkout (interface section 4.1). */
export interface Payments {
  /**
   * Generate Payment, standard variant. `clientId` is only shown on the page here; see `createWithBinding`.
   *
   * Class C: sent again only when it provably never left.
   *
   * @throws GatewayError `validation`, `authentication`, `permission`, `refused`, `rate_limited`, `connection`;
   * `outcome_unknown` when a session may have been created, which costs nothing while it is not paid (open point 129).
   */
  create(input: CreatePayment): Promise<CreatedPayment>;
  /**
   * Create Binding: the first successful payment saves the customer's payment method under `clientId`. Class and errors
   * as `create`.
   */
  createWithBinding(input: CreateBindingPayment): Promise<CreatedPayment>;
  /** Initiate Pre-Authorization: reserves the amount until `capture` or `cancel`. Class and errors as `create`. */
  preauthorize(input: CreatePayment): Promise<CreatedPayment>;
  /** Orchestration: splits the payment between several merchants. Class and errors as `create`. */
  createSplit(input: CreateSplitPayment): Promise<CreatedPayment>;
  /**
   * Verify Payment, within the budget: at most one request per payment and `verifySpacingMs`, for any number of
   * callers. An answer from before a `capture`, `cancel` or `refund` of this budget is never returned after it.
   *
   * @throws GatewayError `rate_limited` with `retryAfterMs` when the budget allows no request now; `validation` for an
   * id that cannot be sent or that the gateway refuses; `not_found`, `refused`, `conflict`, `authentication`,
   * `permission`, `timeout`, `connection`, `unavailable`, `unexpected_shape`.
   */
  verify(paymentId: string): Promise<VerifiedPayment>;
  /**
   * Confirm Payment: captures all or part of a pre-authorization, once.
   *
   * Class D: sent exactly once.
   *
   * A later `verify` never returns an answer from before this call. Within the spacing of such an answer it throws
   * `rate_limited`.
   *
   * @throws GatewayError `refused` (`CONFIRMATION_FAILED`), `validation`, `not_found`, `conflict`, `authentication`,
   * `permission`, `rate_limited`, `connection` (it never left), `unavailable` (the budget's store failed, and it never
   * left); `outcome_unknown` for everything else.
   */
  capture(input: CapturePayment): Promise<CapturedPayment>;
  /** Cancel Payment: releases a pre-authorization. Class and errors as `capture` (`CANCELLATION_FAILED`). */
  cancel(input: { readonly paymentId: string }): Promise<CancelledPayment>;
  /**
   * Refund Payment: refunds a completed standard payment in full. Class and errors as `capture` (`REFUND_NOT_ALLOWED`).
   * After `outcome_unknown` the gateway may refuse a second try because the first one succeeded.
   */
  refund(input: { readonly paymentId: string }): Promise<RefundedPayment>;
}

export function createPayments(
  caller: Caller,
  verify: Payments['verify'],
  change: ChangePayment,
  logger: Logger,
): Payments {
  let isWarned = false;
  return {
    create: async (given) => {
      const input = copyInput(generateOperation.standard.name, given);
      const clientId = (input as Partial<CreatePayment> | undefined)?.clientId;
      if (clientId !== undefined && !isWarned) {
        isWarned = true; // warned once: an integrator repeats the same call thousands of times
        logger.warn('clientId is only shown on the payment page; createWithBinding saves a payment method under it', {
          event: 'gateway.client_id_without_binding',
          operation: generateOperation.standard.name,
        });
      }
      return caller.run(generateOperation.standard, input);
    },
    createWithBinding: async (input) => caller.run(generateOperation.binding, input),
    preauthorize: async (input) => caller.run(generateOperation.preauthorization, input),
    createSplit: async (input) => caller.run(generateOperation.split, input),
    verify,
    capture: async (input) => change(captureOperation, input),
    cancel: async (input) => change(cancelOperation, input),
    refund: async (input) => change(refundOperation, input),
  };
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

/**
 * Refuses an answer that names another payment, because it proves nothing about this one (S14). The short forms of open
 * point 41 name none.
 */
function samePayment(result: ReadBody, paymentId: string): string {
  const named = result.textOrNull('payment_id');
  if (named !== null && named !== paymentId) throw result.fault('payment_id', 'names another payment');
  return paymentId;
}

/**
 * Reads the status. In an answer about money every unknown word counts as no success. Case is ignored (open point 20).
 */
function wordOf(result: ReadBody, words: readonly string[]): string {
  const status = result.text('status');
  if (!words.includes(status.toLowerCase())) throw result.fault('status', 'is not a word of success');
  return status;
}
