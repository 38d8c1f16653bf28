import { assert, type BusinessCalendar, type Instant, MINUTE_MS, parseInstant } from '../../kernel';

/**
 * Writes an instant as the gateway does: ISO 8601 in the calendar's local time with its offset, such as
 * `2026-03-02T08:00:00.000+01:00` (conventions of the interface).
 */
export function gatewayTimestamp(instant: Instant, calendar: BusinessCalendar): string {
  const local = calendar.formatLocal(instant).replace(' ', 'T');
  const asUtc = parseInstant(`${local}Z`);
  assert(asUtc !== undefined, 'a calendar prints times that can be read back');
  const fraction = ((instant % 1_000) + 1_000) % 1_000;
  const offsetMinutes = Math.round((asUtc - (instant - fraction)) / MINUTE_MS);
  return `${local}.${String(fraction).padStart(3, '0')}${offsetText(offsetMinutes)}`;
}

function offsetText(minutes: number): string {
  const size = Math.abs(minutes);
  const hours = String(Math.floor(size / 60)).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${hours}:${String(size % 60).padStart(2, '0')}`;
}
