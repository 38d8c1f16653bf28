import winston from 'winston';
import { lineLogger, surviveLostReaders } from './line-logger';
import type { Logger } from './logger';
import { limitRepeats } from './repeats';

/** Logs one JSON object a line for commands: to stderr, so that `--json` stays clean. */
export function createLogger(options: { level: string; stream: 'stdout' | 'stderr' }): Logger {
  surviveLostReaders();
  const console = new winston.transports.Console({
    stderrLevels: options.stream === 'stderr' ? ['error', 'warn', 'info', 'debug'] : [],
  });
  return limitRepeats(lineLogger(options.level, console)).logger;
}
