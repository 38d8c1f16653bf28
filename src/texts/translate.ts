import { createInstance } from 'i18next';
import { assert } from '../kernel';
import { type Catalog, type Namespace, NAMESPACES, readCatalog, type TextKey, type WordList } from './catalog';
import { formatCount } from './formatters';
import type { Language } from './language';

/** Values for the holes of a text. `count` also chooses the plural form. Numbers are formatted, texts are inserted as they are. */
export type TextParams = Readonly<Record<string, string | number>>;

/** The texts of one language. */
export interface Translator {
  t(key: TextKey, params?: TextParams): string;
  /** Returns the text of a key that only the running program knows; undefined if there is none. */
  find(namespace: Namespace, path: string): string | undefined;
  /** Returns the codes of a list that have labels, in the order of the files. */
  codes(list: WordList): readonly string[];
}

const translators = new Map<Language, Translator>();

/** Returns the translator of a language; its files are read once. */
export function translatorOf(language: Language): Translator {
  const translator = translators.get(language) ?? createTranslator(language);
  translators.set(language, translator);
  return translator;
}

const ISOLATE_BEGIN = '\u2068';
const ISOLATE_END = '\u2069';

/**
 * Creates the translator of a language. Values are data: a value such as `{{x}}` or `$t(x)` is inserted unread, and no
 * value is escaped, because pages escape. In Arabic each value is isolated, so that it keeps its own direction.
 */
function createTranslator(language: Language): Translator {
  const catalog = readCatalog(language);
  const i18n = createInstance();
  void i18n.init({
    lng: language,
    fallbackLng: false,
    initAsync: false,
    resources: { [language]: catalog },
    ns: [...NAMESPACES],
    keySeparator: false,
    nsSeparator: false,
    interpolation: { escapeValue: false, skipOnVariables: true },
    missingInterpolationHandler: (text: string, match: readonly string[]) => {
      assert(false, `no value for ${match[0] ?? ''} of the text "${text}"`);
    },
    parseMissingKeyHandler: (key: string) => assert(false, `no text ${key} in ${language}`),
  });
  const shown = (value: string | number): string => {
    if (typeof value === 'number') return formatCount(value, language);
    return language === 'ar' ? `${ISOLATE_BEGIN}${value}${ISOLATE_END}` : value;
  };
  return {
    t(key, params = {}) {
      const [ns, path] = splitKey(key);
      const text = ownText(catalog, ns, path);
      // Most texts have no values. Without i18next they take a thirtieth of its time.
      if (text !== undefined && !text.includes('{{')) return text;
      const replace = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, shown(value)]));
      const { count } = params;
      // The values are in `replace`, so that none is read as an option. No text refers to another.
      return i18n.t(path, { ns, replace, nest: false, ...(typeof count === 'number' ? { count } : {}) });
    },
    find: (namespace, path) => ownText(catalog, namespace, path),
    codes: (list) =>
      Object.keys(catalog.words)
        .filter((path) => path.startsWith(`${list}.`))
        .map((path) => path.slice(list.length + 1)),
  };
}

function splitKey(key: TextKey): [Namespace, string] {
  const colon = key.indexOf(':');
  return [key.slice(0, colon) as Namespace, key.slice(colon + 1)];
}

function ownText(catalog: Catalog, namespace: Namespace, path: string): string | undefined {
  return Object.hasOwn(catalog[namespace], path) ? catalog[namespace][path] : undefined;
}
