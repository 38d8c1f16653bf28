import { type BusinessCalendar, formatInstant, type Instant, parseBusinessDate, parseInstant } from '../../kernel';

/** A time of the gateway, converted to UTC. */
export interface GatewayTime {
  /** `2026-03-02T08:00:00.000Z`; digits after the milliseconds are dropped. */
  readonly text: string;
  /** The gateway sent no offset, so Millime used the calendar's time zone (open point 3). */
  readonly assumedOffset: boolean;
}

const FORM = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)?$/;

// Date.parse reads 24:00 as the next day, but no clock shows 24:00.
const HOURS_END = '24';

/**
 * Reads a timestamp of the gateway: ISO 8601 with or without an offset (`Z`, `+01:00`, `+0100`, `+01`), with or without
 * seconds, with up to nine fraction digits, and with `T` or a space. Without an offset it is a local time of
 * `calendar`. Returns undefined for any other text and for dates and times that do not exist. Interface conventions,
 * open point 3.
 */
export function decodeTime(value: unknown, calendar: BusinessCalendar): GatewayTime | undefined {
  if (typeof value !== 'string') return undefined;
  const [, day, time, offset] = FORM.exec(value) ?? [];
  if (day === undefined || time === undefined || time >= HOURS_END) return undefined;
  if (parseBusinessDate(day) === undefined) return undefined;
  const written = parseInstant(`${day}T${time}${withMinutes(offset)}`);
  if (written === undefined) return undefined;
  const assumedOffset = offset === undefined;
  return { text: formatInstant(assumedOffset ? fromLocal(written, calendar) : written), assumedOffset };
}

function withMinutes(offset = 'Z'): string {
  return /^[+-]\d{2}$/.test(offset) ? `${offset}:00` : offset;
}

function fromLocal(asUtc: Instant, calendar: BusinessCalendar): Instant {
  // The offset is computed twice: near a clock change the first guess may have the offset of the other side.
  const guess = asUtc - offsetAt(asUtc, calendar);
  return asUtc - offsetAt(guess, calendar);
}

function offsetAt(instant: Instant, calendar: BusinessCalendar): number {
  const local = Date.parse(`${calendar.formatLocal(instant).replace(' ', 'T')}Z`);
  return local - Math.floor(instant / 1_000) * 1_000;
}
