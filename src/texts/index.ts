import { isNamespace, type TextKey, type WordList } from './catalog';
import { createFormatters, type Formatters } from './formatters';
import { type Language } from './language';
import { type CodedProblem, problemSentence } from './problem-texts';
import { type TextParams, translatorOf } from './translate';

export type { TextKey, WordList } from './catalog';
export { isLanguage, LANGUAGES, preferredLanguage, type Language } from './language';
export { factWord, kindOf } from './fact-lists';
export type { CodedProblem } from './problem-texts';
export { mergedPhrases, phraseIn } from './phrases';
export { type ReportSpeech, reportSpeech } from './report-speech';
export { type TerminalTexts, terminalTexts } from './terminal-texts';
export type { TextParams } from './translate';

/** Everything that a page writes, in one language. */
export interface Texts extends Formatters {
  readonly language: Language;
  readonly direction: 'ltr' | 'rtl';
  /**
   * Returns a text. Its result is plain text: the page escapes it.
   *
   * @param params values for its holes; `count` also chooses the plural form.
   */
  t(key: TextKey, params?: TextParams): string;
  /** Returns a text that only the running program can name, such as `breaks:said.assigned`; undefined if there is none. */
  find(key: string): string | undefined;
  /** Returns the label of a code; the code itself if the list has none, as for states that only the gateway defines. */
  word(list: WordList, code: string): string;
  /** Returns the codes of a list, such as the choices of a filter. */
  codes(list: WordList): readonly string[];
  /** Returns the title of a problem; undefined for an unknown code. */
  problemTitle(code: string): string | undefined;
  /** Returns what happened and what to do next; undefined if there is no sentence, so that the English one stays. */
  problemDetail(problem: CodedProblem): string | undefined;
  /** Returns what hinders the closing of a day, and what removes it; undefined for an unknown code. */
  obstacle(obstacle: CodedProblem): string | undefined;
  /** Returns the translation of a sentence that modules write in English; the sentence itself if it has none. */
  sentence(english: string): string;
}

const created = new Map<string, Texts>();

/** Returns the texts of a language; instants are shown in the business time zone. Reads each language's files once. */
export function textsOf(language: Language, timeZone: string): Texts {
  const name = `${language} ${timeZone}`;
  const texts = created.get(name) ?? createTexts(language, timeZone);
  created.set(name, texts);
  return texts;
}

function createTexts(language: Language, timeZone: string): Texts {
  const translator = translatorOf(language);
  const { t, find } = translator;
  const formatters = createFormatters(language, timeZone);
  const word = (list: WordList, code: string): string => find('words', `${list}.${code}`) ?? code;
  const writer = { ...translator, ...formatters, word };
  return {
    ...formatters,
    language,
    direction: language === 'ar' ? 'rtl' : 'ltr',
    t,
    find(key) {
      const [namespace = '', path = ''] = key.split(':');
      return isNamespace(namespace) ? find(namespace, path) : undefined;
    },
    word,
    codes: translator.codes,
    problemTitle: (code) => find('problems', `title.${code}`),
    problemDetail: (problem) => problemSentence(writer, 'detail', problem),
    obstacle: (obstacle) => problemSentence(writer, 'obstacle', obstacle),
    sentence: (english) => translator.phrase(english, 'phrases', 'sentences'),
  };
}
