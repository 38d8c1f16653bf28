import type { Logger } from '../../../src/logging';

export interface LogEntry {
  level: 'error' | 'warn' | 'info' | 'debug';
  message: string;
  fields: Readonly<Record<string, unknown>>;
}

export interface RecordingLogger extends Logger {
  readonly entries: readonly LogEntry[];
  /** The entries whose `event` field is the given one. */
  events(event: string): readonly LogEntry[];
}

/** A logger that keeps what it is told. */
export function recordingLogger(): RecordingLogger {
  const entries: LogEntry[] = [];
  const at =
    (level: LogEntry['level']) =>
    (message: string, fields: Readonly<Record<string, unknown>> = {}): void => {
      entries.push({ level, message, fields });
    };
  return {
    entries,
    events: (event) => entries.filter(({ fields }) => fields['event'] === event),
    error: at('error'),
    warn: at('warn'),
    info: at('info'),
    debug: at('debug'),
  };
}
