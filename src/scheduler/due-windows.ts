import { parse } from 'node-cron';
import { addDays, dayOfWeek, type BusinessCalendar, type Instant } from '../kernel';

const MS_PER_MINUTE = 60_000;
const DAYS_BACK_MAX = 40;

/**
 * The instants after `after` up to and with `upTo` at which a schedule (`minute hour day month weekday`, in the business
 * time zone) asks for a run, oldest first. A stretch longer than 40 days is cut at its old end. Pure.
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
    const midnight = calendar.startOf(day);
    for (const hour of fields.hour) {
      for (const minute of fields.minute) windows.push(midnight + (hour * 60 + minute) * MS_PER_MINUTE);
    }
  }
  return windows.filter((window) => window > after && window <= upTo).sort((a, b) => a - b);
}
