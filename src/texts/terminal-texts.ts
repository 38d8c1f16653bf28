import { formatDinars, SECOND_MS } from '../kernel';
import type { WordList } from './catalog';
import type { Language } from './language';
import { type CodedProblem, problemSentence } from './problem-texts';
import { type Translator, translatorOf } from './translate';

/** What the command line writes, in one language. */
export interface TerminalTexts extends Omit<Translator, 'phrase'> {
  /** Returns the label of a code; the code itself if the list has none. */
  word(list: WordList, code: string): string;
  /** Returns what happened and what to do next; undefined if there is no sentence. Days and instants stay ISO 8601. */
  problemDetail(problem: CodedProblem): string | undefined;
  /** Returns what hinders the closing of a day; undefined for an unknown code. */
  obstacle(obstacle: CodedProblem): string | undefined;
  /** Returns the translation of a phrase of an error, or of a sentence; the English one if it has none. */
  phrase(english: string): string;
  /** Returns the translation of what reports and the demo say; the English one if it has none. */
  report(english: string): string;
}

/** Returns the texts of the command line. */
export function terminalTexts(language: Language): TerminalTexts {
  const translator = translatorOf(language, 'terminal');
  const word = (list: WordList, code: string): string => translator.find('words', `${list}.${code}`) ?? code;
  const writer = {
    ...translator,
    word,
    money: (value: number | bigint | string) => formatDinars(BigInt(value)),
    date: (day: string) => day,
    instant: String,
    list: (things: readonly string[]) => things.join(', '),
    duration: (ms: number) => `${ms / SECOND_MS} s`,
  };
  return {
    ...translator,
    word,
    problemDetail: (problem) => problemSentence(writer, 'detail', problem),
    obstacle: ({ code, params }) => problemSentence(writer, 'obstacle', { code, params: inLocalTime(params) }),
    phrase: (english) => translator.phrase(english, 'sentences', 'phrases'),
    report: (english) => translator.phrase(english, 'reports'),
  };
}

/** A day ends at an instant, which a terminal shows in the business time zone. */
function inLocalTime(params: CodedProblem['params']): CodedProblem['params'] {
  const { localTime } = params;
  return localTime === undefined ? params : { ...params, from: localTime };
}
