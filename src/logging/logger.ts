import winston from 'winston';
import { redact } from './redact';

/** ERROR wakes someone; what heals by itself is WARN. Fields are data, the message is for people. */
export interface Logger {
  error(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  debug(message: string, fields?: Readonly<Record<string, unknown>>): void;
}

const redaction = winston.format((record) => Object.assign(record, redact({ ...record }) as object));

/** Logs one JSON object a line. `serve` writes to stdout; commands write to stderr, so that `--json` stays clean. */
export function createLogger(options: { level: string; stream: 'stdout' | 'stderr' }): Logger {
  return winston.createLogger({
    level: options.level,
    format: winston.format.combine(winston.format.timestamp(), redaction(), winston.format.json()),
    transports: [
      new winston.transports.Console({
        stderrLevels: options.stream === 'stderr' ? ['error', 'warn', 'info', 'debug'] : [],
      }),
    ],
  });
}

/** For code that runs without an audience. */
export const silentLogger: Logger = { error() {}, warn() {}, info() {}, debug() {} };
