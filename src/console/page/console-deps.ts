import type { LimitKey, Operations } from '../../api';
import type { IsTrustedProxy, ObserveRequest } from '../../http';
import type { Identity } from '../../identity';
import type { BusinessCalendar, Clock } from '../../kernel';
import type { Logger } from '../../logging';

export interface ConsoleDeps {
  readonly identity: Identity;
  readonly operations: Operations;
  /** Limits the requests of each person in a minute. */
  readonly limit: LimitKey;
  readonly calendar: BusinessCalendar;
  readonly clock: Clock;
  readonly monotonic: Clock;
  readonly isTrustedProxy: IsTrustedProxy;
  readonly logger: Logger;
  /** The address of the console as people reach it; by default, that of their request. */
  readonly consoleUrl: string | undefined;
  readonly observe: ObserveRequest | undefined;
}
