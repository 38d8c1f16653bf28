import type { Logger } from '../logging';

/** Wraps the integrator's logger, whose failures must never hide the outcome of a payment. Failures are dropped. */
export function safeLogger(logger: Logger): Logger {
  const safe =
    (level: keyof Logger): Logger[keyof Logger] =>
    (message, fields) => {
      try {
        logger[level](message, fields);
      } catch {
        // The logger itself failed, so no place is left to report it.
      }
    };
  return { error: safe('error'), warn: safe('warn'), info: safe('info'), debug: safe('debug') };
}
