import { AppError, formatInstant, type Clock, type Instant } from '../../kernel';
import { isSimulatedInstant, SIMULATED_TIME_RANGE } from './simulated-time';

/**
 * Where the simulated time comes from.
 *
 * - `flowing`: the machine's clock; advancing shifts it forward for good.
 * - `manual`: stands still until it is advanced.
 * - `file`: the file of CLOCK_FILE, which others write; it cannot be advanced from here.
 */
export type ClockMode = 'flowing' | 'manual' | 'file';

/** What the simulated time is taken from. `problem` is the fault of the last check. */
export interface BaseClock extends Clock {
  readonly problem?: string | undefined;
}

export class SimulatorClock implements Clock {
  readonly mode: ClockMode;
  readonly #base: BaseClock;
  #problem: string | undefined;
  #lastGood: Instant;
  readonly #firstShiftMs: number;
  #shiftMs: number;

  /** @throws AppError `bad_input` for a start that calendars do not reach, `misconfigured` for a file with such a time. */
  constructor(mode: ClockMode, base: BaseClock, startAt?: Instant) {
    this.mode = mode;
    if (mode !== 'file' && startAt !== undefined && !isSimulatedInstant(startAt)) {
      throw new AppError('bad_input', `the simulated time must be ${SIMULATED_TIME_RANGE}`);
    }
    this.#lastGood = base.now();
    if (mode === 'file' && !isSimulatedInstant(this.#lastGood)) {
      throw new AppError('misconfigured', `CLOCK_FILE: the instant must be ${SIMULATED_TIME_RANGE}`);
    }
    // A clock that stands still is one whose base never moves.
    const start = startAt ?? base.now();
    this.#base = mode === 'manual' ? { now: () => start } : base;
    this.#firstShiftMs = mode === 'flowing' && startAt !== undefined ? startAt - base.now() : 0;
    this.#shiftMs = this.#firstShiftMs;
  }

  now(): Instant {
    return this.mode === 'file' ? this.#readFile() : this.#base.now() + this.#shiftMs;
  }

  /** Why the file gave no new time at the last check, in words for people; `undefined` when it did. */
  get problem(): string | undefined {
    return this.#problem;
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

  /** A time that no calendar has would stay for ever, because the simulated time never goes back. */
  #readFile(): Instant {
    const read = this.#base.now();
    // While the file is bad its clock repeats the last instant that it read, which may be one that was not taken here.
    this.#problem =
      this.#base.problem ??
      (isSimulatedInstant(read) ? undefined : `CLOCK_FILE: ${formatInstant(read)} is not ${SIMULATED_TIME_RANGE}`);
    if (this.#problem === undefined) this.#lastGood = read;
    return this.#lastGood;
  }

  /** @throws AppError `conflict` when the time is read from a file. */
  mayBeMoved(): void {
    if (this.mode === 'file') throw new AppError('conflict', 'the time is read from CLOCK_FILE: write the file');
  }
}
