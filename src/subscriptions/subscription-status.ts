/** The final statuses of a subscription (interface section 3.2). */
export const TERMINAL_STATUSES: readonly string[] = ['canceled', 'incomplete_expired'];
/** A subscription that was ever paid cannot return to these. */
const FIRST_STATUSES: readonly string[] = ['incomplete', 'incomplete_expired'];

export type StatusStep =
  | { readonly kind: 'moved' | 'unchanged' }
  /** It contradicts an earlier status: the stored status stays, and a person is notified. */
  | { readonly kind: 'regressed' };

/**
 * Returns whether a subscription may change from its stored status to the observed one (interface section 3.2). Millime
 * does not see every step, so every result of several steps is allowed. `unpaid` can return to `active`, and unknown
 * words are accepted. Pure.
 */
export function nextSubscriptionStatus(current: string | undefined, observed: string): StatusStep {
  if (current === observed) return { kind: 'unchanged' };
  if (current === undefined || current === 'incomplete') return { kind: 'moved' };
  if (TERMINAL_STATUSES.includes(current) || FIRST_STATUSES.includes(observed)) return { kind: 'regressed' };
  return { kind: 'moved' };
}
