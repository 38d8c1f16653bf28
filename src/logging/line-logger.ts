import winston from 'winston';
import { logLine } from './log-line';
import type { Fields, Logger } from './logger';

/** Every record becomes its line here; below the level nothing is even looked at. */
export function lineLogger(level: string, transport: winston.transport): Logger {
  const format = winston.format.combine(
    winston.format.timestamp(),
    winston.format.printf(({ timestamp, level, message, fields }) =>
      logLine({ timestamp, level, message: String(message), fields }),
    ),
  );
  const target = winston.createLogger({ level, format, transports: [transport] });
  const at =
    (name: keyof Logger) =>
    (message: string, fields: Fields = {}): void => {
      // One object, and the fields apart: winston takes a `message`, `stack` or `level` among them for its own.
      if (target.isLevelEnabled(name)) target.log({ level: name, message, fields });
    };
  return { error: at('error'), warn: at('warn'), info: at('info'), debug: at('debug') };
}

/**
 * A reader of our output may leave at any time; that must not end what we do. To look at `process.stdout` also takes
 * its pipe out of blocking mode, which is what the log of a service relies on.
 */
export function surviveLostReaders(): void {
  for (const stream of [process.stdout, process.stderr]) {
    if (!stream.listeners('error').includes(loseOutput)) stream.on('error', loseOutput);
  }
}

function loseOutput(): void {
  // The text is lost, and there is nobody to tell.
}
