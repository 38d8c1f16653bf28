import type { PlanResult } from '../attempts';
import type { CliIo } from './command';

interface PlanPrintOptions {
  /** The noun of the rows, such as `payments`. */
  readonly noun: string;
  readonly dryRun: boolean;
  readonly json: boolean;
}

/** Prints the number of requests that a plan file added to the queue. */
export function printPlan({ added, unchanged }: PlanResult, io: CliIo, { noun, dryRun, json }: PlanPrintOptions): void {
  if (json) return io.json({ added, unchanged, dryRun });
  const counts = `${added} added to the queue, ${unchanged} unchanged`;
  io.line(dryRun ? `Would queue ${noun}: ${counts} (dry run)` : `queued ${noun}: ${counts}`);
}
