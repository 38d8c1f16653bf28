import type { BusinessCalendar } from '../kernel';
import { partWords } from './clearing-words';
import { breakWords, channelWords, evidenceWords } from './report-words';

/** The lists of codes that people read in reports, by their names in the catalogs of texts. */
type CodeList =
  | 'ageBand'
  | 'breakClass'
  | 'channel'
  | 'clearingPart'
  | 'creditOutcome'
  | 'evidence'
  | 'evidenceMeaning'
  | 'payoutModel'
  | 'resolution'
  | 'severity';

/** The language in which people read a report. Reports are laid out in English; a caller may translate them. */
export interface Speech {
  /** Of the page, as in HTML. */
  readonly lang: string;
  /** Returns the translation of a title, a label or a sentence. */
  say(english: string): string;
  /** Returns the words for a code of a closed list; the code itself if the list has none. */
  word(list: CodeList, code: string): string;
}

/** Who reads a report. */
export interface Reader {
  readonly calendar: BusinessCalendar;
  readonly speech: Speech;
}

/** English on a terminal, where codes stay as they are stored, because scripts read them. */
export const TERMINAL_ENGLISH: Speech = { lang: 'en', say: (english) => english, word: (_, code) => code };

/** The spaces inside amounts; in French also those beside high punctuation. */
const UNBROKEN = /(?<=\d) (?=\d{3}\D|DT)/g;
const UNBROKEN_IN_FRENCH = /(?<=\S) (?=[:;!?%»])|(?<=«) |(?<=\d) (?=\d{3}\D|DT)/g;

/** Returns the language of a page: no line breaks inside an amount, and codes have words in English too. */
export function onPage({ lang, say, word }: Speech): Speech {
  const isEnglish = lang === 'en';
  return {
    lang,
    say: (english) => say(english).replaceAll(isEnglish ? UNBROKEN : UNBROKEN_IN_FRENCH, '\u00a0'),
    word: isEnglish ? (list, code) => PAGE_WORDS[list]?.(code) ?? code : word,
  };
}

const PAGE_WORDS: Readonly<Partial<Record<CodeList, (code: string) => string>>> = {
  breakClass: breakWords,
  channel: channelWords,
  clearingPart: partWords,
  evidence: evidenceWords,
  evidenceMeaning: evidenceWords,
};

/** The lists of the columns and facts whose cells are codes. */
const LIST_OF: Readonly<Record<string, CodeList>> = {
  ageWorkingDays: 'ageBand',
  breakClass: 'breakClass',
  channel: 'channel',
  class: 'breakClass',
  evidence: 'evidence',
  model: 'payoutModel',
  outcome: 'creditOutcome',
  part: 'clearingPart',
  resolution: 'resolution',
  severity: 'severity',
};

/** The columns and facts whose cells are words or sentences of the report itself. */
const SAID = new Set(['asOf', 'line', 'movement', 'origin', 'proof', 'rule', 'stream']);

/** Returns the text of a cell for people: the words of a code, the translation of a sentence, or the text as it is. */
export function spokenText({ say, word }: Speech, key: string, text: string): string {
  const list = LIST_OF[key];
  if (list !== undefined) return word(list, text);
  // A grade of evidence, or the class of a break.
  if (key === 'explainedBy') return word('breakClass', word('evidence', text));
  // A name has no spaces, a sentence has.
  const isSaid = SAID.has(key) || (key === 'now' && text.includes(' '));
  return isSaid ? say(text) : text;
}
