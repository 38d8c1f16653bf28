/**
 * Why a call of the gateway returned no result. Callers compare codes, never message text.
 *
 * - `connection`: the request provably never left (refused, name not found), or a read was interrupted. The message
 *   ends with the system's code, such as `ECONNREFUSED` or `CERT_HAS_EXPIRED`.
 * - `timeout`: a read got no answer within the call's deadline.
 * - `authentication`, `permission`: the gateway does not know the credential, or does not allow it this operation.
 * - `not_found`: the gateway does not know the named object.
 * - `validation`: the client refused a field before sending, or the gateway did; `fields` lists the fields and reasons.
 * - `refused`: the gateway understood and refused; `gatewayCode` is its code.
 * - `duplicate_tracking_id`: the tracking id is taken and the existing subscription could not be read; `existing` names
 *   it when the gateway did.
 * - `conflict`: a subscription with other terms has the tracking id; `fields` lists the terms, `existing` names the
 *   subscription.
 * - `rate_limited`: too many calls, by the client's own budget or by the gateway's; `retryAfterMs` says how long to
 *   wait.
 * - `unavailable`: the gateway reports that it cannot answer now.
 * - `unexpected_shape`: the interface does not describe the gateway's answer.
 * - `outcome_unknown`: the request may have had its effect. Never send it again: check the state of the object instead.
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

/** The subscription that the gateway named when it reported a taken tracking id. */
export interface ExistingSubscription {
  readonly subscriptionId: string;
  /** The id of its first charge. */
  readonly paymentId?: string;
  /** The http or https address where the first charge is paid; it may no longer work (open point 59). */
  readonly link?: string;
}

export interface GatewayErrorDetails {
  /** The operation as the client names it, such as `payments.refund`. */
  readonly operation: string;
  /** The HTTP status of the answer, if one arrived. It never decides alone. */
  readonly httpStatus?: number | undefined;
  /** The gateway's own code, such as `REFUND_NOT_ALLOWED` or `merchant_not_allowed`. */
  readonly gatewayCode?: string | undefined;
  /**
   * For `validation` and `conflict`: the reasons by field. Faults found by the client use the call's names
   * (`amountMillimes`), refusals by the gateway use the interface's (`amount`).
   */
  readonly fields?: Readonly<Record<string, readonly string[]>> | undefined;
  /** For `rate_limited` and `unavailable`: how long to wait, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
  /**
   * For `duplicate_tracking_id` and `conflict`: the subscription with this tracking id, as far as the gateway named it.
   */
  readonly existing?: ExistingSubscription | undefined;
  /** The fault behind an `outcome_unknown`. It is an error of the client, so it contains no credential. */
  readonly cause?: GatewayError | undefined;
}

/**
 * The only error class of the client. It never contains the request, a header or a credential, so it is safe to log,
 * inspect and serialize.
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
  /** Set for a retried call: the outcome of an earlier try is unknown, so a refusal describes only the last try. */
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

/** Returns whether `error` is an error of the client and, if codes are given, has one of them. */
export function isGatewayError(error: unknown, ...codes: readonly GatewayErrorCode[]): error is GatewayError {
  return error instanceof GatewayError && (codes.length === 0 || codes.includes(error.code));
}
