import { type BusinessDate, parseBusinessDate } from '../../kernel';

/**
 * What a date format names: `dd` and `mm` are two digits, `d` and `m` one or two, `mmm` is a month's name, and `time` a
 * time of the day that is read and dropped.
 */
const FIELDS = {
  yyyy: String.raw`\d{4}`,
  yy: String.raw`\d{2}`,
  mmm: String.raw`[\p{L}\p{M}]{3,5}\.?`,
  mm: String.raw`\d{2}`,
  m: String.raw`\d{1,2}`,
  dd: String.raw`\d{2}`,
  d: String.raw`\d{1,2}`,
  time: String.raw`(?:[01]\d|2[0-3]|\d):[0-5]\d(?::[0-5]\d(?:[.,]\d{1,9})?)?`,
} as const;
type Field = keyof typeof FIELDS;

// The longer names come first, so that `time` and `mmm` are not taken for an `m`.
const FIELD = /(time|yyyy|yy|mmm|mm|m|dd|d)/;
const CENTURY = '20';
const KNOWN_DATES_MAX = 1_000;

/** English and French names, as short as banks write them. `jui` is June or July, so French needs its four letters. */
const MONTHS: ReadonlyMap<string, string> = new Map(
  [
    'jan',
    'feb fev',
    'mar',
    'apr avr',
    'may mai',
    'jun juin',
    'jul juil',
    'aug aou',
    'sep',
    'oct',
    'nov',
    'dec',
  ].flatMap((names, index) =>
    names.split(' ').map((name): [string, string] => [name, String(index + 1).padStart(2, '0')]),
  ),
);

/**
 * Whether a profile's date format names the day, the month and the year once each, and at most a time at its end:
 * `dd/mm/yyyy`, `yymmdd`, `d mmm yyyy`, `yyyy-mm-dd time`.
 */
export function isDateFormat(format: string): boolean {
  const parts = format.split(FIELD);
  const fields = parts.filter(isField);
  const days = fields.filter((field) => field !== 'time').map((field) => field.charAt(0));
  const timeAt = fields.indexOf('time');
  const timeIsLast = timeAt === -1 || (timeAt === fields.length - 1 && format.endsWith('time'));
  return days.sort().join() === 'd,m,y' && timeIsLast && !hasLooseNeighbors(parts);
}

/** Reads a date. Undefined when it is written otherwise, or is a day that never was. */
export type DateReader = (text: string) => BusinessDate | undefined;

/** A reader of the dates that are written in a profile's format. Two digits of a year are of this century. */
export function dateReader(format: string): DateReader {
  const source = format
    .split(FIELD)
    .map((part) => (isField(part) ? `(?<${part}>${FIELDS[part]})` : escaped(part)))
    .join('');
  const pattern = new RegExp(`^${source}$`, 'u');
  const read = (text: string): BusinessDate | undefined => {
    const groups = pattern.exec(text.trim())?.groups;
    if (groups === undefined) return undefined;
    const year = groups['yyyy'] ?? `${CENTURY}${groups['yy'] ?? ''}`;
    const month = groups['mmm'] === undefined ? (groups['mm'] ?? groups['m']) : monthOf(groups['mmm']);
    const day = groups['dd'] ?? groups['d'];
    return parseBusinessDate(`${year}-${(month ?? '').padStart(2, '0')}-${(day ?? '').padStart(2, '0')}`);
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

function isField(part: string): part is Field {
  return Object.hasOwn(FIELDS, part);
}

/** Whether one digit or two stand beside other digits: `1112026` would be two days. */
function hasLooseNeighbors(parts: readonly string[]): boolean {
  return parts.some((part, index) => {
    const next = parts[index + 2];
    if (!isField(part) || next === undefined || parts[index + 1] !== '') return false;
    return [part, next].some((field) => field === 'd' || field === 'm') && part !== 'mmm' && next !== 'mmm';
  });
}

function monthOf(name: string): string | undefined {
  const plain = name.normalize('NFD').replace(/[\p{M}.]/gu, '');
  return MONTHS.get(plain.toLowerCase());
}

function escaped(text: string): string {
  return text.replace(/[^A-Za-z0-9]/g, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}
