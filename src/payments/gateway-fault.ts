import { isGatewayError, type GatewayErrorCode } from '../gateway';
import { AppError, type AppErrorCode } from '../kernel';

/** What a fault of the gateway's client is to a person who asked for something. */
const CODES = {
  validation: 'bad_input',
  not_found: 'not_found',
  refused: 'conflict',
  conflict: 'conflict',
  duplicate_tracking_id: 'conflict',
  authentication: 'misconfigured',
  permission: 'misconfigured',
  connection: 'unavailable',
  timeout: 'unavailable',
  rate_limited: 'unavailable',
  unavailable: 'unavailable',
  unexpected_shape: 'unavailable',
  outcome_unknown: 'outcome_unknown',
} as const satisfies Record<GatewayErrorCode, AppErrorCode>;

/**
 * The fault of a call of the gateway as the caller of a use case sees it: `bad_input` with one detail per field for
 * what it was given, `misconfigured` for a credential, `unavailable` for what may be tried again. What is no fault of
 * the gateway comes back as it is.
 */
export function toGatewayFault(error: unknown): unknown {
  if (!isGatewayError(error)) return error;
  // No answer of the gateway: the client has no key for the call. The other two variables come together, or not at all.
  if (error.code === 'authentication' && error.httpStatus === undefined) {
    return new AppError('misconfigured', `GATEWAY_API_KEY: not set; ${error.operation} needs it`, { cause: error });
  }
  const details = Object.entries(error.fields ?? {}).flatMap(([field, reasons]) =>
    reasons.map((reason) => `${field} ${reason}`),
  );
  return new AppError(CODES[error.code], error.message, { details, cause: error });
}

/** Gives what `call` gives, and throws its faults as {@link toGatewayFault} has them. */
export async function withGatewayFaults<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw toGatewayFault(error);
  }
}
