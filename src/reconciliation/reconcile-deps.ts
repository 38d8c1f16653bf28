import type { Database } from '../db';
import type { BusinessCalendar, Clock, WorkingDays } from '../kernel';
import type { Logger } from '../logging';
import type { Inference, MatchRequest } from '../payout-inference';

export interface ReconcileDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly calendar: BusinessCalendar;
  readonly workingDays: WorkingDays;
  readonly logger: Logger;
  /** The inference that runs use; another one only for comparison. */
  readonly infer?: (request: MatchRequest) => Inference;
  /** Small payouts share a transaction up to so many items; a larger one has its own. */
  readonly itemsPerTransaction?: number;
}
