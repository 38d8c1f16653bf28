import type { Catalog } from './catalog';

const HOLE = /\\\{\\\{\w+\\\}\\\}/g;

const patterns = new Map<string, RegExp>();

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
    const values = phrase.includes('{{') ? patternOf(phrase).exec(english)?.groups : undefined;
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

function patternOf(phrase: string): RegExp {
  const pattern = patterns.get(phrase) ?? createPattern(phrase);
  patterns.set(phrase, pattern);
  return pattern;
}

function createPattern(phrase: string): RegExp {
  const escaped = phrase.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll(HOLE, (hole) => `(?<${hole.replaceAll(/\W/g, '')}>.+)`)}$`);
}
