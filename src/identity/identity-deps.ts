import type { Database } from '../db';
import type { Clock } from '../kernel';
import type { Logger } from '../logging';

/** What the use cases of this module need. */
export interface IdentityDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
}
