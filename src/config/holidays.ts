import { readFileSync } from 'node:fs';
import { AppError, type BusinessDate, describeLineFaults, parseBusinessDate, readCsvTable } from '../kernel';

/**
 * Reads the file of holidays (`date,name`).
 *
 * @throws AppError `misconfigured`, one line that names HOLIDAYS_FILE.
 */
export function loadHolidays(path: string): BusinessDate[] {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    const problem = { field: 'HOLIDAYS_FILE', expected: 'a readable file', got: path };
    throw new AppError('misconfigured', problem, { cause: error });
  }
  const { rows, faults } = readCsvTable(bytes, ['date', 'name']);
  const [fault] = describeLineFaults(faults);
  if (fault !== undefined) {
    throw new AppError('misconfigured', { field: 'HOLIDAYS_FILE', fault: `${path}, ${fault.text}` });
  }
  return rows.map(({ line, values }) => {
    const date = parseBusinessDate(values.date);
    if (date !== undefined) return date;
    throw new AppError('misconfigured', {
      field: 'HOLIDAYS_FILE',
      fault: `${path}, line ${line}: date: expected a date as YYYY-MM-DD`,
    });
  });
}
