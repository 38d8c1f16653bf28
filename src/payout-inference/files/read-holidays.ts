import type { BusinessDate } from '../../kernel';
import { CsvRows, type InputFile } from './csv-rows';
import type { FaultList } from './fault-list';
import { readDay } from './read-fields';

const COLUMNS = { required: ['date', 'name'] } as const;
/**
 * About twenty a year for two centuries. If nearly every day were a holiday, a search for the next working day would
 * not end soon.
 */
const HOLIDAYS_MAX = 5_000;

/** Reads `holidays.csv`. The result is valid only if no fault was noted. */
export function readHolidays(file: InputFile, faults: FaultList): BusinessDate[] {
  const rows = new CsvRows(file, COLUMNS, faults);
  const dateColumn = rows.column('date');
  const holidays: BusinessDate[] = [];
  while (rows.next()) {
    const date = readDay(rows, dateColumn);
    if (date !== undefined) holidays.push(date);
    if (holidays.length <= HOLIDAYS_MAX) continue;
    rows.fault(undefined, `more than ${HOLIDAYS_MAX} holidays`);
    break;
  }
  return holidays;
}
