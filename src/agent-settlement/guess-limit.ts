import { RateCounter } from '../http';
import { type Clock, SECOND_MS } from '../kernel';
import type { Logger } from '../logging';

/** A caller with more unknown ids and refused confirms in a minute is guessing (open point 96). */
const GUESSES_PER_MINUTE_MAX = 600;

export interface Guess {
  /** False past the limit: the caller gets 503, and learns nothing. */
  readonly isAnswered: boolean;
  readonly retryAfterS: number;
}

/**
 * Counts the answers by which a caller learns whether an agent exists, or fills the database with refusals: unknown ids
 * of checks and refused confirms together, by the token's subject. The counts belong to one process.
 */
export function guessLimit({
  logger,
  monotonic,
}: {
  readonly logger: Logger;
  readonly monotonic: Clock;
}): (subject: string) => Guess {
  const guesses = new RateCounter(monotonic);
  return (subject) => {
    const { inWindow, inLastWindow, endsInMs } = guesses.count(subject);
    if (inWindow === GUESSES_PER_MINUTE_MAX + 1) {
      // The name of the event is from when only checks were limited; alerts match it.
      logger.warn('too many unknown agents and refused confirms', {
        event: 'agent_settlement.unknown_checks_limited',
        subject,
        askedInLastMinute: inLastWindow,
      });
    }
    return { isAnswered: inWindow <= GUESSES_PER_MINUTE_MAX, retryAfterS: Math.ceil(endsInMs / SECOND_MS) };
  };
}
