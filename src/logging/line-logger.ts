import { createRequire } from 'node:module';
import type { Fields, Logger, LogLevel } from './logger';

const requireHere = createRequire(__filename);

/** A level includes those before it. */
const LEVELS: readonly LogLevel[] = ['error', 'warn', 'info', 'debug'];

/**
 * Creates a logger that passes one line per record to `write`, with its line end, and skips records below the level.
 * winston is loaded at the first line, because most commands log none and start faster without it.
 */
export function lineLogger(level: LogLevel, write: (line: string) => void): Logger {
  let log: ReturnType<typeof import('./winston-log').winstonLog> | undefined;
  const at = (name: LogLevel): Logger[LogLevel] => {
    if (LEVELS.indexOf(name) > LEVELS.indexOf(level)) return () => undefined;
    return (message: string, fields: Fields = {}) => {
      log ??= (requireHere('./winston-log') as typeof import('./winston-log')).winstonLog(level, write);
      log.log({ level: name, message, fields });
    };
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
