import { AppError, type Clock, type Instant } from '../../kernel';

/**
 * Where the simulated time comes from.
 *
 * - `flowing`: the machine's clock; advancing shifts it forward for good.
 * - `manual`: stands still until it is advanced.
 * - `file`: the file of CLOCK_FILE, which others write; it cannot be advanced from here.
 */
export type ClockMode = 'flowing' | 'manual' | 'file';

export class SimulatorClock implements Clock {
  readonly mode: ClockMode;
  readonly #base: Clock;
  readonly #firstShiftMs: number;
  #shiftMs: number;

  constructor(mode: ClockMode, base: Clock, startAt?: Instant) {
    this.mode = mode;
    // A clock that stands still is one whose base never moves.
    const start = startAt ?? base.now();
    this.#base = mode === 'manual' ? { now: () => start } : base;
    this.#firstShiftMs = mode === 'flowing' && startAt !== undefined ? startAt - base.now() : 0;
    this.#shiftMs = this.#firstShiftMs;
  }

  now(): Instant {
    return this.#base.now() + this.#shiftMs;
  }

  /**
   * Moves forward; an instant that is past changes nothing.
   *
   * @throws AppError `conflict` when the time is read from a file.
   */
  advanceTo(instant: Instant): void {
    this.mayBeMoved();
    this.#shiftMs += Math.max(0, instant - this.now());
  }

  /** Goes to any instant, back too, for a world that begins anew. A clock that is read from a file stays as it is. */
  setTo(instant: Instant): void {
    if (this.mode !== 'file') this.#shiftMs += instant - this.now();
  }

  /** Back to how it was made. */
  reset(): void {
    this.#shiftMs = this.#firstShiftMs;
  }

  /** @throws AppError `conflict` when the time is read from a file. */
  mayBeMoved(): void {
    if (this.mode === 'file') throw new AppError('conflict', 'the time is read from CLOCK_FILE: write the file');
  }
}
