import type { GatewayError } from '../gateway';

/** The codes of interface section 7.1 for actions that the account may not do. */
const NOT_ALLOWED_WORDS: readonly (string | undefined)[] = [
  'merchant_not_allowed',
  'merchant_wallet_inactive',
  'affiliation_inactive',
];
const PAUSED_WORD = 'recurring_payments_disabled';

/** What a failed Create Subscription shows about its request. */
export type FailedSending =
  /** The gateway refused it, and would refuse the same request again. */
  | { readonly kind: 'refused'; readonly reason: string; readonly isOther: boolean }
  /** Unknown; repeating the call resolves it (open point 129). */
  | { readonly kind: 'unknown'; readonly reason: string }
  /**
   * No subscription can be created now. `isSureNo`: the gateway did not process this call. `hasLeft`: the call was
   * sent, so the gateway may need a pause.
   */
  | { readonly kind: 'later'; readonly reason: string; readonly isSureNo: boolean; readonly hasLeft: boolean };

/**
 * Classifies a failure of the call, which is of class B: the tracking id makes a repeat harmless. After an earlier call
 * of unknown outcome for the same row, only a refusal of the terms proves that no subscription exists. Pure.
 */
export function judgeFailure(error: GatewayError, wasSentBeforeThisCall: boolean): FailedSending {
  const { code, message, existing, gatewayCode, httpStatus, afterLostTry } = error;
  const wasSentBefore = wasSentBeforeThisCall || afterLostTry === true;
  const named = existing === undefined ? '' : ` (existing: ${existing.subscriptionId})`;
  const reason = `${code}: ${message}${named}`;
  // The client's budget refuses without an HTTP status.
  const hasLeft = httpStatus !== undefined;
  switch (code) {
    case 'validation':
    case 'refused':
      return { kind: 'refused', reason, isOther: false };
    case 'conflict':
      return { kind: 'refused', reason, isOther: true };
    case 'permission':
      // A code of section 7.1 concerns the account and is permanent (open point 121). Without one it may be a ban.
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
    // Millime's own earlier call has the id; the terms could not be compared now.
    case 'duplicate_tracking_id':
    case 'not_found':
    case 'timeout':
    case 'unexpected_shape':
    case 'outcome_unknown':
      return { kind: 'unknown', reason };
  }
}
