import type { PlanResult } from '../attempts';
import type { CliIo } from './command';
import { t } from './language';

interface PlanPrintOptions {
  /** The noun of the rows, such as `payments`. */
  readonly noun: 'payments' | 'subscriptions';
  readonly dryRun: boolean;
  readonly json: boolean;
}

/** Prints the number of requests that a plan file added to the queue. */
export function printPlan({ added, unchanged }: PlanResult, io: CliIo, { noun, dryRun, json }: PlanPrintOptions): void {
  if (json) return io.json({ added, unchanged, dryRun });
  io.line(t(dryRun ? `cli:plan.${noun}.wouldQueue` : `cli:plan.${noun}.queued`, { added, unchanged }));
}
