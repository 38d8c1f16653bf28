import { AppError, DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../kernel';

const DURATION = /^P(?=\d|T\d)(?:(\d{1,4})D)?(?:T(?=\d)(?:(\d{1,6})H)?(?:(\d{1,7})M)?(?:(\d{1,9})S)?)?$/;

/**
 * Reads an ISO 8601 duration of days, hours, minutes and seconds (`PT1H`, `P1DT12H`) as milliseconds. A day counts 24
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
  return Number(days) * DAY_MS + Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS + Number(seconds) * SECOND_MS;
}
