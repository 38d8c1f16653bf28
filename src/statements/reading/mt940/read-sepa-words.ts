import { trimText } from './trim-text';

const WORD = /(EREF|KREF|MREF|CRED|DEBT|SVWZ|ABWA|ABWE|IBAN|BIC|COAM|OAMT|PURP)\+/g;

/** The word of banks for a missing reference of the payer. */
const NOT_PROVIDED = 'NOTPROVIDED';

/**
 * Returns the parts of `EREF+…MREF+…SVWZ+…` by their words; the first occurrence of a word counts. Empty without any.
 */
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
