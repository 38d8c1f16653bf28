import { type GatewayError, type GatewayErrorCode, isGatewayError } from '../gateway';
import { AppError, inputError } from '../kernel';

/** Faults that every other call to the gateway meets as well: no connection, or a refused credential. */
export const SHARED_FAULTS: readonly GatewayErrorCode[] = ['connection', 'authentication', 'permission'];

/**
 * Returns the gateway's client, or its settings.
 *
 * @throws AppError `gateway_off`, which names the variables, when this installation has no credential.
 */
export function requireGateway<Gateway>({ gateway }: { readonly gateway: Gateway | undefined }): Gateway {
  if (gateway === undefined) {
    throw new AppError('gateway_off', {
      variables: 'GATEWAY_BASE_URL, GATEWAY_PUBLIC_KEY, GATEWAY_PRIVATE_KEY',
      fault: 'not all set',
      fix: 'set all three to collect payments',
    });
  }
  return gateway;
}

/**
 * Converts the error of a gateway call for the caller of a use case: `bad_input` with the fields, `gateway_off` for a
 * credential, `unavailable` for a call that may be repeated. Returns any other error unchanged.
 */
export function toGatewayFault(error: unknown): unknown {
  return isGatewayError(error) ? faultOf(error) : error;
}

function faultOf(error: GatewayError): AppError {
  const { code, message: fault, operation, httpStatus, fields = {} } = error;
  const cause = { cause: error };
  switch (code) {
    case 'validation': {
      const faults = Object.entries(fields).flatMap(([field, reasons]) =>
        reasons.map((reason) => ({ field, fault: reason })),
      );
      return faults.length === 0
        ? new AppError('bad_input', { field: operation, fault }, cause)
        : inputError(operation, faults, error);
    }
    case 'not_found':
      return new AppError('gateway_not_found', { fault }, cause);
    case 'refused':
    case 'conflict':
    case 'duplicate_tracking_id':
      return new AppError('gateway_refused', { fault }, cause);
    case 'authentication':
    case 'permission':
      // Without an HTTP status, the client itself lacks the API key of this call; the other two variables are always
      // set together.
      return code === 'authentication' && httpStatus === undefined
        ? new AppError('gateway_off', { variables: 'GATEWAY_API_KEY', fault: `not set; ${operation} needs it` }, cause)
        : new AppError('gateway_off', { variables: 'GATEWAY_PUBLIC_KEY, GATEWAY_PRIVATE_KEY', fault }, cause);
    case 'outcome_unknown':
      return new AppError('outcome_unknown', fault, cause);
    case 'connection':
    case 'timeout':
    case 'rate_limited':
    case 'unavailable':
    case 'unexpected_shape':
      return new AppError('unavailable', fault, cause);
  }
}

/** Returns the result of `call`. Converts its errors with {@link toGatewayFault}. */
export async function withGatewayFaults<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw toGatewayFault(error);
  }
}
