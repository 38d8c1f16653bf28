import { AppError, type Clock, formatInstant, type Instant } from '../../kernel';
import { isSimulatedInstant, SIMULATED_TIME_RANGE } from './simulated-time';

const EXPECTED = `an instant ${SIMULATED_TIME_RANGE}`;

/**
 * The source of the simulated time.
 *
 * - `flowing`: the machine's clock; advancing shifts it forward.
 * - `manual`: stands still until it is advanced.
 * - `file`: the file of CLOCK_FILE, which other programs write; the simulator cannot advance it.
 */
export type ClockMode = 'flowing' | 'manual' | 'file';

/** The clock behind the simulated time. `problem` is the fault of its last reading. */
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

  /**
   * Creates the clock.
   *
   * @throws AppError `bad_input` for a start outside the calendars, `misconfigured` for a file with such a time.
   */
  constructor(mode: ClockMode, base: BaseClock, startAt?: Instant) {
    this.mode = mode;
    if (mode !== 'file' && startAt !== undefined && !isSimulatedInstant(startAt)) {
      throw new AppError('bad_input', { field: 'startAt', expected: EXPECTED, got: formatInstant(startAt) });
    }
    this.#lastGood = base.now();
    if (mode === 'file' && !isSimulatedInstant(this.#lastGood)) {
      throw new AppError('misconfigured', {
        field: 'CLOCK_FILE',
        expected: EXPECTED,
        got: formatInstant(this.#lastGood),
      });
    }
    // A manual clock has a base that never moves.
    const start = startAt ?? base.now();
    this.#base = mode === 'manual' ? { now: () => start } : base;
    this.#firstShiftMs = mode === 'flowing' && startAt !== undefined ? startAt - base.now() : 0;
    this.#shiftMs = this.#firstShiftMs;
  }

  now(): Instant {
    return this.mode === 'file' ? this.#readFile() : this.#base.now() + this.#shiftMs;
  }

  /** Why the last check of the file returned no new time, in words; `undefined` when it did. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /**
   * Moves forward; a past instant changes nothing.
   *
   * @throws AppError `conflict` when the time is read from a file.
   */
  advanceTo(instant: Instant): void {
    this.mayBeMoved();
    this.#shiftMs += Math.max(0, instant - this.now());
  }

  /** Moves to any instant, also backward, for another world. A clock that is read from a file stays unchanged. */
  setTo(instant: Instant): void {
    if (this.mode !== 'file') this.#shiftMs += instant - this.now();
  }

  /** Returns to the first shift. */
  reset(): void {
    this.#shiftMs = this.#firstShiftMs;
  }

  /**
   * Reads the file and skips a time outside the calendars, which could never be undone because the simulated time never
   * goes back.
   */
  #readFile(): Instant {
    const read = this.#base.now();
    // While the file is unusable, its clock repeats the last instant that it read. That may be an instant that was
    // skipped here.
    this.#problem =
      this.#base.problem ??
      (isSimulatedInstant(read) ? undefined : `CLOCK_FILE: expected ${EXPECTED}, got ${formatInstant(read)}`);
    if (this.#problem === undefined) this.#lastGood = read;
    return this.#lastGood;
  }

  /**
   * Refuses to move a time that is read from a file.
   *
   * @throws AppError `conflict` when the time is read from a file.
   */
  mayBeMoved(): void {
    if (this.mode === 'file') {
      throw new AppError('simulated_state', { fault: 'the time is read from CLOCK_FILE; write that file to move it' });
    }
  }
}
