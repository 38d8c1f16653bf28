import winston from 'winston';
import { logLine } from './log-line';
import type { Fields, Logger } from './logger';

/** Creates a logger that turns every record into a line; records below the level are skipped. */
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
      // One object, and the fields apart: winston uses a `message`, `stack` or `level` among them as its own.
      if (target.isLevelEnabled(name)) target.log({ level: name, message, fields });
    };
  return { error: at('error'), warn: at('warn'), info: at('info'), debug: at('debug') };
}

/**
 * A reader of the output may close it at any time; that must not end the process. Reading `process.stdout` also takes its
 * pipe out of blocking mode, which the log of a service relies on.
 */
export function surviveLostReaders(): void {
  for (const stream of [process.stdout, process.stderr]) {
    if (!stream.listeners('error').includes(loseOutput)) stream.on('error', loseOutput);
  }
}

function loseOutput(): void {
  // The text is lost, and no output is left to report it on.
}
