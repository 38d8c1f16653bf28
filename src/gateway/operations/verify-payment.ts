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

/** What Verify Payment said (interface sections 2.1 and 4.1). */
export interface VerifiedPayment {
  readonly paymentId: string;
  /** `SUCCESS`, `PENDING`, `EXPIRED`, `FAILURE`, `PREAUTH_SUCCESS`, `SYSTEM_FAILURE`; other words may come. */
  readonly status: string;
  /** `card`, `wallet`, `mpayment` or `NA`; null when the gateway did not say. */
  readonly type: string | null;
  /** What was paid; null only where nothing was and the gateway gave no amount. */
  readonly amountMillimes: Millimes | null;
  /**
   * `PROCESSING`, `AVAILABLE`, `IN_PAYOUT`, `PAID`, `NOT_APPLICABLE`; absent when the gateway did not say. The money is
   * ours only when `status` is `SUCCESS` and this is `AVAILABLE`, `IN_PAYOUT` or `PAID`.
   */
  readonly settlementStatus?: string;
  readonly developerTrackingId: string | null;
  /** The payer as the gateway shows them, with its names in camelCase; personal data. Every key may be missing. */
  readonly details: Readonly<Record<string, unknown>>;
  /**
   * When the answered request was sent, by this process or another: a later payment may be missing. UTC ISO 8601; absent
   * when it is unknown, because the answer was kept by a process whose clock is ahead of this one's.
   */
  readonly askedAt?: string;
  /** When the answer came, by the client's clock; UTC ISO 8601. */
  readonly observedAt: string;
  /** `true`: no request was made for this call; it is the answer given to an earlier one. */
  readonly reused: boolean;
  readonly raw: unknown;
}

type Answer = Omit<VerifiedPayment, 'askedAt' | 'observedAt' | 'reused'>;

const verifyOperation = (circuitMs: number): Operation<string, Answer> => ({
  name: VERIFY_OPERATION,
  safety: 'A',
  auth: 'app',
  // The next verify is the next spacing's: repeated calls can lead to a ban (interface section 8).
  retries: false,
  // Nor are the limits of Verify known: after a 429 without a time no process asks for as long as after a ban (open point
  // 54).
  rateLimitMs: circuitMs,
  request(paymentId) {
    const check = new InputCheck({ paymentId });
    check.id('paymentId');
    check.done();
    return { method: 'GET', path: `/api/v2/verify_payment/${pathSegment(paymentId)}` };
  },
  decode: (body, paymentId) => decodeVerified(body, paymentId),
});

/** Verify Payment within the budget of calls. */
export function createVerify(
  call: Caller,
  budget: CallBudget,
  { timeoutMs, timeZone, budget: { circuitMs = CIRCUIT_DEFAULT_MS } }: ClientSettings,
): (paymentId: string) => Promise<VerifiedPayment> {
  const calendar = businessCalendar(timeZone);
  const operation = verifyOperation(circuitMs);
  return async (paymentId) => {
    // Refused before the budget is touched: what cannot be sent costs nothing.
    call.check(operation, paymentId);
    const ask = async (): Promise<unknown> => (await call.run(operation, paymentId)).raw;
    const { body, askedAt, observedAt, reused } = await budget.verify(paymentId, ask, { timeoutMs });
    // Callers that share a request must not see changes by another caller, nor `raw` a change of `details`.
    const answer = decodeKept(structuredClone(body), paymentId, calendar);
    const details = structuredClone(answer.details);
    const asked = askedAt === undefined ? {} : { askedAt: formatInstant(askedAt) };
    return { ...answer, details, ...asked, observedAt: formatInstant(observedAt), reused };
  };
}

/** A shared store may hold what another release of ours took for a good answer. */
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
  // Only documented as an error's, but if it comes it must be ours (S14).
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
