import type { Texts } from '../../../texts';

const EVERY_MINUTE = /^\* \* \* \* \*$/;
const HOURLY = /^(\d{1,2}) \* \* \* \*$/;
const DAILY = /^(\d{1,2}) (\d{1,2}) \* \* \*$/;

/** Returns when a job runs in words; its fields as they are if no sentence says it. */
export function scheduleText({ t }: Texts, schedule: string): string {
  if (EVERY_MINUTE.test(schedule)) return t('administration:schedule.minute');
  const [, past] = HOURLY.exec(schedule) ?? [];
  if (past !== undefined) return t('administration:schedule.hour', { minute: past.padStart(2, '0') });
  const [, minute, hour] = DAILY.exec(schedule) ?? [];
  if (minute === undefined || hour === undefined) return schedule;
  return t('administration:schedule.day', { time: `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}` });
}
