import { addDays, AppError, type BusinessCalendar, type Instant } from '../kernel';
import { dayOption } from './option-values';

interface Days {
  readonly from: string;
  readonly to: string;
}

/**
 * Reads `--from` and `--to`, both days included, as the instants `[from, until)`.
 * @throws AppError `bad_input` if one is not a date, or `--from` is after `--to`.
 */
export function dayWindow(
  days: Days,
  calendar: Pick<BusinessCalendar, 'startOf'>,
): { readonly from: Instant; readonly until: Instant } {
  const from = dayOption('--from', days.from);
  const to = dayOption('--to', days.to);
  if (from === undefined || to === undefined || from > to) {
    throw new AppError('bad_input', { field: '--from', expected: `a date not after ${days.to}`, got: days.from });
  }
  return { from: calendar.startOf(from), until: calendar.startOf(addDays(to, 1)) };
}
