import { type BusinessCalendar, formatDinars, parseInstant, parseMillimes, shownText } from '../kernel';

const AMOUNT_NAME = /^(.+)Millimes$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/** Returns a stored fact for people, such as `fee: 1,500 DT` for `feeMillimes`; an instant in the business time zone. */
export function factText(name: string, value: unknown, calendar: Pick<BusinessCalendar, 'formatLocal'>): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const [, amountName] = AMOUNT_NAME.exec(name) ?? [];
  const amount = amountName === undefined ? undefined : parseMillimes(text);
  if (amountName !== undefined && amount !== undefined) return `${amountName}: ${formatDinars(amount)}`;
  return `${name}: ${localInstant(text, calendar) ?? shownText(text)}`;
}

/** Returns a stored instant in the business time zone; undefined for any other text. */
export function localInstant(text: string, calendar: Pick<BusinessCalendar, 'formatLocal'>): string | undefined {
  const instant = INSTANT.test(text) ? parseInstant(text) : undefined;
  return instant === undefined ? undefined : calendar.formatLocal(instant);
}
