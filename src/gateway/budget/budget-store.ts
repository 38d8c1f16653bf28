import type { Instant } from '../../kernel';

/** The value of one key, and the version that a writer must name to replace it. */
export interface BudgetEntry {
  readonly value: string;
  readonly version: number;
}

/**
 * Stores the call budget. A store that all processes share makes the limits hold for all of them; the client's default
 * store is in memory. An implementation needs no knowledge of budgets, only compare-and-swap on opaque texts.
 */
export interface BudgetStore {
  read(key: string): Promise<BudgetEntry | undefined>;
  /**
   * Writes `value` if the key still has `expectedVersion` (`undefined`: if the key does not exist). Returns whether it
   * wrote. Of several writers with the same expectation, exactly one gets `true`. The store may delete the entry after
   * `keepUntil`.
   */
  replace(
    key: string,
    next: { readonly value: string; readonly keepUntil: Instant },
    expectedVersion: number | undefined,
  ): Promise<boolean>;
}
