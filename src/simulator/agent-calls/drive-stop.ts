import { setMaxListeners } from 'node:events';
import type { CallResult } from './agent-caller';

/**
 * Why a drive ended before its plan: its time ended, its caller went away, or the server does not answer.
 */
export type StopReason = 'time_limit' | 'caller' | 'unreachable';

/** A server that failed so often, and never once answered, is not there. Fewer may be one that is just starting. */
const FAILURES_MIN = 10;
/** Each running payment sends a check and a confirm before it first waits. */
const FAILURES_PER_PAYMENT = 2;

export interface DriveStopOptions {
  /** How many payments run concurrently. */
  readonly atOnce: number;
  /** Aborted when the caller no longer waits for the drive. */
  readonly signal?: AbortSignal | undefined;
  /** No limit when not given. */
  readonly timeLimitMs?: number | undefined;
}

/** Says when a drive is to start nothing more, and why: the first reason stands. Call `end` when the drive is over. */
export class DriveStop {
  readonly #stopped = new AbortController();
  readonly #caller: AbortSignal | undefined;
  readonly #timer: NodeJS.Timeout | undefined;
  readonly #failuresMax: number;
  #reason: StopReason | undefined;
  #failures = 0;
  #hasAnswered = false;

  constructor({ atOnce, signal, timeLimitMs }: DriveStopOptions) {
    this.#failuresMax = Math.max(FAILURES_MIN, FAILURES_PER_PAYMENT * atOnce);
    this.#caller = signal;
    // Each payment that pauses listens.
    setMaxListeners(0, this.#stopped.signal);
    if (timeLimitMs !== undefined) this.#timer = setTimeout(() => this.#stop('time_limit'), timeLimitMs);
    if (signal?.aborted === true) this.#stop('caller');
    else signal?.addEventListener('abort', this.#callerLeft);
  }

  get reason(): StopReason | undefined {
    return this.#reason;
  }

  /** Aborted as soon as there is a reason. */
  get signal(): AbortSignal {
    return this.#stopped.signal;
  }

  /**
   * Every result of the drive is told here. A server that has answered once may be away for a while, as one that is
   * restarted on purpose; one that never did is given up.
   */
  hear(result: CallResult<unknown>): void {
    if (result.kind === 'not_connected' || (result.kind === 'failed' && result.status >= 500)) this.#failures += 1;
    else if ('status' in result) this.#hasAnswered = true;
    if (!this.#hasAnswered && this.#failures >= this.#failuresMax) this.#stop('unreachable');
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener('abort', this.#callerLeft);
  }

  readonly #callerLeft = (): void => this.#stop('caller');

  #stop(reason: StopReason): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    this.#stopped.abort();
  }
}
