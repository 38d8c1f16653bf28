import { type AppError, type Fault, isAppError, noticeLine, problemText, quoted } from '../kernel';
import type { TextKey } from '../texts';
import { isTranslated, t, texts, word } from './language';

type Params = Readonly<Record<string, unknown>>;

/** Returns the message of any error for people. */
export function errorText(error: Error): string {
  return isAppError(error) ? problemLine(error, error.problem.params) : error.message;
}

/** Returns the message of an error, and what to do, with other parameters than its own. */
export function problemLine({ message, notice, problem: { code, params: own } }: AppError, params: Params): string {
  if (!isTranslated()) return params === own ? message : problemText(code, params);
  const text = fieldText(params) ?? knownText(code, params);
  if (text === undefined) return texts().phrase(message);
  return withCommand(text, typeof params['command'] === 'string' ? params['command'] : notice.command);
}

/** Returns a fault, an obstacle or a warning with its code, and what to do. */
export function faultText(fault: Fault): string {
  const { code, params, text, command } = fault;
  if (!isTranslated()) return noticeLine(fault);
  const coded = code === undefined ? undefined : { code, params: params ?? {} };
  const known = coded === undefined ? undefined : (texts().obstacle(coded) ?? knownText(coded.code, coded.params));
  return withCommand(known ?? noticeText(text), command);
}

/** Returns the sentence of a faulty field: what is expected, what was given, and what to do. */
function fieldText({ field, expected, fault, got, fix }: Params): string | undefined {
  if (typeof field !== 'string') return undefined;
  const { phrase } = texts();
  if (typeof fault === 'string') return t('cli:error.fault', { field, fault: phrase(fault) }) + next(fix);
  if (typeof expected !== 'string') return undefined;
  const shown = typeof got === 'string' && got !== '' ? quoted(got) : isScalar(got) ? String(got) : undefined;
  return expectation({ field, wanted: phrase(expected), ...(shown === undefined ? {} : { shown }) }) + next(fix);
}

function isScalar(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

interface Expectation {
  readonly field: string;
  readonly wanted: string;
  /** The given value as it is shown; empty for none. */
  readonly shown?: string;
}

function expectation({ field, wanted, shown }: Expectation): string {
  if (shown === undefined) return t('cli:error.expected', { field, wanted });
  if (shown === '') return t('cli:error.gotNothing', { field, wanted });
  return t('cli:error.got', { field, wanted, got: shown });
}

function next(fix: unknown): string {
  return typeof fix === 'string' ? ` ; ${texts().phrase(fix)}` : '';
}

/** Returns the sentence of a code: the one of the pages, or the one that only the command line has. */
function knownText(code: string, params: Params): string | undefined {
  const { find, phrase, problemDetail } = texts();
  const values: Record<string, string | number> = { fault: t('cli:error.hasFaults') };
  for (const [name, value] of Object.entries(params)) {
    if (typeof value === 'number') values[name] = value;
    else if (name === 'fault' && typeof value === 'string') values[name] = noticeText(value);
    else if (typeof value === 'string') values[name] = name === 'thing' ? thingText(value) : phrase(value);
    else if (Array.isArray(value)) values[name] = value.map(String).join(', ');
  }
  const own = find('cli', `problem.${code}`);
  if (own === undefined) return problemDetail({ code, params });
  const holes = [...own.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name);
  if (!holes.every((name) => Object.hasOwn(values, name))) return undefined;
  return t(`cli:problem.${code}` as TextKey, values);
}

/** Returns the name of a thing inside a sentence. */
function thingText(thing: string): string {
  const name = word('thing', thing);
  return name.charAt(0).toLowerCase() + name.slice(1);
}

/** Translates `line 3: agent_id: is empty`: the place stays. */
function noticeText(text: string): string {
  const { phrase } = texts();
  const whole = phrase(text);
  if (whole !== text) return whole;
  const [, line, rest = text] = /^line (\d+): (.*)$/s.exec(text) ?? [];
  const sentence = phrasedField(rest);
  return line === undefined ? sentence : t('cli:error.line', { line, text: sentence });
}

const FIELD =
  /^(?<field>[^:]+): expected (?<expected>.+?)(?:, got (?<got>"(?:[^"\\]|\\.)*"|nothing|[\d.]+))?(?:; (?<fix>.+))?$/s;

/** Translates the sentence of a field that is English already. */
function phrasedField(text: string): string {
  const { field, expected, got, fix } = FIELD.exec(text)?.groups ?? {};
  const { phrase } = texts();
  if (field !== undefined && expected !== undefined) {
    const given = got === undefined ? {} : { shown: got === 'nothing' ? '' : got };
    return expectation({ field: placeText(field), wanted: phrase(expected), ...given }) + next(fix);
  }
  const [, name, fault] = /^([\w<>-]+): (.+)$/s.exec(text) ?? [];
  if (name === undefined || fault === undefined) return phrase(text);
  return t('cli:error.fault', { field: name, fault: phrase(fault) });
}

const PLACE = /^(?:line|row) (?<line>\d+)(?:, column (?<column>".*"))?$/;

/** Translates a place in a file; the name of a field stays. */
function placeText(field: string): string {
  const { line, column } = PLACE.exec(field)?.groups ?? {};
  if (line === undefined) return field;
  return column === undefined ? t('cli:error.place', { line }) : t('cli:error.placeInColumn', { line, column });
}

/** Adds what to type. Commands are the same in each language, so only those of an English hint stay. */
function withCommand(text: string, command: string | undefined): string {
  if (command === undefined) return text;
  const translated = texts().phrase(command);
  const named = translated === command && ENGLISH_HINT.test(command) ? command.match(/"millime [^"]*"/g) : null;
  const said = named === null ? translated : t('cli:error.run', { commands: named.join(`, ${t('cli:error.or')} `) });
  return `${text.replace(/\.$/, '')} ; ${said}`;
}

const ENGLISH_HINT = /\b(?:run|with|prints|lists|first|instead|explains|accepts)\b/;
