import { setMaxListeners } from 'node:events';
import type { CallResult } from './agent-caller';

/**
 * Why a drive ended before its plan: the time limit passed, the caller stopped waiting, or the server does not answer.
 */
export type StopReason = 'time_limit' | 'caller' | 'unreachable';

/** A server with this many failures and no answer is not running. With fewer failures it may still be starting. */
const FAILURES_MIN = 10;
/** Each running payment sends a check and a confirm before its first pause. */
const FAILURES_PER_PAYMENT = 2;

export interface DriveStopOptions {
  /** The number of concurrent payments. */
  readonly atOnce: number;
  /** Aborted when the caller no longer waits for the drive. */
  readonly signal?: AbortSignal | undefined;
  /** Without it no limit applies. */
  readonly timeLimitMs?: number | undefined;
}

/** Decides when a drive starts nothing more, and why; the first reason stays. Call `end` when the drive ends. */
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
    // Each pausing payment adds a listener.
    setMaxListeners(0, this.#stopped.signal);
    if (timeLimitMs !== undefined) this.#timer = setTimeout(() => this.#stop('time_limit'), timeLimitMs);
    if (signal?.aborted === true) this.#stop('caller');
    else signal?.addEventListener('abort', this.#callerLeft);
  }

  get reason(): StopReason | undefined {
    return this.#reason;
  }

  /** Aborted as soon as a reason exists. */
  get signal(): AbortSignal {
    return this.#stopped.signal;
  }

  /**
   * Records a result of the drive. A server that has answered once may be restarting, so the drive continues; a server
   * that never answered ends the drive.
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
