import { assert } from '../kernel';
import { type Catalog, languagesOf, type Namespace, readCatalog, type TextKey, type WordList } from './catalog';
import { formatCount } from './formatters';
import type { Language } from './language';
import { mergedPhrases, phraseIn } from './phrases';

/** Values for the holes of a text. `count` also chooses the plural form. Numbers are formatted, texts are inserted as they are. */
export type TextParams = Readonly<Record<string, string | number>>;

/** The texts of one language. */
export interface Translator {
  t(key: TextKey, params?: TextParams): string;
  /** Returns the text of a key that only the running program knows; undefined if there is none. */
  find(namespace: Namespace, path: string): string | undefined;
  /** Returns all texts of a file. */
  all(namespace: Namespace): Catalog;
  /** Returns the translation of English that modules wrote, from these files; otherwise the English. */
  phrase(english: string, ...namespaces: readonly Namespace[]): string;
  /** Returns the codes of a list that have labels, in the order of the files. */
  codes(list: WordList): readonly string[];
}

/** Where texts are read. On a terminal numbers have no groups and spaces are plain, so that scripts can compare and search. */
export type Medium = 'page' | 'terminal';

const translators = new Map<string, Translator>();

/** Returns the translator of a language; each of its files is read once, at its first text. */
export function translatorOf(language: Language, medium: Medium = 'page'): Translator {
  const name = `${language} ${medium}`;
  const translator = translators.get(name) ?? createTranslator(language, medium);
  translators.set(name, translator);
  return translator;
}

const ISOLATE_BEGIN = '\u2068';
const ISOLATE_END = '\u2069';
const HOLE = /\{\{(\w+)\}\}/g;

/**
 * Creates the translator of a language. Values are data: a value such as `{{x}}` or `$t(x)` is inserted unread, and no
 * value is escaped, because pages escape. In Arabic each value is isolated, so that it keeps its own direction.
 */
function createTranslator(language: Language, medium: Medium): Translator {
  const catalogs = new Map<Namespace, Catalog>();
  const catalogOf = (namespace: Namespace): Catalog => {
    const catalog = catalogs.get(namespace) ?? mediumCatalog(readCatalog(language, namespace), medium);
    catalogs.set(namespace, catalog);
    return catalog;
  };
  const merged = new Map<string, Catalog>();
  /** Returns the phrases of several files, so that one of the first may hold one of the second. */
  const phrasesOf = (namespaces: readonly Namespace[]): Catalog => {
    const name = namespaces.join(' ');
    const known = namespaces.filter((each) => languagesOf(each).includes(language));
    const phrases =
      merged.get(name) ?? (known.length === 1 ? catalogOf(known[0] as Namespace) : mergedPhrases(known.map(catalogOf)));
    merged.set(name, phrases);
    return phrases;
  };
  const plurals = new Intl.PluralRules(language);
  const isolated = (value: string): string => (language === 'ar' ? `${ISOLATE_BEGIN}${value}${ISOLATE_END}` : value);
  const shown = (value: string | number): string => {
    if (typeof value === 'number') return medium === 'terminal' ? String(value) : formatCount(value, language);
    return isolated(value);
  };
  return {
    t(key, params = {}) {
      const [ns, path] = splitKey(key);
      const catalog = catalogOf(ns);
      const { count } = params;
      const plural = typeof count === 'number' ? ownText(catalog, `${path}_${plurals.select(count)}`) : undefined;
      const text = plural ?? ownText(catalog, path);
      assert(text !== undefined, `no text ${path} in ${language}`);
      return text.replaceAll(HOLE, (hole, name: string) => {
        const value = params[name];
        assert(value !== undefined, `no value for ${hole} of the text "${text}"`);
        return shown(value);
      });
    },
    find: (namespace, path) => ownText(catalogOf(namespace), path),
    all: catalogOf,
    phrase: (english, ...namespaces) => phraseIn(phrasesOf(namespaces), english, isolated),
    codes: (list) =>
      Object.keys(catalogOf('words'))
        .filter((path) => path.startsWith(`${list}.`))
        .map((path) => path.slice(list.length + 1)),
  };
}

function mediumCatalog(catalog: Catalog, medium: Medium): Catalog {
  if (medium === 'page') return catalog;
  return Object.fromEntries(Object.entries(catalog).map(([path, text]) => [path, text.replaceAll('\u00a0', ' ')]));
}

function splitKey(key: TextKey): [Namespace, string] {
  const colon = key.indexOf(':');
  return [key.slice(0, colon) as Namespace, key.slice(colon + 1)];
}

function ownText(catalog: Catalog, path: string): string | undefined {
  return Object.hasOwn(catalog, path) ? catalog[path] : undefined;
}
