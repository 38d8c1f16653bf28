/**
 * Why a call of the gateway did not give a result. Callers compare codes, never message text.
 *
 * - `connection`: the request provably never left (refused, name not found), or a read was interrupted. The message ends
 *   with the system's code, such as `ECONNREFUSED` or `CERT_HAS_EXPIRED`.
 * - `timeout`: a read was not answered inside the deadline of the call.
 * - `authentication`, `permission`: the gateway does not know the credential, or does not allow it this operation.
 * - `not_found`: the gateway does not know what was named.
 * - `validation`: a field was refused, by the client before sending or by the gateway; `fields` says which and why.
 * - `refused`: the gateway understood and refused; `gatewayCode` is its code.
 * - `duplicate_tracking_id`: the tracking id is taken and the existing subscription could not be read; `existing` names
 *   it when the gateway did.
 * - `conflict`: the tracking id is taken by a subscription with other terms; `fields` says which, `existing` which one.
 * - `rate_limited`: too many calls, by the client's own budget or by the gateway's; `retryAfterMs` says how long to wait.
 * - `unavailable`: the gateway reports that it cannot answer now.
 * - `unexpected_shape`: the gateway answered something that the interface does not describe.
 * - `outcome_unknown`: the request may have had its effect. Never send it again: check the state of what it named.
 */
export type GatewayErrorCode =
  | 'connection'
  | 'timeout'
  | 'authentication'
  | 'permission'
  | 'not_found'
  | 'validation'
  | 'refused'
  | 'duplicate_tracking_id'
  | 'conflict'
  | 'rate_limited'
  | 'unavailable'
  | 'unexpected_shape'
  | 'outcome_unknown';

/** What the gateway named when it reported that a tracking id is taken. */
export interface ExistingSubscription {
  readonly subscriptionId: string;
  /** Its first charge. */
  readonly paymentId?: string;
  /** Where that is paid, an http or https address; it may be dead (open point 59). */
  readonly link?: string;
}

export interface GatewayErrorDetails {
  /** The operation as the client names it, such as `payments.refund`. */
  readonly operation: string;
  /** The status of the answer, when there was one. It never decides alone. */
  readonly httpStatus?: number | undefined;
  /** The gateway's own code, such as `REFUND_NOT_ALLOWED` or `merchant_not_allowed`. */
  readonly gatewayCode?: string | undefined;
  /**
   * For `validation` and `conflict`: the reasons by field. A fault found by the client has the
   * names of the call (`amountMillimes`), a refusal by the gateway the interface's (`amount`).
   */
  readonly fields?: Readonly<Record<string, readonly string[]>> | undefined;
  /** For `rate_limited` and `unavailable`: how long to wait, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
  /** For `duplicate_tracking_id` and `conflict`: the subscription that has the id, as far as the gateway named it. */
  readonly existing?: ExistingSubscription | undefined;
  /** The fault behind an `outcome_unknown`; an error of the client, so it holds no credential. */
  readonly cause?: GatewayError | undefined;
}

/**
 * The one error of the client. It never holds the request, a header or a credential, so that it may be logged,
 * inspected and sent as JSON as it is.
 */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';
  readonly code: GatewayErrorCode;
  readonly operation: string;
  readonly httpStatus?: number;
  readonly gatewayCode?: string;
  readonly fields?: Readonly<Record<string, readonly string[]>>;
  readonly retryAfterMs?: number;
  readonly existing?: ExistingSubscription;
  /**
   * Set for a call that was retried: an earlier try has no known outcome, so a refusal is about the last one alone.
   */
  readonly afterLostTry?: true;

  constructor(code: GatewayErrorCode, message: string, details: GatewayErrorDetails) {
    super(`${details.operation}: ${message}`, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.operation = details.operation;
    if (details.httpStatus !== undefined) this.httpStatus = details.httpStatus;
    if (details.gatewayCode !== undefined) this.gatewayCode = details.gatewayCode;
    if (details.fields !== undefined) this.fields = details.fields;
    if (details.retryAfterMs !== undefined) this.retryAfterMs = details.retryAfterMs;
    if (details.existing !== undefined) this.existing = details.existing;
  }
}

/** Returns whether `error` is one of the client's errors, and of one of the given codes when any are given. */
export function isGatewayError(error: unknown, ...codes: readonly GatewayErrorCode[]): error is GatewayError {
  return error instanceof GatewayError && (codes.length === 0 || codes.includes(error.code));
}
