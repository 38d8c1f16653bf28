/** The last states of a subscription (interface section 3.2). */
export const TERMINAL_STATUSES: readonly string[] = ['canceled', 'incomplete_expired'];
/** A subscription that was ever paid is not unpaid from the start again. */
const FIRST_STATUSES: readonly string[] = ['incomplete', 'incomplete_expired'];

export type StatusStep =
  | { readonly kind: 'moved' | 'unchanged' }
  /** It contradicts what was seen before: the state is kept, and a person is told. */
  | { readonly kind: 'regressed' };

/**
 * Whether a subscription may go from what was last seen to what is seen now (interface section 3.2). We do not see
 * every step, so all that several steps lead to is right; `unpaid` comes back to `active`, and words that we do not
 * know are taken as they are. Pure.
 */
export function nextSubscriptionStatus(current: string | undefined, observed: string): StatusStep {
  if (current === observed) return { kind: 'unchanged' };
  if (current === undefined || current === 'incomplete') return { kind: 'moved' };
  if (TERMINAL_STATUSES.includes(current) || FIRST_STATUSES.includes(observed)) return { kind: 'regressed' };
  return { kind: 'moved' };
}
