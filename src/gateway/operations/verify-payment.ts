import { type BusinessCalendar, businessCalendar, formatInstant, type Millimes } from '../../kernel';
import { type CallBudget, CIRCUIT_DEFAULT_MS } from '../budget/call-budget';
import { VERIFY_OPERATION } from '../budget/verify-flight';
import type { Caller } from '../call';
import type { ClientSettings } from '../client-options';
import { InputCheck } from '../codec/field-faults';
import { ReadBody } from '../codec/read-body';
import { ShapeFault } from '../codec/shape-fault';
import { GatewayError } from '../gateway-error';
import type { Operation } from '../operation';
import { pathSegment } from '../transport/wire';

/** The answer of Verify Payment (interface sections 2.1 and 4.1). */
export interface VerifiedPayment {
  readonly paymentId: string;
  /** `SUCCESS`, `PENDING`, `EXPIRED`, `FAILURE`, `PREAUTH_SUCCESS`, `SYSTEM_FAILURE`; the gateway may add words. */
  readonly status: string;
  /** `card`, `wallet`, `mpayment` or `NA`; null when the gateway sent none. */
  readonly type: string | null;
  /** The paid amount; null only if nothing was paid and the gateway sent no amount. */
  readonly amountMillimes: Millimes | null;
  /**
   * `PROCESSING`, `AVAILABLE`, `IN_PAYOUT`, `PAID`, `NOT_APPLICABLE`; absent when the gateway sent none. The money
   * belongs to the integrator only when `status` is `SUCCESS` and this is `AVAILABLE`, `IN_PAYOUT` or `PAID`.
   */
  readonly settlementStatus?: string;
  readonly developerTrackingId: string | null;
  /** The payer as the gateway describes them, with its names in camelCase; personal data. Every key may be missing. */
  readonly details: Readonly<Record<string, unknown>>;
  /**
   * When the request was sent, by this process or another; a later payment may be missing. UTC ISO 8601. Absent when it
   * is unknown, because the process that stored the answer has a clock ahead of this one's.
   */
  readonly askedAt?: string;
  /** When the answer arrived, by the client's clock; UTC ISO 8601. */
  readonly observedAt: string;
  /** `true`: this call made no request and returns the answer to an earlier one. */
  readonly reused: boolean;
  readonly raw: unknown;
}

type Answer = Omit<VerifiedPayment, 'askedAt' | 'observedAt' | 'reused'>;

const verifyOperation = (circuitMs: number): Operation<string, Answer> => ({
  name: VERIFY_OPERATION,
  safety: 'A',
  auth: 'app',
  // The next verify waits for the spacing, because repeated calls can lead to a ban (interface section 8).
  retries: false,
  // The limits of Verify are not documented. After a 429 without a time, no process asks for as long as after a ban
  // (open point 54).
  rateLimitMs: circuitMs,
  request(paymentId) {
    const check = new InputCheck({ paymentId });
    check.id('paymentId');
    check.done();
    return { method: 'GET', path: `/api/v2/verify_payment/${pathSegment(paymentId)}` };
  },
  decode: (body, paymentId) => decodeVerified(body, paymentId),
});

/** Creates Verify Payment within the call budget. */
export function createVerify(
  call: Caller,
  budget: CallBudget,
  { timeoutMs, timeZone, budget: { circuitMs = CIRCUIT_DEFAULT_MS } }: ClientSettings,
): (paymentId: string) => Promise<VerifiedPayment> {
  const calendar = businessCalendar(timeZone);
  const operation = verifyOperation(circuitMs);
  return async (paymentId) => {
    // Checked before the budget is used: an id that cannot be sent costs nothing.
    call.check(operation, paymentId);
    const ask = async (): Promise<unknown> => (await call.run(operation, paymentId)).raw;
    const { body, askedAt, observedAt, reused } = await budget.verify(paymentId, ask, { timeoutMs });
    // Callers that share a request must not see each other's changes, and a change of `details` must not change `raw`.
    const answer = decodeKept(structuredClone(body), paymentId, calendar);
    const details = structuredClone(answer.details);
    const asked = askedAt === undefined ? {} : { askedAt: formatInstant(askedAt) };
    return { ...answer, details, ...asked, observedAt: formatInstant(observedAt), reused };
  };
}

/** Decodes a stored body. Another release of Millime may have stored one that this release cannot read. */
function decodeKept(body: unknown, paymentId: string, calendar: BusinessCalendar): Answer {
  try {
    return decodeVerified(new ReadBody(body, 'the kept answer', calendar), paymentId);
  } catch (error) {
    if (!(error instanceof ShapeFault)) throw error;
    throw new GatewayError('unexpected_shape', error.message, { operation: VERIFY_OPERATION });
  }
}

function decodeVerified(body: ReadBody, paymentId: string): Answer {
  if (!body.flag('success')) throw body.fault('success', 'is not true');
  const result = body.object('result');
  // The interface documents this field only in errors, but if it is present it must name this payment (S14).
  const named = result.textOrNull('payment_id');
  if (named !== null && named !== paymentId) throw result.fault('payment_id', 'names another payment');
  const status = result.text('status');
  const paid = status === 'SUCCESS' || status === 'PREAUTH_SUCCESS';
  const settlementStatus = result.textOrNull('settlement_status');
  return {
    paymentId,
    status,
    type: result.textOrNull('type'),
    amountMillimes: paid ? result.millimes('amount') : result.millimesOrNull('amount'),
    ...(settlementStatus === null ? {} : { settlementStatus }),
    developerTrackingId: result.textOrNull('developer_tracking_id'),
    details: result.camelCased('details'),
    raw: body.raw,
  };
}
