import type { PlanResult } from '../payments';
import type { CliIo } from './command';

interface Told {
  /** What the rows are, such as `payments`. */
  readonly noun: string;
  readonly dryRun: boolean;
  readonly json: boolean;
}

/** Tells what a plan file put in the queue. */
export function tellPlan({ added, unchanged }: PlanResult, io: CliIo, { noun, dryRun, json }: Told): void {
  if (json) return io.json({ added, unchanged, dryRun });
  io.line(`${noun}: ${added} put in the queue, ${unchanged} unchanged${dryRun ? ' (dry run)' : ''}`);
}
