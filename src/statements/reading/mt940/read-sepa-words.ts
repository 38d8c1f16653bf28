import { trimText } from './trim-text';

const WORD = /(EREF|KREF|MREF|CRED|DEBT|SVWZ|ABWA|ABWE|IBAN|BIC|COAM|OAMT|PURP)\+/g;

/** What a bank writes where the payer gave no reference. */
const NOT_PROVIDED = 'NOTPROVIDED';

/** The parts of `EREF+…MREF+…SVWZ+…` by their words; the first of a word counts. Empty when there are none. */
export function readSepaWords(text: string): ReadonlyMap<string, string> {
  const words = new Map<string, string>();
  const found = [...text.matchAll(WORD)];
  for (const [index, match] of found.entries()) {
    const word = match[1] ?? '';
    const value = trimText(text.slice(match.index + match[0].length, found[index + 1]?.index));
    if (!words.has(word)) words.set(word, value === NOT_PROVIDED ? '' : value);
  }
  return words;
}
