import { lineLogger, surviveLostReaders } from './line-logger';
import { openLogPipe } from './log-pipe';
import type { Logger, LogLevel } from './logger';
import { limitRepeats } from './repeats';

const STDOUT = 1;

export interface ServiceLog {
  readonly logger: Logger;
  /** Writes the buffer within a second. Later lines are lost. */
  close(): Promise<void>;
}

/**
 * Creates the log of `serve`, on stdout. It never blocks the service, even if stdout is not read or its reader ends.
 */
export function createServiceLog({ level }: { level: LogLevel }): ServiceLog {
  surviveLostReaders();
  const pipe = openLogPipe(STDOUT, (dropped) => {
    logger.warn('log lines dropped: output was not read', { event: 'log.dropped', dropped });
  });
  const logger = lineLogger(level, pipe.write);
  const limited = limitRepeats(logger);
  return {
    logger: limited.logger,
    async close() {
      limited.close();
      await pipe.close();
    },
  };
}
