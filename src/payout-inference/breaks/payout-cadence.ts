import type { BusinessDate, Instant } from '../../kernel';
import type { Stream } from '../match-request';
import type { DayTable } from './day-table';

/** The steps that show the cadence: older ones may be of another schedule. */
const STEPS_READ = 12;
/** Below so many steps the longest one is the cadence. */
const STEPS_FOR_A_CADENCE = 3;
/** The share of the steps that are no longer than the cadence: longer ones may be payouts that are missing. */
const CADENCE_SHARE = { of: 3, in: 4 } as const;
/** With fewer payouts it is unknown in which order, or how soon, the bank books them. */
const PAYOUTS_FOR_AN_ORDER = 3;
/** A month of working days; what is longer is a hole and not a cadence. */
const STEP_WORKING_DAYS_MAX = 23;

/** When something happened, as far as is known: in `(after, until]`. */
export interface Span {
  readonly after: Instant;
  readonly until: Instant;
}

/** Days on which the bank may book a payout, first and last. */
export interface BookingWindow {
  readonly from: BusinessDate;
  readonly until: BusinessDate;
}

/** A payout of a stream that was understood. */
export interface KnownPayout {
  readonly cut: Span;
  readonly bookingDate: BusinessDate;
}

/** What the payouts of a stream so far say of those that must come. */
export class PayoutCadence {
  readonly stream: Stream;
  /** Working days from one booking to the next. */
  readonly stepWorkingDays: number;
  readonly #days: DayTable;
  /** By the beginning of their cuts. */
  readonly #payouts: readonly KnownPayout[];
  /** For each payout the first booking of it and of all after it, which may have overtaken it. */
  readonly #firstBookings: readonly BusinessDate[];
  /** No payout was ever booked before one that was cut earlier. */
  readonly #isInOrder: boolean;
  /** No payout was ever booked on the day of its cut. */
  readonly #isBookedLater: boolean;

  constructor(stream: Stream, payouts: readonly KnownPayout[], days: DayTable) {
    this.stream = stream;
    this.#days = days;
    this.#payouts = [...payouts].sort(byCut);
    this.#firstBookings = firstBookings(this.#payouts);
    this.stepWorkingDays = usualStep(payouts, days);
    const isKnown = payouts.length >= PAYOUTS_FOR_AN_ORDER;
    this.#isInOrder = isKnown && this.#payouts.every(({ bookingDate }, at) => bookingDate === this.#firstBookings[at]);
    this.#isBookedLater = isKnown && payouts.every(({ cut, bookingDate }) => bookingDate > days.dateOf(cut.until));
  }

  get everPaid(): boolean {
    return this.#payouts.length > 0;
  }

  /** The day on which the bank booked the first payout whose cut surely came after; undefined while there is none. */
  passedOn(available: Span): BusinessDate | undefined {
    return this.#firstBookings[this.#payoutsBefore(available.until)];
  }

  /**
   * The day by which the bank should have booked what became available then: with the next payout by the stream's
   * cadence, and never later than a payout that was cut later. Without any payout to learn from the cut is expected by
   * the working day after, and the booking on the one that follows.
   */
  bookedBy(available: Span): BusinessDate {
    const before = this.#payoutsBefore(available.until);
    const day = this.#days.onOrAfter(this.#days.dateOf(available.until));
    const previous = this.#payouts[before - 1];
    const next = previous === undefined ? undefined : this.#days.add(previous.bookingDate, this.stepWorkingDays);
    // The days of payouts missing in between are unknown, so a whole step is allowed from the day itself.
    const expected = next !== undefined && next > day ? next : this.#days.add(day, this.stepWorkingDays + 1);
    const passed = this.#firstBookings[before];
    return passed !== undefined && passed < expected ? passed : expected;
  }

  /**
   * The days on which a payout of what became available then could be booked, up to the day on which it is due: not
   * before any payout of this stream ever was, and not after one that was cut later, unless the bank mixes them.
   */
  bookingWindow(available: Span, dueOn: BusinessDate): BookingWindow {
    const day = this.#days.dateOf(available.after);
    const passed = this.#isInOrder ? this.passedOn(available) : undefined;
    return {
      from: this.#isBookedLater ? this.#days.next(day) : day,
      until: passed !== undefined && passed < dueOn ? passed : dueOn,
    };
  }

  /** How many payouts were cut, or may have been, before an instant. */
  #payoutsBefore(instant: Instant): number {
    let low = 0;
    let high = this.#payouts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const payout = this.#payouts[middle];
      if (payout !== undefined && payout.cut.after < instant) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function byCut(a: KnownPayout, b: KnownPayout): number {
  return a.cut.after - b.cut.after || a.cut.until - b.cut.until || compareDates(a.bookingDate, b.bookingDate);
}

function compareDates(a: BusinessDate, b: BusinessDate): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function firstBookings(payouts: readonly KnownPayout[]): BusinessDate[] {
  const bookings = payouts.map(({ bookingDate }) => bookingDate);
  let first = bookings.at(-1);
  for (let index = bookings.length - 1; index >= 0; index -= 1) {
    const booking = bookings[index];
    if (booking === undefined || first === undefined) continue;
    if (booking < first) first = booking;
    bookings[index] = first;
  }
  return bookings;
}

/** Two equal steps at the end are a new schedule, however many shorter ones came before. */
function usualStep(payouts: readonly KnownPayout[], days: DayTable): number {
  const bookings = [...new Set(payouts.map(({ bookingDate }) => bookingDate))].sort().slice(-STEPS_READ - 1);
  const steps = bookings.slice(1).map((booking, index) => {
    const previous = bookings[index];
    const step = previous === undefined ? 1 : days.countBetween(previous, booking);
    return Math.min(Math.max(step, 1), STEP_WORKING_DAYS_MAX);
  });
  const sorted = [...steps].sort((a, b) => a - b);
  const rank =
    sorted.length < STEPS_FOR_A_CADENCE
      ? sorted.length
      : Math.ceil((sorted.length * CADENCE_SHARE.of) / CADENCE_SHARE.in);
  const usual = sorted[rank - 1] ?? 1;
  const [beforeLast, last] = steps.slice(-2);
  return beforeLast === undefined || last === undefined ? usual : Math.max(usual, Math.min(beforeLast, last));
}
