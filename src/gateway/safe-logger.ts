import type { Logger } from '../logging';

/** The integrator's logger, whose failures must never hide what became of a payment. They have nowhere to go. */
export function safeLogger(logger: Logger): Logger {
  const safe =
    (level: keyof Logger): Logger[keyof Logger] =>
    (message, fields) => {
      try {
        logger[level](message, fields);
      } catch {
        // No place is left to report it.
      }
    };
  return { error: safe('error'), warn: safe('warn'), info: safe('info'), debug: safe('debug') };
}
