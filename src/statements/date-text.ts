import { parseBusinessDate, type BusinessDate } from '../kernel';

const FIELD = /yyyy|yy|mm|dd/g;
const CENTURY = '20';
const KNOWN_DATES_MAX = 1_000;

/** Whether a profile's date format names the day, the month and the year once each: `dd/mm/yyyy`, `yymmdd`. */
export function isDateFormat(format: string): boolean {
  const fields = [...format.matchAll(FIELD)].map(([field]) => field.slice(0, 2)).sort();
  return fields.join() === 'dd,mm,yy';
}

/** Reads a date. Undefined when it is written otherwise, or is a day that never was. */
export type DateReader = (text: string) => BusinessDate | undefined;

/** A reader of the dates that are written in a profile's format. Two digits of a year are of this century. */
export function dateReader(format: string): DateReader {
  const source = format
    .split(/(yyyy|yy|mm|dd)/)
    .map((part) => (/^(yyyy|yy|mm|dd)$/.test(part) ? `(?<${part}>\\d{${part.length}})` : escaped(part)))
    .join('');
  const pattern = new RegExp(`^${source}$`, 'u');
  const read = (text: string): BusinessDate | undefined => {
    const groups = pattern.exec(text.trim())?.groups;
    if (groups === undefined) return undefined;
    const year = groups['yyyy'] ?? `${CENTURY}${groups['yy'] ?? ''}`;
    return parseBusinessDate(`${year}-${groups['mm'] ?? ''}-${groups['dd'] ?? ''}`);
  };
  // A file names few days and names them often.
  const known = new Map<string, BusinessDate | undefined>();
  return (text) => {
    if (known.has(text)) return known.get(text);
    if (known.size >= KNOWN_DATES_MAX) known.clear();
    const date = read(text);
    known.set(text, date);
    return date;
  };
}

function escaped(text: string): string {
  return text.replace(/[^A-Za-z0-9]/g, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}
