const LOST: readonly string[] = ['FAILURE', 'EXPIRED'];

export type ChargeStep =
  | { readonly kind: 'moved' | 'unchanged' }
  /** It was lost, and is paid after all: that wins, and a person is told. */
  | { readonly kind: 'late_success' }
  /** It contradicts what was seen before: the state is kept, and a person is told. */
  | { readonly kind: 'regressed' };

/**
 * Whether a charge may go from what was last seen, undefined at first sight, to what is seen now (interface 2.5). Pure.
 */
export function nextChargeStatus(current: string | undefined, observed: string): ChargeStep {
  if (current === observed) return { kind: 'unchanged' };
  if (current === 'SUCCESS') return { kind: 'regressed' };
  if (current === undefined || !LOST.includes(current)) return { kind: 'moved' };
  return observed === 'SUCCESS' ? { kind: 'late_success' } : { kind: 'regressed' };
}
