const LOST: readonly string[] = ['FAILURE', 'EXPIRED'];

export type ChargeStep =
  | { readonly kind: 'moved' | 'unchanged' }
  /** It had failed and is now paid: the success is stored, and a person is notified. */
  | { readonly kind: 'late_success' }
  /** It contradicts an earlier status: the stored status stays, and a person is notified. */
  | { readonly kind: 'regressed' };

/**
 * Returns whether a charge may change from its stored status (undefined at first sight) to the observed one (interface
 * section 2.5). Pure.
 */
export function nextChargeStatus(current: string | undefined, observed: string): ChargeStep {
  if (current === observed) return { kind: 'unchanged' };
  if (current === 'SUCCESS') return { kind: 'regressed' };
  if (current === undefined || !LOST.includes(current)) return { kind: 'moved' };
  return observed === 'SUCCESS' ? { kind: 'late_success' } : { kind: 'regressed' };
}
