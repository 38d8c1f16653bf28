import type { Catalog } from './catalog';

/** The texts of a phrase, and between them the names of its holes. */
type Parts = readonly string[];
const partsOfPhrases = new Map<string, Parts>();

/**
 * Returns the translation of an English phrase; the phrase itself if it has none. A hole of a key, as in
 * `at most {{a}} words`, takes any text, and its translation shows that text. A hole whose name begins with `said`
 * takes a phrase, and its translation shows the translation of that phrase.
 *
 * @param shown how a text is shown in a hole.
 */
export function phraseIn(phrases: Catalog, english: string, shown: (text: string) => string = String): string {
  if (Object.hasOwn(phrases, english)) return phrases[english] ?? english;
  for (const [phrase, translation] of Object.entries(phrases)) {
    const values = phrase.includes('{{') ? valuesIn(partsOf(phrase), english) : undefined;
    if (values !== undefined) {
      return translation.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
        const value = values[name] ?? '';
        return name.startsWith('said') ? phraseIn(phrases, value, shown) : shown(value);
      });
    }
  }
  return english;
}

/**
 * Returns the phrases of several catalogs, the most special first: those that begin with a hole are last, and those with
 * more text of their own are before others.
 */
export function mergedPhrases(catalogs: readonly Catalog[]): Catalog {
  const order = (phrase: string): number =>
    (phrase.startsWith('{{') ? 0 : BEGINS_WITH_TEXT) + phrase.replaceAll(/\{\{\w+\}\}/g, '').length;
  const entries = catalogs.flatMap((catalog) => Object.entries(catalog));
  return Object.fromEntries(entries.sort(([one], [other]) => order(other) - order(one)));
}

const BEGINS_WITH_TEXT = 10_000;

function partsOf(phrase: string): Parts {
  const parts = partsOfPhrases.get(phrase) ?? phrase.split(/\{\{(\w+)\}\}/);
  partsOfPhrases.set(phrase, parts);
  return parts;
}

/**
 * Returns what a sentence has in the holes of a phrase; undefined if it is another sentence. A hole takes a text on one
 * line, the first one as much as possible. Searched from the end, so that a long sentence takes no longer by character.
 */
function valuesIn(parts: Parts, english: string): Readonly<Record<string, string>> | undefined {
  const [first = ''] = parts;
  const last = parts.at(-1) ?? '';
  let end = english.length - last.length;
  if (end <= first.length || !english.startsWith(first) || !english.endsWith(last)) return undefined;
  const values: Record<string, string> = {};
  for (let hole = parts.length - 2; hole > 0; hole -= 2) {
    const before = parts[hole - 1] ?? '';
    const at = hole === 1 ? 0 : english.lastIndexOf(before, end - before.length - 1);
    const value = english.slice(at + before.length, end);
    if (at < 0 || value === '' || /[\n\r\u2028\u2029]/.test(value)) return undefined;
    values[parts[hole] ?? ''] = value;
    end = at;
  }
  return values;
}
