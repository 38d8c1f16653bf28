import { type GatewayError, isGatewayError } from '../gateway-error';
import type { CallVerdict } from './circuit';

/** Reads from the failure of a verify what it says of the gateway (open point 54). */
export function verdictOf(error: unknown): CallVerdict {
  if (!isGatewayError(error)) return { kind: 'unclear' };
  // The body chooses the word for the caller; whether we may go on asking, the status says whatever stands beside it.
  if (error.httpStatus === 403) return { kind: 'stop', cause: 'forbidden', waitMs: undefined };
  if (error.httpStatus === 429) return { kind: 'stop', cause: 'rate_limited', waitMs: waitOf(error) };
  switch (error.code) {
    case 'permission':
      return { kind: 'stop', cause: 'forbidden', waitMs: undefined };
    case 'rate_limited':
      return { kind: 'stop', cause: 'rate_limited', waitMs: waitOf(error) };
    case 'unavailable': {
      const waitMs = waitOf(error) ?? 0;
      // Without a time a 5xx is one of many, and the spacing of its payment is enough.
      return waitMs > 0 ? { kind: 'stop', cause: 'unavailable', waitMs } : { kind: 'unclear' };
    }
    case 'connection':
      return { kind: 'stop', cause: 'unreachable', waitMs: undefined };
    case 'not_found':
    case 'refused':
      // The gateway knows us and answers us, although it has nothing good to say of this payment.
      return { kind: 'answered' };
    case 'authentication': // a key that is being changed: no ban, and a circuit would outlive its repair
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
