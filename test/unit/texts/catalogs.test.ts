import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { PACKAGE_ROOT } from '../../../src/kernel';
import { type Language, LANGUAGES } from '../../../src/texts';
import { languagesOf, NAMESPACES, readCatalog } from '../../../src/texts/catalog';

/** Keys of words and problems are codes, which may end like a plural form. */
const PLURAL = /^(?!words:|problems:|phrases:|reports:|sentences:).*_(zero|one|two|few|many|other)$/;
const withoutPlural = (key: string): string => (PLURAL.test(key) ? key.replace(/_[a-z]+$/, '') : key);

interface Entry {
  /** `namespace:path`, with the end of a plural form. */
  readonly key: string;
  readonly text: string;
}

const namespacesOf = (language: Language) => NAMESPACES.filter((name) => languagesOf(name).includes(language));

/** Returns the texts of a language. `as`: only those of the files that this other language has too. */
const entriesOf = (language: Language, as = language): Entry[] =>
  namespacesOf(as)
    .filter((name) => languagesOf(name).includes(language))
    .flatMap((name) =>
      Object.entries(readCatalog(language, name)).map(([path, text]) => ({ key: `${name}:${path}`, text })),
    );

/** Returns the keys without plural forms, each with the ends of its forms. */
function formsOf(language: Language, as = language): Map<string, string[]> {
  const forms = new Map<string, string[]>();
  for (const { key } of entriesOf(language, as)) {
    const name = withoutPlural(key);
    const end = PLURAL.exec(key)?.[1];
    forms.set(name, [...(forms.get(name) ?? []), ...(end === undefined ? [] : [end])]);
  }
  return forms;
}

/** Returns the holes of each text; the plural forms of a text may leave out its number. */
function holesOf(language: Language, as = language): Map<string, string[]> {
  const holes = new Map<string, Set<string>>();
  for (const { key, text } of entriesOf(language, as)) {
    const name = withoutPlural(key);
    const found = [...text.matchAll(/\{\{(.*?)\}\}/g)].map(([, hole = '']) => hole);
    holes.set(name, new Set([...(holes.get(name) ?? []), ...found]));
  }
  return new Map([...holes].map(([name, found]) => [name, [...found].sort()]));
}

/** Only the command line names commands, and `<values>` of options. */
const ofPages = (key: string, text: string): string => (/^(cli|help|phrases|reports|sentences):/.test(key) ? '' : text);

const textsThat = (language: Language, isWrong: (text: string, key: string) => boolean): string[] =>
  entriesOf(language)
    .filter(({ key, text }) => isWrong(text, key))
    .map(({ key, text }) => `${key}: ${text}`);

describe.each(LANGUAGES)('the texts in %s', (language) => {
  test('have a file for each namespace and no other', () => {
    const files = readdirSync(join(PACKAGE_ROOT, 'assets', 'texts', language));
    expect(files.sort()).toEqual(
      namespacesOf(language)
        .map((name) => `${name}.json`)
        .sort(),
    );
  });

  test('have the keys of the French source', () => {
    expect([...formsOf(language).keys()].sort()).toEqual([...formsOf('fr', language).keys()].sort());
  });

  test('have every plural form of the language', () => {
    const wanted = new Intl.PluralRules(language).resolvedOptions().pluralCategories.toSorted();
    const plurals = [...formsOf(language)].filter(([, ends]) => ends.length > 0);
    expect(plurals.length).toBeGreaterThan(0);
    expect(plurals.filter(([, ends]) => ends.toSorted().join() !== wanted.join())).toEqual([]);
  });

  test('have the holes of the French source', () => {
    expect(Object.fromEntries(holesOf(language))).toEqual(Object.fromEntries(holesOf('fr', language)));
  });

  test('have a number in each text with plural forms', () => {
    const holes = holesOf(language);
    const plurals = [...formsOf(language)].filter(([, ends]) => ends.length > 0);
    expect(plurals.filter(([name]) => holes.get(name)?.includes('count') !== true)).toEqual([]);
  });

  test('have plain names in their holes', () => {
    const odd = [...holesOf(language)].filter(([, names]) => names.some((name) => !/^[a-z][A-Za-z]*$/.test(name)));
    expect(odd).toEqual([]);
  });

  test('are neither empty nor surrounded by spaces', () => {
    expect(textsThat(language, (text) => text.trim() === '' || text.trim() !== text)).toEqual([]);
  });

  test('contain no markup, no reference to another text and no control character', () => {
    expect(
      textsThat(language, (text, key) => /[<>]|&\w+;|\$t\(|[\u0000-\u001f\u007f]/.test(ofPages(key, text))),
    ).toEqual([]);
  });

  test('name no command on pages', () => {
    expect(textsThat(language, (text, key) => /\bmillime [a-z]|--[a-z]/.test(ofPages(key, text)))).toEqual([]);
  });
});

describe('the French texts', () => {
  test('have a no-break space before high punctuation and inside quotation marks', () => {
    const isWrong = (text: string): boolean => {
      const plain = text
        .replaceAll(/\d\d:\d\d(?::\d\d)?|\b(?:day|gateway_clearing|agent|due):(?=\S)/g, '')
        .replaceAll(/`[^`]*`|\S*:\/\/\S*|sqlite:<file>|\{"[^}]*\}|:(?:\d\dF?|\{\{\w\}\}):|\{4:/g, '');
      return /(?:^|[^\u00a0\u202f])[:;!?»%]/.test(plain) || /«(?![\u00a0\u202f])/.test(plain);
    };
    expect(isWrong('oui !')).toBe(true);
    expect(isWrong('à 24:00\u00a0: «\u00a0oui\u00a0»')).toBe(false);
    expect(textsThat('fr', isWrong)).toEqual([]);
  });
});

describe('the English texts', () => {
  test('are American', () => {
    expect(
      textsThat('en', (text) =>
        /colour|behaviour|favour|labell|cheque|catalogue|[a-z]ise[ds]?\b(?<!\b(?:otherwise|raised?|promised?|expertise|likewise))/i.test(
          text,
        ),
      ),
    ).toEqual([]);
  });
});

describe('the Arabic texts', () => {
  test('are written in Arabic letters', () => {
    const names = /^(words:(database|keyAlgorithm|statementFormat)\.|common:(product|language)\b)/;
    const latin = entriesOf('ar').filter(({ key, text }) => !names.test(key) && !/\p{Script=Arabic}/u.test(text));
    expect(latin).toEqual([]);
  });

  test('have Arabic punctuation', () => {
    expect(textsThat('ar', (text) => /[,;?]/.test(text.replaceAll(/\d,\d/g, '')))).toEqual([]);
  });
});
