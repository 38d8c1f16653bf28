import { shownText } from '../kernel';
import type { TextKey, WordList } from './catalog';
import { kindOf } from './fact-lists';
import type { Formatters } from './formatters';
import type { Translator } from './translate';

/** The code of a problem or an obstacle, and its parameters as `AppError` has them. */
export interface CodedProblem {
  readonly code: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** What values of parameters need to be written. */
interface Writer extends Pick<Formatters, 'money' | 'date' | 'instant' | 'list' | 'duration'>, Translator {
  word(list: WordList, code: string): string;
}

/** The parameters whose values are codes. */
const LIST_OF: Readonly<Record<string, WordList>> = {
  scope: 'scope',
  scopes: 'scope',
  resolution: 'resolution',
  outcome: 'proposalOutcome',
  thing: 'thing',
};

/** Numbers that name a thing and count none. */
const PLAIN: ReadonlySet<string> = new Set(['seal', 'expected', 'got']);
const HOLE = /\{\{(\w+)\}\}/g;

/**
 * Returns the sentence of a problem or an obstacle: what happened, and what to do next. Undefined if its code has none,
 * or if a value of the sentence is unknown.
 */
export function problemSentence(
  writer: Writer,
  kind: 'detail' | 'obstacle',
  { code, params }: CodedProblem,
): string | undefined {
  const path = `${kind}.${code}`;
  const text = writer.find('problems', path);
  if (text === undefined) return undefined;
  const values: Record<string, string | number> = {};
  for (const [, name = ''] of text.matchAll(HOLE)) {
    const value = Object.hasOwn(params, name) ? shownValue(writer, name, params[name]) : undefined;
    if (value === undefined) return undefined;
    values[name] = value;
  }
  return writer.t(`problems:${path}` as TextKey, values);
}

function shownValue(writer: Writer, name: string, value: unknown): string | number | undefined {
  if (typeof value === 'number') {
    const kind = kindOf(name, value);
    if (kind === 'duration') return writer.duration(value);
    if (kind === 'amount') return writer.money(value);
    return PLAIN.has(name) ? String(value) : value;
  }
  if (typeof value === 'string') return shownCode(writer, name, value);
  if (!Array.isArray(value)) return undefined;
  return writer.list(value.map((each) => shownCode(writer, name, String(each))));
}

function shownCode(writer: Writer, name: string, value: string): string {
  const list = LIST_OF[name];
  if (list !== undefined && writer.find('words', `${list}.${value}`) !== undefined) return writer.word(list, value);
  // The day that an obstacle ends has the name of an end of a period.
  const kind = kindOf(name === 'from' ? 'at' : name, value);
  if (kind === 'day') return writer.date(value);
  if (kind === 'instant') return writer.instant(value);
  return shownText(value);
}
