import winston from 'winston';
import { lineLogger, surviveLostReaders } from './line-logger';
import type { Logger } from './logger';
import { limitRepeats } from './repeats';

/** Creates the log of commands: one JSON object per line on stderr, so that stdout has only the output of `--json`. */
export function createLogger({ level }: { level: string }): Logger {
  surviveLostReaders();
  const console = new winston.transports.Console({ stderrLevels: ['error', 'warn', 'info', 'debug'] });
  return limitRepeats(lineLogger(level, console)).logger;
}
