import type { Instant } from '../../kernel';

/** What a store holds under one key, and the version that a writer must name to replace it. */
export interface BudgetEntry {
  readonly value: string;
  readonly version: number;
}

/**
 * Where the budget of calls is kept. One store shared by all processes makes the budget hold for all of them; the
 * client's own lives in memory. It knows nothing of budgets: compare and swap on opaque texts is all it must do.
 */
export interface BudgetStore {
  read(key: string): Promise<BudgetEntry | undefined>;
  /**
   * Writes `value` if the key still has `expectedVersion` (`undefined`: if there is no such key), and says whether it
   * did. Of several writers with one expectation exactly one is told `true`. After `keepUntil` the store may forget.
   */
  replace(
    key: string,
    next: { readonly value: string; readonly keepUntil: Instant },
    expectedVersion: number | undefined,
  ): Promise<boolean>;
}
