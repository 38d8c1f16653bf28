import {
  businessCalendar,
  type BusinessDate,
  foldText,
  MINUTE_MS,
  parseBusinessDate,
  westernDigits,
} from '../../kernel';

const ZONE = String.raw`(?:\s?(?<zone>Z|CET|(?:UTC|GMT)?[+-](?:0?\d|1[0-4])(?::?[0-5]\d)?|UTC|GMT))?`;

/**
 * The fields of a date format. `dd` and `mm` are two digits, `d` and `m` one or two, and `mmm` is a month's name. `time`
 * is a time of day, which matters only beside a zone.
 */
const FIELDS = {
  yyyy: String.raw`\d{4}`,
  yy: String.raw`\d{2}`,
  mmm: String.raw`[\p{L}\p{M}]{3,12}\.?`,
  mm: String.raw`\d{2}`,
  m: String.raw`\d{1,2}`,
  dd: String.raw`\d{2}`,
  d: String.raw`\d{1,2}`,
  time: String.raw`(?:[01]\d|2[0-3]|\d):[0-5]\d(?::[0-5]\d(?:[.,]\d{1,9})?)?${ZONE}`,
} as const;
type Field = keyof typeof FIELDS;

// The longer names are first, so that `time` and `mmm` are not read as an `m`.
const FIELD = /(time|yyyy|yy|mmm|mm|m|dd|d)/;
const CENTURY = '20';
/** Banks book by the day here, whatever the zone in which a program writes the time. */
const CALENDAR = businessCalendar('Africa/Tunis');
const KNOWN_DATES_MAX = 1_000;

/** The names and short forms of banks in English, French and Tunisian Arabic. `jui` is June or July, so neither. */
const MONTHS: ReadonlyMap<string, string> = new Map(
  [
    'jan janv january janvier جانفي',
    'feb fev fevr february fevrier فيفري',
    'mar mars march مارس',
    'apr avr april avril أفريل',
    'may mai ماي',
    'jun juin june جوان',
    'jul juil juill july juillet جويلية',
    'aug aou aout august أوت',
    'sep sept september septembre سبتمبر',
    'oct october octobre أكتوبر',
    'nov november novembre نوفمبر',
    'dec december decembre ديسمبر',
  ].flatMap((names, index) =>
    names.split(' ').map((name): [string, string] => [foldText(name), String(index + 1).padStart(2, '0')]),
  ),
);

/**
 * Returns whether a profile's date format names the day, the month and the year once each, and at most a time at its
 * end: `dd/mm/yyyy`, `yymmdd`, `d mmm yyyy`, `yyyy-mm-dd time`.
 */
export function isDateFormat(format: string): boolean {
  const parts = format.split(FIELD);
  const fields = parts.filter(isField);
  const days = fields.filter((field) => field !== 'time').map((field) => field.charAt(0));
  const timeAt = fields.indexOf('time');
  const timeIsLast = timeAt === -1 || (timeAt === fields.length - 1 && format.endsWith('time'));
  return days.sort().join() === 'd,m,y' && timeIsLast && !hasLooseNeighbors(parts);
}

/** Reads a date. Returns undefined for another form, and for a day that does not exist. */
export type DateReader = (text: string) => BusinessDate | undefined;

/** Returns a reader of dates in a profile's format. Two-digit years are of this century. */
export function dateReader(format: string): DateReader {
  const pattern = patternOf(format);
  const read = (text: string): BusinessDate | undefined => {
    const groups = pattern.exec(westernDigits(text).trim())?.groups;
    if (groups === undefined) return undefined;
    const year = groups['yyyy'] ?? `${CENTURY}${groups['yy'] ?? ''}`;
    const month = groups['mmm'] === undefined ? (groups['mm'] ?? groups['m']) : MONTHS.get(foldText(groups['mmm']));
    const day = groups['dd'] ?? groups['d'];
    const date = parseBusinessDate(`${year}-${(month ?? '').padStart(2, '0')}-${(day ?? '').padStart(2, '0')}`);
    const { time = '', zone } = groups;
    return date === undefined || zone === undefined ? date : dayInTunis(date, time, zone);
  };
  // A file names few days, and each of them often.
  const known = new Map<string, BusinessDate | undefined>();
  return (text) => {
    if (known.has(text)) return known.get(text);
    if (known.size >= KNOWN_DATES_MAX) known.clear();
    const date = read(text);
    known.set(text, date);
    return date;
  };
}

/** Returns the day in Tunis of a time of another zone, such as `23:30:00Z` and `23:30 UTC+2`. */
function dayInTunis(date: BusinessDate, time: string, zone: string): BusinessDate {
  const [hour = '', minute = ''] = time.split(':');
  const [, sign, hours, minutes = '0'] = /([+-])(\d\d?):?(\d\d)?$/.exec(zone === 'CET' ? '+01' : zone) ?? [];
  const east = sign === undefined ? 0 : Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes));
  return CALENDAR.dateOf(Date.parse(`${date}T${hour.padStart(2, '0')}:${minute.slice(0, 2)}Z`) - east * MINUTE_MS);
}

/** The patterns of formats that a profile or a proposal used. A proposal tries about a hundred. */
const PATTERNS = new Map<string, RegExp>();

function patternOf(format: string): RegExp {
  const known = PATTERNS.get(format);
  if (known !== undefined) return known;
  const parts = format.split(FIELD).map((part) => (isField(part) ? `(?<${part}>${FIELDS[part]})` : escaped(part)));
  // A bank that writes a time beside the booking day writes none beside a value day.
  const timeAt = parts.findIndex((part) => part.startsWith('(?<time>'));
  const day = parts.slice(0, timeAt === -1 ? parts.length : timeAt - 1).join('');
  const time = parts.slice(day === parts.join('') ? parts.length : timeAt - 1).join('');
  const pattern = new RegExp(`^${day}${time === '' ? '' : `(?:${time})?`}$`, 'u');
  PATTERNS.set(format, pattern);
  return pattern;
}

function isField(part: string): part is Field {
  return Object.hasOwn(FIELDS, part);
}

/** Returns whether a field of one or two digits is beside other digits: `1112026` would be two days. */
function hasLooseNeighbors(parts: readonly string[]): boolean {
  return parts.some((part, index) => {
    const next = parts[index + 2];
    if (!isField(part) || next === undefined || parts[index + 1] !== '') return false;
    return [part, next].some((field) => field === 'd' || field === 'm') && part !== 'mmm' && next !== 'mmm';
  });
}

function escaped(text: string): string {
  return text.replace(/[^A-Za-z0-9]/g, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}
