import { AppError, type BusinessDate, parseBusinessDate } from '../kernel';

/** Reads an option that names a day. @throws AppError `bad_input` that names the option. */
export function dayOption(name: string, text: string | undefined): BusinessDate | undefined {
  if (text === undefined) return undefined;
  const date = parseBusinessDate(text);
  if (date !== undefined) return date;
  const isWritten = /^\d{4}-\d{2}-\d{2}$/.test(text);
  const expected = isWritten ? 'an existing date from 1970-01-01 to 2199-12-31' : 'a date as YYYY-MM-DD';
  throw new AppError('bad_input', { field: name, expected, got: text });
}
