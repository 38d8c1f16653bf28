import { reconcile, type ReconcileDeps, type ReconcileOptions } from './reconcile';
import type { ReconciliationResult } from './result';

export type { ReconciliationResult } from './result';

/** Explains the bank's credits by what the gateway owes us. */
export interface Reconciliation {
  run(options: ReconcileOptions): Promise<ReconciliationResult>;
}

export function createReconciliation(deps: ReconcileDeps): Reconciliation {
  return { run: (options) => reconcile(deps, options) };
}
