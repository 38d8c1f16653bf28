import type { Speech } from '../reporting';
import { isTranslated, texts } from './language';

/** Returns the language of reports and the demo on a terminal; undefined for English, which they have themselves. */
export function terminalSpeech(): Speech | undefined {
  if (!isTranslated()) return undefined;
  const { report, word } = texts();
  return { lang: 'fr', say: report, word };
}

/** Returns the language of reports on a page, where high punctuation stays on the line of its word. */
export function pageSpeech(): Speech | undefined {
  const speech = terminalSpeech();
  if (speech === undefined) return undefined;
  return { ...speech, say: (english) => speech.say(english).replaceAll(/(?<=\S) (?=[:;!?%»])|(?<=«) /g, '\u00a0') };
}
