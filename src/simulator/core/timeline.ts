import type { Instant } from '../../kernel';
import type { Simulation } from './simulation';
import type { TimelineEvent } from './world';

/**
 * The actions of events, by kind. A handler that waits for the answer to a webhook delays the timeline, but not
 * incoming calls.
 */
export type TimelineHandlers = Readonly<
  Record<string, (simulation: Simulation, data: TimelineEvent['data']) => void | Promise<void>>
>;

/** The planned events, next one first. */
export class Timeline {
  readonly #events: TimelineEvent[];

  constructor(events: readonly TimelineEvent[] = []) {
    this.#events = [...events].sort(byTime);
  }

  add(event: TimelineEvent): void {
    let low = 0;
    let high = this.#events.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.#events[middle];
      if (other !== undefined && byTime(other, event) <= 0) low = middle + 1;
      else high = middle;
    }
    this.#events.splice(low, 0, event);
  }

  /** Removes and returns the next event if it is due at `instant`. */
  takeDue(instant: Instant): TimelineEvent | undefined {
    const [next] = this.#events;
    return next !== undefined && next.at <= instant ? this.#events.shift() : undefined;
  }

  all(): readonly TimelineEvent[] {
    return this.#events;
  }
}

function byTime(a: TimelineEvent, b: TimelineEvent): number {
  return a.at - b.at || a.order - b.order;
}
