import { fingerprintOf } from '../../kernel';
import type { BudgetStore } from './budget-store';

const SCOPE_DIGITS = 16;

/**
 * Returns the part of a store that belongs to one application at one gateway. The gateway counts each application's
 * calls separately, so applications that share a database must not share a spacing or a circuit.
 */
export function scopedBudgetStore(store: BudgetStore, baseUrl: string, application: string): BudgetStore {
  const scoped = budgetScope(baseUrl, application);
  return {
    read: (key) => store.read(scoped(key)),
    replace: (key, next, expectedVersion) => store.replace(scoped(key), next, expectedVersion),
  };
}

/** Returns how the keys of one application are named in a store that others share. */
export function budgetScope(baseUrl: string, application: string): (key: string) => string {
  const scope = fingerprintOf(baseUrl, application).slice(0, SCOPE_DIGITS);
  return (key) => `${scope}:${key}`;
}
