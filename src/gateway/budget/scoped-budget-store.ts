import { fingerprintOf } from '../../kernel';
import type { BudgetStore } from './budget-store';

const SCOPE_DIGITS = 16;

/**
 * Returns the part of a store that belongs to one application at one gateway. The gateway counts each application's
 * calls separately, so applications that share a database must not share a spacing or a circuit.
 */
export function scopedBudgetStore(store: BudgetStore, baseUrl: string, application: string): BudgetStore {
  const scope = fingerprintOf(baseUrl, application).slice(0, SCOPE_DIGITS);
  const scoped = (key: string): string => `${scope}:${key}`;
  return {
    read: (key) => store.read(scoped(key)),
    replace: (key, next, expectedVersion) => store.replace(scoped(key), next, expectedVersion),
  };
}
