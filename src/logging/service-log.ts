import { Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import winston from 'winston';
import { lineLogger, surviveLostReaders } from './line-logger';
import { type LogPipe, openLogPipe } from './log-pipe';
import type { Logger } from './logger';
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
export function createServiceLog({ level }: { level: string }): ServiceLog {
  surviveLostReaders();
  const pipe = openLogPipe(STDOUT, (dropped) => {
    logger.warn('log lines dropped: output was not read', { event: 'log.dropped', dropped });
  });
  const logger = lineLogger(level, new winston.transports.Stream({ stream: linesInto(pipe), eol: '\n' }));
  const limited = limitRepeats(logger);
  return {
    logger: limited.logger,
    async close() {
      limited.close();
      await nextTurn(); // winston may write its first lines one turn later
      await pipe.close();
    },
  };
}

function linesInto(pipe: LogPipe): Writable {
  return new Writable({
    decodeStrings: false,
    write(line: string, _encoding, done) {
      pipe.write(line);
      done();
    },
  });
}
