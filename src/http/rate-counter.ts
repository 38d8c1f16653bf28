import { type Clock, type Instant, MINUTE_MS } from '../kernel';

/** Every rate is a number per minute. */
const WINDOW_MS = MINUTE_MS;
const KEYS_MAX = 10_000;

interface Window {
  readonly startedAt: Instant;
  readonly inLastWindow: number;
  inWindow: number;
}

export interface Counted {
  /** The number of events in the current minute, including this one. */
  readonly inWindow: number;
  /** The number of events in the previous minute, if it directly precedes this one. */
  readonly inLastWindow: number;
  readonly endsInMs: number;
}

/**
 * Counts events by minute and by key; a key's minute starts with its first event. Strangers choose the keys, so the
 * number of keys is limited and the oldest is dropped: no caller can fill the memory. It reads the monotonic clock,
 * because a change of the business clock must not change a limit. The counts belong to one process.
 */
export class RateCounter {
  readonly #clock: Clock;
  readonly #keysMax: number;
  readonly #windows = new Map<string, Window>();

  constructor(clock: Clock, keysMax = KEYS_MAX) {
    this.#clock = clock;
    this.#keysMax = keysMax;
  }

  count(key: string): Counted {
    const now = this.#clock.now();
    const window = this.#running(key, now) ?? this.#start(key, now);
    window.inWindow += 1;
    const { inWindow, inLastWindow, startedAt } = window;
    return { inWindow, inLastWindow, endsInMs: startedAt + WINDOW_MS - now };
  }

  /** Returns the number of events in the current minute. */
  soFar(key: string): number {
    return this.#running(key, this.#clock.now())?.inWindow ?? 0;
  }

  #running(key: string, now: Instant): Window | undefined {
    const window = this.#windows.get(key);
    return window !== undefined && now < window.startedAt + WINDOW_MS ? window : undefined;
  }

  #start(key: string, now: Instant): Window {
    const ended = this.#windows.get(key);
    const isNext = ended !== undefined && now < ended.startedAt + 2 * WINDOW_MS;
    const window = { startedAt: now, inWindow: 0, inLastWindow: isNext ? ended.inWindow : 0 };
    // Deleted first, so that the map is ordered by the start of the windows.
    this.#windows.delete(key);
    this.#windows.set(key, window);
    const [oldest] = this.#windows.keys();
    if (this.#windows.size > this.#keysMax && oldest !== undefined) this.#windows.delete(oldest);
    return window;
  }
}
