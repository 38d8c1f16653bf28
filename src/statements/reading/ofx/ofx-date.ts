import { type BusinessDate, parseBusinessDate } from '../../../kernel';

// 20260131, 20260131120000, 20260131120000.000[-5:EST]; some banks write 2026-01-31.
const DATE_TIME =
  /^(\d{4})(-?)(\d{2})\2(\d{2})(?:[ T]?\d{2}(?::?\d{2}(?::?\d{2}(?:[.,]\d{1,6})?)?)?)?\s?(?:\[[^\]]{0,40}\])?Z?$/;

/**
 * Returns the day of an OFX date as the bank writes it: the time and the time zone never shift it. Undefined for other
 * text, and for a day that does not exist.
 */
export function parseOfxDate(text: string): BusinessDate | undefined {
  const [, year = '', , month = '', day = ''] = DATE_TIME.exec(text) ?? [];
  return parseBusinessDate(`${year}-${month}-${day}`);
}
