import type { BusinessDate, Instant } from '../../kernel';
import type { Stream } from '../match-request';
import type { DayTable } from './day-table';

/** The number of last steps that define the cadence. Older ones may belong to another schedule. */
const STEPS_READ = 12;
/** With fewer steps, the longest one is the cadence. */
const STEPS_FOR_A_CADENCE = 3;
/** The share of the steps that are at most the cadence. Longer steps may include missing payouts. */
const CADENCE_SHARE = { of: 3, in: 4 } as const;
/** With fewer payouts, the order and the delay of bookings are unknown. */
const PAYOUTS_FOR_AN_ORDER = 3;
/** A month of working days. A longer step is a hole and not a cadence. */
const STEP_WORKING_DAYS_MAX = 23;

/** The time of an event: in `(after, until]`. */
export interface Span {
  readonly after: Instant;
  readonly until: Instant;
}

/** The first and the last day on which the bank may book a payout. */
export interface BookingWindow {
  readonly from: BusinessDate;
  readonly until: BusinessDate;
}

/** A payout of a stream that the inference resolved. */
export interface KnownPayout {
  readonly cut: Span;
  readonly bookingDate: BusinessDate;
}

/** Predicts the next payouts of a stream from its earlier ones. */
export class PayoutCadence {
  readonly stream: Stream;
  /** Working days from one booking to the next. */
  readonly stepWorkingDays: number;
  readonly #days: DayTable;
  /** Ordered by the start of their cut intervals. */
  readonly #payouts: readonly KnownPayout[];
  /** For each payout, the first booking among it and all later ones, which may have overtaken it. */
  readonly #firstBookings: readonly BusinessDate[];
  /** Whether bookings are in the order of the cuts. */
  readonly #isInOrder: boolean;
  /** Whether no payout was booked on the day of its cut. */
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

  /** Returns the day on which the bank booked the first payout whose cut was surely later; undefined if none was. */
  passedOn(available: Span): BusinessDate | undefined {
    return this.#firstBookings[this.#payoutsBefore(available.until)];
  }

  /**
   * Returns the day by which the bank should have booked money that became available in a span. It comes with the next
   * payout by the stream's cadence, and at most as late as any payout with a later cut. Without any earlier payout, the
   * cut is expected by the next working day, and the booking one working day later.
   */
  bookedBy(available: Span): BusinessDate {
    const before = this.#payoutsBefore(available.until);
    const day = this.#days.onOrAfter(this.#days.dateOf(available.until));
    const previous = this.#payouts[before - 1];
    const next = previous === undefined ? undefined : this.#days.add(previous.bookingDate, this.stepWorkingDays);
    // The days of missing payouts in between are unknown, so a whole step is allowed from the day itself.
    const expected = next !== undefined && next > day ? next : this.#days.add(day, this.stepWorkingDays + 1);
    const passed = this.#firstBookings[before];
    return passed !== undefined && passed < expected ? passed : expected;
  }

  /**
   * Returns the days on which the bank could book a payout of money that became available in a span, up to the day on
   * which it is due. A booking is at least as late as the earliest one seen for this stream. It does not follow payouts
   * with a later cut, unless the bank mixes them.
   */
  bookingWindow(available: Span, dueOn: BusinessDate): BookingWindow {
    const day = this.#days.dateOf(available.after);
    const passed = this.#isInOrder ? this.passedOn(available) : undefined;
    return {
      from: this.#isBookedLater ? this.#days.next(day) : day,
      until: passed !== undefined && passed < dueOn ? passed : dueOn,
    };
  }

  /** Returns the number of payouts that were cut, or may have been cut, before an instant. */
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

/** Returns the usual step. Two equal steps at the end are a new schedule, even after many shorter ones. */
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
