import { AppError, type BusinessCalendar } from '../kernel';
import type { Load } from './load-store';

export function importRunning({ fileName, startedAt }: Load, calendar: BusinessCalendar): AppError {
  return new AppError('import_running', { fileName, since: calendar.formatLocal(startedAt) });
}
