import type { Database } from '../db';
import type { BusinessCalendar, BusinessDate, Clock, WorkingDays } from '../kernel';
import type { Logger } from '../logging';
import type { Inference, MatchRequest } from '../payout-inference';

export interface ReconcileDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly calendar: BusinessCalendar;
  readonly workingDays: WorkingDays;
  readonly logger: Logger;
  /** Called after a run that no run through a later day preceded, with the run that recorded its result. */
  readonly afterRun?: ((run: { readonly runId: string; readonly through: BusinessDate }) => Promise<void>) | undefined;
  /** Called after a person matched or unmatched a credit. */
  readonly afterDecision?: (() => Promise<void>) | undefined;
  /** The inference of runs; tests and comparisons pass another one. */
  readonly infer?: (request: MatchRequest) => Inference;
  /** The limit on the items of small payouts in one transaction. A larger payout has its own. */
  readonly itemsPerTransaction?: number;
}
