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
  const text = fieldText(params) ?? fileText(params) ?? knownText(code, params);
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
  if (typeof fault === 'string') return t('cli:error.fault', { field, fault: noticeText(fault) }) + next(fix);
  if (typeof expected !== 'string') return undefined;
  const shown = typeof got === 'string' && got !== '' ? quoted(got) : isScalar(got) ? String(got) : undefined;
  return expectation({ field, wanted: phrase(expected), ...(shown === undefined ? {} : { shown }) }) + next(fix);
}

/** Returns the sentence of a file that is refused as a whole: why, and what to do. */
function fileText({ file, fault, fix }: Params): string | undefined {
  if (typeof file !== 'string' || typeof fault !== 'string') return undefined;
  return t('cli:problem.statements_known', { file: texts().phrase(file), fault: noticeText(fault) }) + next(fix);
}

function isScalar(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

interface Expectation {
  readonly field: string;
  readonly wanted: string;
  /** The given value as it is shown; empty for none. */
  readonly shown?: string | undefined;
}

function expectation({ field, wanted, shown }: Expectation): string {
  if (shown === undefined) return t('cli:error.expected', { field, wanted });
  if (shown === '') return t('cli:error.gotNothing', { field, wanted });
  return t('cli:error.got', { field, wanted, got: shown });
}

function next(fix: unknown): string {
  return typeof fix === 'string' ? ` ; ${texts().phrase(fix)}` : '';
}

/** The parameters that are English of Millime. All others are shown as they are: an id may be a word that has French. */
const SAID: ReadonlySet<string> = new Set(['fault', 'money', 'why', 'fix', 'request', 'file', 'holder']);

/** Returns the sentence of a code: the one of the pages, or the one that only the command line has. */
function knownText(code: string, params: Params): string | undefined {
  const { find, phrase, problemDetail } = texts();
  const values: Record<string, string | number> = {};
  for (const [name, value] of Object.entries(params)) {
    if (typeof value === 'number') values[name] = value;
    else if (typeof value === 'string') {
      values[name] = name === 'thing' ? thingText(value) : SAID.has(name) ? phrase(value) : value;
    } else if (Array.isArray(value)) values[name] = value.map(String).join(', ');
  }
  const own = find('cli', `problem.${code}`);
  if (own === undefined) return problemDetail({ code, params });
  const holes = [...own.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name);
  if (!holes.every((name) => Object.hasOwn(values, name))) return undefined;
  return t(`cli:problem.${code}` as TextKey, values) + (holes.includes('fix') ? '' : next(params['fix']));
}

/** Returns the name of a thing inside a sentence. */
function thingText(thing: string): string {
  const name = word('thing', thing);
  return name.charAt(0).toLowerCase() + name.slice(1);
}

const PLACE =
  /^(?<place>(?:line|row) \d+(?:, column ".*?")?|cell [A-Z]+\d+|column ".*?"|\S+, line \d+(?:, \w+)?): (?<rest>.+)$/s;

/** Translates `line 3: agent_id: is empty`: the place and the name of the field stay. */
function noticeText(text: string): string {
  const { place, rest = text } = PLACE.exec(text)?.groups ?? {};
  const whole = texts().phrase(text);
  if (place === undefined) return whole === text ? sentenceText(text) : whole;
  return whole === text || texts().phrase(rest) !== rest ? sentenceText(rest, placeText(place)) : whole;
}

const EXPECTATION =
  /^(?:(?<field>[^:]+): )?expected (?<expected>.+?), got (?<got>"(?:[^"\\]|\\.)*"|nothing|[\d.]+)(?:; (?<fix>.+))?$/s;

/** Translates the sentence of a field that is English already. */
function sentenceText(text: string, place?: string): string {
  const { phrase } = texts();
  const at = (field?: string): string => [place, field].filter((each) => each !== undefined).join(' : ');
  const { field, expected, got, fix } = EXPECTATION.exec(text)?.groups ?? {};
  if (expected !== undefined && at(field) !== '') {
    return expectation({ field: at(field), wanted: phrase(expected), shown: got === 'nothing' ? '' : got }) + next(fix);
  }
  const whole = phrase(text);
  const [, name, fault = text] = (whole === text ? /^(\S+): (.+)$/s.exec(text) : null) ?? [];
  return at(name) === '' ? whole : t('cli:error.fault', { field: at(name), fault: phrase(fault) });
}

/** Translates a place in a file. */
function placeText(place: string): string {
  const [, line = '', column] = /^(?:line|row) (\d+)(?:, column (.*))?$/s.exec(place) ?? [];
  if (line === '') {
    return place
      .replace(/^cell/, 'cellule')
      .replace(/^column/, 'colonne')
      .replace(/, line (?=\d)/, ', ligne ');
  }
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
