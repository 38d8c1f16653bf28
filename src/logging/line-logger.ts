import winston from 'winston';
import { formatInstant, systemClock } from '../kernel';
import { logLine } from './log-line';
import type { Fields, Logger } from './logger';

/** Creates a logger that writes one line per record and skips records below the level. */
export function lineLogger(level: string, transport: winston.transport): Logger {
  const format = winston.format.printf(({ level, message, fields }) =>
    logLine({ timestamp: formatInstant(systemClock.now()), level, message: String(message), fields }),
  );
  const target = winston.createLogger({ level, format, transports: [transport] });
  const at =
    (name: keyof Logger) =>
    (message: string, fields: Fields = {}): void => {
      // The fields are passed in one separate property: winston would use a `message`, `stack` or `level` among them as
      // its own.
      if (target.isLevelEnabled(name)) target.log({ level: name, message, fields });
    };
  return { error: at('error'), warn: at('warn'), info: at('info'), debug: at('debug') };
}

/**
 * Keeps the process alive when the reader of its output closes it. Reading `process.stdout` also switches its pipe to
 * non-blocking mode, on which the log of a service relies.
 */
export function surviveLostReaders(): void {
  for (const stream of [process.stdout, process.stderr]) {
    if (!stream.listeners('error').includes(loseOutput)) stream.on('error', loseOutput);
  }
}

function loseOutput(): void {
  // The text is lost, and no output is left to report it.
}
