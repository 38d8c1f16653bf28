import type { GatewayError } from '../gateway';

/** What a failed call of Create Subscription says about the request behind it. */
export type FailedSending =
  /** The gateway has it not, and asking again without a change will not help. */
  | { readonly kind: 'refused'; readonly reason: string; readonly isOther: boolean }
  /** Nobody knows; the same call again tells (open point 129). */
  | { readonly kind: 'unknown'; readonly reason: string }
  /** Nothing can be made at this time, of any subscription. `isSureNo`: this call was not carried out. */
  | { readonly kind: 'later'; readonly reason: string; readonly isSureNo: boolean };

/**
 * Reads a failure of the call, which is of class B: the tracking id makes a repeat harmless. `wasSentBefore`: an earlier
 * call for the same row has no known outcome, so that only a word about the terms themselves says that there is none. Pure.
 */
export function judgeFailure(error: GatewayError, wasSentBefore: boolean): FailedSending {
  const { code, message, existing, gatewayCode } = error;
  const named = existing === undefined ? '' : ` (existing: ${existing.subscriptionId})`;
  const reason = `${code}: ${message}${named}`;
  switch (code) {
    case 'validation':
    case 'refused':
      return { kind: 'refused', reason, isOther: false };
    case 'conflict':
      return { kind: 'refused', reason, isOther: true };
    case 'permission':
      // With a word of section 7.1 it is about our account, and for good (open point 121). Without one it may be a ban.
      if (gatewayCode === undefined) return { kind: 'later', reason, isSureNo: !wasSentBefore };
      return wasSentBefore ? { kind: 'unknown', reason } : { kind: 'refused', reason, isOther: false };
    case 'rate_limited':
    case 'authentication':
      return { kind: 'later', reason, isSureNo: !wasSentBefore };
    case 'unavailable':
      return { kind: 'later', reason, isSureNo: !wasSentBefore && gatewayCode !== undefined };
    case 'connection':
      return { kind: 'later', reason, isSureNo: false };
    // The id is taken, surely by our own earlier call; it could only not be compared now.
    case 'duplicate_tracking_id':
    case 'not_found':
    case 'timeout':
    case 'unexpected_shape':
    case 'outcome_unknown':
      return { kind: 'unknown', reason };
  }
}
