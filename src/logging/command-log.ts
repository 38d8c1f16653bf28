import winston from 'winston';
import { lineLogger, surviveLostReaders } from './line-logger';
import type { Logger } from './logger';
import { limitRepeats } from './repeats';

/** Logs one JSON object a line for commands: to stderr, so that `--json` stays clean. */
export function createLogger({ level }: { level: string }): Logger {
  surviveLostReaders();
  const console = new winston.transports.Console({ stderrLevels: ['error', 'warn', 'info', 'debug'] });
  return limitRepeats(lineLogger(level, console)).logger;
}
