import { SECOND_MS } from '../kernel';
import type { Logger } from './logger';

const LINES_MAX = 10;
const WINDOW_MS = 10 * SECOND_MS;

/** Info events that a caller without a token can cause at any rate. */
const STRANGERS_EVENTS: readonly unknown[] = ['service_tokens.refused'];

type LimitedLevel = 'error' | 'warn' | 'info';

interface Window {
  readonly level: LimitedLevel;
  readonly event: string;
  readonly timer: NodeJS.Timeout;
  lines: number;
}

/** A logger that limits repeated lines. */
export interface LimitedLogger {
  readonly logger: Logger;
  /** Ends every window now, and logs how many lines each dropped. */
  close(): void;
}

/**
 * Passes at most ten lines of one event in ten seconds, and then logs how many more occurred, so that a fault of every
 * call causes few lines. Info lines record what happened to money and are never dropped, except for events that any
 * caller can cause. Events are constants, so windows are few.
 */
export function limitRepeats(logger: Logger): LimitedLogger {
  const windows = new Map<string, Window>();

  function endWindow(key: string): void {
    const window = windows.get(key);
    windows.delete(key);
    if (window === undefined) return;
    clearTimeout(window.timer);
    const suppressed = window.lines - LINES_MAX;
    if (suppressed <= 0) return;
    logger[window.level]('log lines left out: event repeated', {
      event: 'log.suppressed',
      suppressedEvent: window.event,
      suppressed,
    });
  }

  function passes(level: LimitedLevel, fields: Readonly<Record<string, unknown>> | undefined): boolean {
    const event = typeof fields?.['event'] === 'string' ? fields['event'] : 'none';
    const key = `${level} ${event}`;
    let window = windows.get(key);
    if (window === undefined) {
      const timer = setTimeout(() => endWindow(key), WINDOW_MS).unref();
      window = { level, event, timer, lines: 0 };
      windows.set(key, window);
    }
    window.lines += 1;
    return window.lines <= LINES_MAX;
  }

  return {
    logger: {
      error: (message, fields) => {
        if (passes('error', fields)) logger.error(message, fields);
      },
      warn: (message, fields) => {
        if (passes('warn', fields)) logger.warn(message, fields);
      },
      info: (message, fields) => {
        if (!STRANGERS_EVENTS.includes(fields?.['event']) || passes('info', fields)) logger.info(message, fields);
      },
      debug: (message, fields) => logger.debug(message, fields),
    },
    close: () => [...windows.keys()].forEach(endWindow),
  };
}
