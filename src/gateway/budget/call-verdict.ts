import { type GatewayError, isGatewayError } from '../gateway-error';
import type { CallVerdict } from './circuit';

/** Derives from a failed verify whether Millime may go on calling the gateway (open point 54). */
export function verdictOf(error: unknown): CallVerdict {
  if (!isGatewayError(error)) return { kind: 'unclear' };
  // The body decides the caller's error code. The status alone decides whether further calls are allowed.
  if (error.httpStatus === 403) return { kind: 'stop', cause: 'forbidden', waitMs: undefined };
  if (error.httpStatus === 429) return { kind: 'stop', cause: 'rate_limited', waitMs: waitOf(error) };
  switch (error.code) {
    case 'permission':
      return { kind: 'stop', cause: 'forbidden', waitMs: undefined };
    case 'rate_limited':
      return { kind: 'stop', cause: 'rate_limited', waitMs: waitOf(error) };
    case 'unavailable': {
      const waitMs = waitOf(error) ?? 0;
      // A 5xx without Retry-After concerns one call, so the spacing of its payment is enough.
      return waitMs > 0 ? { kind: 'stop', cause: 'unavailable', waitMs } : { kind: 'unclear' };
    }
    case 'connection':
      return { kind: 'stop', cause: 'unreachable', waitMs: undefined };
    case 'not_found':
    case 'refused':
      // The gateway accepted the credential and answered, so it is available.
      return { kind: 'answered' };
    case 'authentication': // a key rotation in progress is not a ban, and a circuit would outlast it
    case 'timeout':
    case 'validation':
    case 'duplicate_tracking_id':
    case 'conflict':
    case 'unexpected_shape':
    case 'outcome_unknown':
      return { kind: 'unclear' };
  }
}

function waitOf({ retryAfterMs }: GatewayError): number | undefined {
  return retryAfterMs === undefined ? undefined : Math.ceil(retryAfterMs);
}
