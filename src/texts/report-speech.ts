import type { WordList } from './catalog';
import { terminalTexts } from './terminal-texts';

/** The languages of reports and the demo. */
export type ReportLanguage = 'en' | 'fr';

/** Translations of what reports and the demo say in English. */
export interface ReportSpeech {
  readonly lang: ReportLanguage;
  /** Returns the translation of a title, a label or a sentence; the English one if it has none. */
  say(english: string): string;
  /** Returns the words for a code of a closed list; the code itself if the list has none. */
  word(list: WordList, code: string): string;
}

/** Returns the language of a report on a terminal; undefined for English, which reports have themselves. */
export function terminalSpeech(language: ReportLanguage): ReportSpeech | undefined {
  if (language === 'en') return undefined;
  const { report, word } = terminalTexts(language);
  return { lang: language, say: report, word };
}

/** Returns the language of a report on a page, where high punctuation and the parts of an amount stay on one line. */
export function pageSpeech(language: ReportLanguage): ReportSpeech | undefined {
  const speech = terminalSpeech(language);
  if (speech === undefined) return undefined;
  return {
    ...speech,
    say: (english) => speech.say(english).replaceAll(/(?<=\S) (?=[:;!?%»])|(?<=«) |(?<=\d) (?=\d{3}\D|DT)/g, '\u00a0'),
  };
}
