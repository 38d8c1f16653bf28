export type Fields = Readonly<Record<string, unknown>>;

/** ERROR wakes someone; what heals by itself is WARN. Fields are data, the message is for people. */
export interface Logger {
  error(message: string, fields?: Fields): void;
  warn(message: string, fields?: Fields): void;
  info(message: string, fields?: Fields): void;
  debug(message: string, fields?: Fields): void;
}

/** For code that runs without an audience. */
export const silentLogger: Logger = { error() {}, warn() {}, info() {}, debug() {} };
