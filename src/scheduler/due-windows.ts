import { parse } from 'node-cron';
import {
  addDays,
  type BusinessCalendar,
  type BusinessDate,
  DAY_MS,
  dayOfWeek,
  type Instant,
  MINUTE_MS,
} from '../kernel';

const DAYS_BACK_MAX = 40;

/**
 * Returns the windows of a schedule (`minute hour day month weekday`, in the business time zone) after `after` and
 * through `upTo`, oldest first. A day must match both its day field and its weekday field. Of a period longer than 40
 * days only the last 40 are used. Pure.
 */
export function dueWindows(cron: string, after: Instant, upTo: Instant, calendar: BusinessCalendar): Instant[] {
  const fields = parse(cron);
  const windows: Instant[] = [];
  const lastDay = calendar.dateOf(upTo);
  const firstDay = calendar.dateOf(after);
  const earliest = addDays(lastDay, -DAYS_BACK_MAX);
  for (let day = firstDay > earliest ? firstDay : earliest; day <= lastDay; day = addDays(day, 1)) {
    const asked =
      fields.month.includes(Number(day.slice(5, 7))) &&
      fields.dayOfMonth.includes(Number(day.slice(8))) &&
      fields.dayOfWeek.includes(dayOfWeek(day));
    if (!asked) continue;
    const start = calendar.startOf(day);
    // True on nearly every day; it saves a conversion for each minute of a schedule that runs every minute.
    const isPlain = calendar.startOf(addDays(day, 1)) - start === DAY_MS;
    for (const hour of fields.hour) {
      for (const minute of fields.minute) {
        const minuteOfDay = hour * 60 + minute;
        windows.push(isPlain ? start + minuteOfDay * MINUTE_MS : instantOf(day, minuteOfDay, calendar));
      }
    }
  }
  const due = windows.filter((window) => window > after && window <= upTo);
  return [...new Set(due)].sort((a, b) => a - b);
}

/** Splits missed windows: the newest `max` are due, the others are skipped. */
export function newestWindows(
  windows: readonly Instant[],
  max: number,
): { readonly due: readonly Instant[]; readonly passedOver: number } {
  const passedOver = Math.max(0, windows.length - max);
  return { due: windows.slice(passedOver), passedOver };
}

/**
 * Returns the instant of a local time on a day. A time that a clock change skips is computed without the change; of a
 * time that occurs twice, the first counts.
 */
function instantOf(day: BusinessDate, minuteOfDay: number, calendar: BusinessCalendar): Instant {
  const wanted = Date.parse(`${day}T00:00:00Z`) + minuteOfDay * MINUTE_MS;
  const shownAt = (instant: Instant): number => Date.parse(`${calendar.formatLocal(instant).replace(' ', 'T')}Z`);
  const unchanged = calendar.startOf(day) + minuteOfDay * MINUTE_MS;
  const corrected = unchanged + wanted - shownAt(unchanged);
  return shownAt(corrected) === wanted ? corrected : unchanged;
}
