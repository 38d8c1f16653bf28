import type { UrgencySettings } from '../breaks';
import type { Database } from '../db';
import type { BusinessCalendar, Clock, WorkingDays } from '../kernel';
import type { Logger } from '../logging';
import type { TokenExpiry } from '../service-tokens';

export interface MetricsDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly calendar: BusinessCalendar;
  readonly workingDays: WorkingDays;
  readonly logger: Logger;
  readonly urgency: UrgencySettings;
  readonly tokenExpiry: () => Promise<TokenExpiry>;
  /** The application whose call budget is shown; undefined if the gateway is not configured. */
  readonly gateway: { readonly baseUrl: string; readonly publicKey: string } | undefined;
  readonly monotonic?: Clock;
}
