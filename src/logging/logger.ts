export type Fields = Readonly<Record<string, unknown>>;

/**
 * Use ERROR if someone must act and WARN for a fault that recovers without action. Fields are for programs, the message
 * is for people.
 */
export interface Logger {
  error(message: string, fields?: Fields): void;
  warn(message: string, fields?: Fields): void;
  info(message: string, fields?: Fields): void;
  debug(message: string, fields?: Fields): void;
}

export type LogLevel = keyof Logger;

/** Logs nothing. */
export const silentLogger: Logger = { error() {}, warn() {}, info() {}, debug() {} };
