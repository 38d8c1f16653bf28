import type { Config } from './config';
import { openDatabase, type Database } from './db';
import { businessCalendar, fileClock, systemClock, type BusinessCalendar, type Clock } from './kernel';
import type { Logger } from './logging';

/** Every room, wired. The only place that knows how they fit together. */
export interface Millime {
  readonly config: Config;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly calendar: BusinessCalendar;
  readonly database: Database;
  close(): Promise<void>;
}

/** Builds every room from the configuration. Opens no socket and reads no table yet. */
export function compose(config: Config, logger: Logger): Millime {
  const clock = config.clockFile === undefined ? systemClock : fileClock(config.clockFile);
  const calendar = businessCalendar(config.businessTimeZone);
  const database = openDatabase(config.database, logger);
  return { config, logger, clock, calendar, database, close: () => database.close() };
}
