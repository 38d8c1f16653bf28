import { type BusinessCalendar, formatDinars, parseInstant, parseMillimes, shownText } from '../kernel';
import { factWord, kindOf } from '../texts';
import { colon, isTranslated, nameText, t, texts } from './language';

type Calendar = Pick<BusinessCalendar, 'formatLocal'>;

/** Returns a stored fact for people, such as `fee: 1,500 DT` for `feeMillimes`; an instant in the business time zone. */
export function factText(name: string, value: unknown, calendar: Calendar): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const kind = kindOf(name, text);
  const amount = kind === 'amount' ? parseMillimes(text) : undefined;
  const instant = kind === 'instant' ? localInstant(text, calendar) : undefined;
  const shown = amount === undefined ? (instant ?? shownText(text)) : formatDinars(amount);
  if (isTranslated()) return colon(labelOf(name), codeText(name, value) ?? shown);
  return colon(amount === undefined ? name : name.replace(/Millimes$/, ''), shown);
}

/** Returns the label of a fact: the one of the pages about breaks, or the one that only the command line has. */
function labelOf(name: string): string {
  const label = nameText('breaks', 'fact', name);
  return label === name ? nameText('cli', 'fact', name) : label.toLowerCase();
}

function codeText(name: string, value: unknown): string | undefined {
  if (typeof value === 'boolean') return t(value ? 'cli:doctor.yes' : 'cli:doctor.no');
  return typeof value === 'string' ? factWord(texts(), name, value) : undefined;
}

/** Returns a stored instant in the business time zone; undefined for any other text. */
export function localInstant(text: string, calendar: Calendar): string | undefined {
  const instant = parseInstant(text);
  return instant === undefined ? undefined : calendar.formatLocal(instant);
}
