import { isGatewayError } from '../gateway-error';
import type { CallVerdict } from './circuit';

/** Reads from the failure of a verify what it says of the gateway (open point 54). */
export function verdictOf(error: unknown): CallVerdict {
  if (!isGatewayError(error)) return { kind: 'unclear' };
  switch (error.code) {
    case 'permission':
      return { kind: 'stop', cause: 'forbidden', waitMs: undefined };
    case 'authentication':
      // Without a status it is the client's own word: it has no credential, and nothing was sent.
      return error.httpStatus === undefined
        ? { kind: 'unclear' }
        : { kind: 'stop', cause: 'forbidden', waitMs: undefined };
    case 'rate_limited': {
      const waitMs = error.retryAfterMs === undefined ? undefined : Math.ceil(error.retryAfterMs);
      return { kind: 'stop', cause: 'rate_limited', waitMs };
    }
    case 'connection':
      return { kind: 'stop', cause: 'unreachable', waitMs: undefined };
    case 'not_found':
    case 'refused':
      // The gateway knows us and answers us, although it has nothing good to say of this payment.
      return { kind: 'answered' };
    case 'timeout':
    case 'validation':
    case 'duplicate_tracking_id':
    case 'conflict':
    case 'unavailable':
    case 'unexpected_shape':
    case 'outcome_unknown':
      return { kind: 'unclear' };
  }
}
