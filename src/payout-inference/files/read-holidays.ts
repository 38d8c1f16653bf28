import type { BusinessDate } from '../../kernel';
import { CsvRows } from './csv-rows';
import type { FaultList } from './fault-list';
import type { InputFile } from './input-file';
import { readDay } from './read-fields';

const COLUMNS = { required: ['date', 'name'] } as const;
/** About twenty a year for two centuries. With a calendar of holidays alone the next working day would be far to seek. */
const HOLIDAYS_MAX = 5_000;

/** Reads `holidays.csv`. What is returned is of use only when no fault was noted. */
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
