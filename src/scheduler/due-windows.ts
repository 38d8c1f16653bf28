import { parse } from 'node-cron';
import { addDays, dayOfWeek, type BusinessCalendar, type BusinessDate, type Instant } from '../kernel';

const MS_PER_MINUTE = 60_000;
const MS_PER_DAY = 24 * 60 * MS_PER_MINUTE;
const DAYS_BACK_MAX = 40;

/**
 * The instants after `after` up to and with `upTo` at which a schedule (`minute hour day month weekday`, in the business
 * time zone) asks for a run, oldest first. A day must fit both its day field and its weekday field. A stretch longer than
 * 40 days is cut at its old end. Pure.
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
    // On nearly every day, and then it saves a question for each minute of a schedule that runs every minute.
    const isPlain = calendar.startOf(addDays(day, 1)) - start === MS_PER_DAY;
    for (const hour of fields.hour) {
      for (const minute of fields.minute) {
        const minuteOfDay = hour * 60 + minute;
        windows.push(isPlain ? start + minuteOfDay * MS_PER_MINUTE : instantOf(day, minuteOfDay, calendar));
      }
    }
  }
  const due = windows.filter((window) => window > after && window <= upTo);
  return [...new Set(due)].sort((a, b) => a - b);
}

/** Missed windows of a job that makes up `max` of them at most: the newest are done, the others are passed over. */
export function newestWindows(
  windows: readonly Instant[],
  max: number,
): { readonly due: readonly Instant[]; readonly passedOver: number } {
  const passedOver = Math.max(0, windows.length - max);
  return { due: windows.slice(passedOver), passedOver };
}

/**
 * The instant at which clocks show a time of a day. A time that a clock change skips is taken as if clocks had not
 * changed; one that comes twice is the first.
 */
function instantOf(day: BusinessDate, minuteOfDay: number, calendar: BusinessCalendar): Instant {
  const wanted = Date.parse(`${day}T00:00:00Z`) + minuteOfDay * MS_PER_MINUTE;
  const shownAt = (instant: Instant): number => Date.parse(`${calendar.formatLocal(instant).replace(' ', 'T')}Z`);
  const unchanged = calendar.startOf(day) + minuteOfDay * MS_PER_MINUTE;
  const corrected = unchanged + wanted - shownAt(unchanged);
  return shownAt(corrected) === wanted ? corrected : unchanged;
}
