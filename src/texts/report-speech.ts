import type { WordList } from './catalog';
import { terminalTexts } from './terminal-texts';

/** The languages of reports and the demo. */
type ReportLanguage = 'en' | 'fr';

/** Translations of what reports and the demo say in English. */
export interface ReportSpeech {
  readonly lang: ReportLanguage;
  /** Returns the translation of a title, a label or a sentence; the English one if it has none. */
  say(english: string): string;
  /** Returns the words for a code of a closed list; the code itself if the list has none, and in English. */
  word(list: WordList, code: string): string;
}

const ENGLISH: ReportSpeech = { lang: 'en', say: (english) => english, word: (_, code) => code };

/** Returns the language of reports and the demo. */
export function reportSpeech(lang: ReportLanguage): ReportSpeech {
  if (lang === 'en') return ENGLISH;
  const { report: say, word } = terminalTexts(lang);
  return { lang, say, word };
}
