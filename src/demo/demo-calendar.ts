import { addDays, assert, type BusinessDate, businessDate, type Instant, parseInstant, WorkingDays } from '../kernel';

export const DEMO_TIME_ZONE = 'Africa/Tunis';

export const FIRST_DAY = businessDate('2026-03-02');
export const LAST_DAY = businessDate('2026-03-10');

/** The days on which the demo fetches the bank's file: the Friday, and the last day. */
export const BANK_DAYS: readonly BusinessDate[] = [businessDate('2026-03-06'), LAST_DAY];

/** The demo has no holidays. */
const WORKING_DAYS = new WorkingDays([]);

export function isWorkingDay(date: BusinessDate): boolean {
  return WORKING_DAYS.isWorkingDay(date);
}

/** Returns every day of the demo, weekends included. */
export function demoDays(): readonly BusinessDate[] {
  const days: BusinessDate[] = [];
  for (let day = FIRST_DAY; day <= LAST_DAY; day = addDays(day, 1)) days.push(day);
  return days;
}

/** Returns the instant of a local time `HH:MM`; Tunis is UTC+1 all year. */
export function demoInstant(date: BusinessDate, time: string): Instant {
  const instant = parseInstant(`${date}T${time}:00+01:00`);
  assert(instant !== undefined, `not a local time: ${date} ${time}`);
  return instant;
}
