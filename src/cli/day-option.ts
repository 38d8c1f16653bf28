import { AppError, type BusinessDate, parseBusinessDate } from '../kernel';

/** Reads an option that names a day. @throws AppError `bad_input` that names the option. */
export function dayOption(name: string, text: string | undefined): BusinessDate | undefined {
  if (text === undefined) return undefined;
  const date = parseBusinessDate(text);
  if (date === undefined) throw new AppError('bad_input', { field: name, expected: 'a date as YYYY-MM-DD', got: text });
  return date;
}
