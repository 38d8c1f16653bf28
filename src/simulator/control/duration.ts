import { AppError } from '../../kernel';

const MS_PER_SECOND = 1_000;
const MS_PER_MINUTE = 60 * MS_PER_SECOND;
const MS_PER_HOUR = 60 * MS_PER_MINUTE;
const MS_PER_DAY = 24 * MS_PER_HOUR;

const DURATION = /^P(?=\d|T\d)(?:(\d{1,4})D)?(?:T(?=\d)(?:(\d{1,6})H)?(?:(\d{1,7})M)?(?:(\d{1,9})S)?)?$/;

/**
 * Reads an ISO 8601 duration of days, hours, minutes and seconds (`PT1H`, `P1DT12H`) as milliseconds. A day of it has 24
 * hours.
 *
 * @throws AppError `bad_input`.
 */
export function readDuration(text: string): number {
  const match = DURATION.exec(text);
  if (match === null) {
    throw new AppError('bad_input', { field: 'by', expected: 'a duration such as PT30M, PT1H or P1DT12H', got: text });
  }
  const [, days = '0', hours = '0', minutes = '0', seconds = '0'] = match;
  return (
    Number(days) * MS_PER_DAY +
    Number(hours) * MS_PER_HOUR +
    Number(minutes) * MS_PER_MINUTE +
    Number(seconds) * MS_PER_SECOND
  );
}
