import { parseBusinessDate, type BusinessDate } from '../kernel';

const FIELD = /yyyy|yy|mm|dd/g;
const CENTURY = '20';

/** Whether a profile's date format names the day, the month and the year once each: `dd/mm/yyyy`, `yymmdd`. */
export function isDateFormat(format: string): boolean {
  const fields = [...format.matchAll(FIELD)].map(([field]) => field.slice(0, 2)).sort();
  return fields.join() === 'dd,mm,yy';
}

/** Reads a date written in a profile's format. Undefined when it is written otherwise, or is a day that never was. */
export function parseDateText(text: string, format: string): BusinessDate | undefined {
  const pattern = format
    .split(/(yyyy|yy|mm|dd)/)
    .map((part) => (/^(yyyy|yy|mm|dd)$/.test(part) ? `(?<${part}>\\d{${part.length}})` : escaped(part)))
    .join('');
  const groups = new RegExp(`^${pattern}$`, 'u').exec(text.trim())?.groups;
  if (groups === undefined) return undefined;
  const year = groups['yyyy'] ?? `${CENTURY}${groups['yy'] ?? ''}`;
  return parseBusinessDate(`${year}-${groups['mm'] ?? ''}-${groups['dd'] ?? ''}`);
}

function escaped(text: string): string {
  return text.replace(/[^A-Za-z0-9]/g, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}
