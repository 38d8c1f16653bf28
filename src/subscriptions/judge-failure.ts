import type { GatewayError } from '../gateway';

/** The words of interface section 7.1 for what our account may not do. */
const NOT_ALLOWED_WORDS: readonly (string | undefined)[] = [
  'merchant_not_allowed',
  'merchant_wallet_inactive',
  'affiliation_inactive',
];
const PAUSED_WORD = 'recurring_payments_disabled';

/** What a failed call of Create Subscription says about the request behind it. */
export type FailedSending =
  /** The gateway has it not, and asking again without a change will not help. */
  | { readonly kind: 'refused'; readonly reason: string; readonly isOther: boolean }
  /** Nobody knows; the same call again tells (open point 129). */
  | { readonly kind: 'unknown'; readonly reason: string }
  /**
   * Nothing can be made at this time, of any subscription. `isSureNo`: this call was not carried out. `hasLeft`: it was
   * sent, so that the gateway may want to be left alone for a while.
   */
  | { readonly kind: 'later'; readonly reason: string; readonly isSureNo: boolean; readonly hasLeft: boolean };

/**
 * Reads a failure of the call, which is of class B: the tracking id makes a repeat harmless. Where an earlier call
 * for the same row, or an earlier try of this one, has no known outcome, only a word about the terms themselves says
 * that there is none. Pure.
 */
export function judgeFailure(error: GatewayError, wasSentBeforeThisCall: boolean): FailedSending {
  const { code, message, existing, gatewayCode, httpStatus, afterLostTry } = error;
  const wasSentBefore = wasSentBeforeThisCall || afterLostTry === true;
  const named = existing === undefined ? '' : ` (existing: ${existing.subscriptionId})`;
  const reason = `${code}: ${message}${named}`;
  // Our own budget says these without an answer.
  const hasLeft = httpStatus !== undefined;
  switch (code) {
    case 'validation':
    case 'refused':
      return { kind: 'refused', reason, isOther: false };
    case 'conflict':
      return { kind: 'refused', reason, isOther: true };
    case 'permission':
      // With a word of section 7.1 it is about our account, and for good (open point 121). Else it may be a ban.
      if (!NOT_ALLOWED_WORDS.includes(gatewayCode)) {
        return { kind: 'later', reason, isSureNo: !wasSentBefore, hasLeft };
      }
      return wasSentBefore ? { kind: 'unknown', reason } : { kind: 'refused', reason, isOther: false };
    case 'rate_limited':
    case 'authentication':
      return { kind: 'later', reason, isSureNo: !wasSentBefore, hasLeft };
    case 'unavailable':
      return {
        kind: 'later',
        reason,
        isSureNo: !wasSentBefore && (gatewayCode === PAUSED_WORD || !hasLeft),
        hasLeft,
      };
    case 'connection':
      return { kind: 'later', reason, isSureNo: false, hasLeft: true };
    // The id is taken, surely by our own earlier call; it could only not be compared now.
    case 'duplicate_tracking_id':
    case 'not_found':
    case 'timeout':
    case 'unexpected_shape':
    case 'outcome_unknown':
      return { kind: 'unknown', reason };
  }
}
