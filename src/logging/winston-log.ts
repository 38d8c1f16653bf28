import { createLogger, format, type Logger } from 'winston';
import Transport from 'winston-transport';
import { formatInstant, systemClock } from '../kernel';
import { logLine } from './log-line';
import type { LogLevel } from './logger';

// The names under which winston passes the level and the finished line to its transports.
const LEVEL = Symbol.for('level');
const LINE = Symbol.for('message');

const LEVELS = { error: 0, warn: 1, info: 2, debug: 3 } as const satisfies Record<LogLevel, number>;

/** Replaces each record by its redacted line, so that no transport gets anything else. */
const redactedLine = format(({ level, message, fields }) => {
  const timestamp = formatInstant(systemClock.now());
  const line = logLine({ timestamp, level: level as LogLevel, message: String(message), fields });
  return { level, message: line, [LEVEL]: level, [LINE]: line };
});

/** Passes each line on as it is logged. */
class LineTransport extends Transport {
  readonly #write: (line: string) => void;

  constructor(write: (line: string) => void) {
    super();
    this.#write = write;
  }

  override log(info: Readonly<Record<symbol, string>>, next: () => void): void {
    this.#write(`${info[LINE]}\n`);
    // Now, because winston stops passing lines on while 16 of them wait for their `next` (winston issue 1364).
    next();
  }
}

/** Creates winston's logger with one transport, which passes lines to `write`. `write` must not throw. */
export function winstonLog(level: LogLevel, write: (line: string) => void): Logger {
  return createLogger({ level, levels: LEVELS, format: redactedLine(), transports: [new LineTransport(write)] });
}
