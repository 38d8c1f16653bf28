import { lineLogger, surviveLostReaders } from './line-logger';
import type { Logger, LogLevel } from './logger';
import { limitRepeats } from './repeats';

/** Creates the log of commands: one JSON object per line on stderr, so that stdout has only the output of `--json`. */
export function createLogger({ level }: { level: LogLevel }): Logger {
  surviveLostReaders();
  return limitRepeats(lineLogger(level, (line) => process.stderr.write(line))).logger;
}
