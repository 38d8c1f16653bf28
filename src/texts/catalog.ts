import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type administration from '../../assets/texts/fr/administration.json';
import type agents from '../../assets/texts/fr/agents.json';
import type bank from '../../assets/texts/fr/bank.json';
import type breaks from '../../assets/texts/fr/breaks.json';
import type cli from '../../assets/texts/fr/cli.json';
import type common from '../../assets/texts/fr/common.json';
import type credits from '../../assets/texts/fr/credits.json';
import type days from '../../assets/texts/fr/days.json';
import type morning from '../../assets/texts/fr/morning.json';
import type notifications from '../../assets/texts/fr/notifications.json';
import type payments from '../../assets/texts/fr/payments.json';
import type problems from '../../assets/texts/fr/problems.json';
import type words from '../../assets/texts/fr/words.json';
import { assert, isJsonObject, PACKAGE_ROOT } from '../kernel';
import { type Language, LANGUAGES } from './language';

// The French files are the source: the compiler derives the keys from them. A test compares the other languages.
interface Source {
  administration: typeof administration;
  agents: typeof agents;
  bank: typeof bank;
  breaks: typeof breaks;
  cli: typeof cli;
  common: typeof common;
  credits: typeof credits;
  days: typeof days;
  morning: typeof morning;
  notifications: typeof notifications;
  payments: typeof payments;
  problems: typeof problems;
  words: typeof words;
}

/**
 * Programs read the others by keys that only they know: `help` by the name of a command, `phrases`, `reports` and
 * `sentences` by what modules write in English.
 */
export type Namespace = keyof Source | 'help' | 'phrases' | 'reports' | 'sentences';

/** One file each in `assets/texts/<language>/`. */
export const NAMESPACES = Object.keys({
  administration: 0,
  agents: 0,
  bank: 0,
  breaks: 0,
  cli: 0,
  common: 0,
  credits: 0,
  days: 0,
  help: 0,
  morning: 0,
  notifications: 0,
  payments: 0,
  phrases: 0,
  problems: 0,
  reports: 0,
  sentences: 0,
  words: 0,
} satisfies Record<Namespace, 0>) as readonly Namespace[];

/** The command line speaks French and English. */
const OF_THE_COMMAND_LINE: readonly Namespace[] = ['cli', 'help'];

/** Returns the languages that have a file of texts. */
export function languagesOf(namespace: Namespace): readonly Language[] {
  if (namespace === 'phrases' || namespace === 'reports') return ['fr'];
  if (namespace === 'sentences') return LANGUAGES.filter((each) => each !== 'en');
  return OF_THE_COMMAND_LINE.includes(namespace) ? LANGUAGES.filter((each) => each !== 'ar') : LANGUAGES;
}

/** Returns whether a file of texts has this name. */
export function isNamespace(name: string): name is Namespace {
  return NAMESPACES.some((each) => each === name);
}

/** The ends of the keys of plural forms, by CLDR's names of the forms. */
type PluralEnd = '_zero' | '_one' | '_two' | '_few' | '_many' | '_other';
type WithoutPlural<Key extends string> = Key extends `${infer Start}${PluralEnd}` ? Start : Key;

/** Their keys are codes, which may end like a plural form: `bank_other`. So their texts have no plural forms. */
type OfCodes = 'words' | 'problems';

type KeysIn<Part, Path extends string> = {
  [Key in keyof Part & string]: Part[Key] extends string ? `${Path}${Key}` : KeysIn<Part[Key], `${Path}${Key}.`>;
}[keyof Part & string];

type KeysOf<Name extends keyof Source> = Name extends OfCodes
  ? KeysIn<Source[Name], `${Name}:`>
  : WithoutPlural<KeysIn<Source[Name], `${Name}:`>>;

/** The name of a text: `common:menu.breaks`. A text with plural forms has one name. */
export type TextKey = { [Name in keyof Source]: KeysOf<Name> }[keyof Source];

/** A closed list whose codes have labels in the namespace `words`. */
export type WordList = keyof typeof words;

/** The texts of a file: `{"list": {"empty": "…"}}` as `list.empty`. */
export type Catalog = Readonly<Record<string, string>>;

/** Reads a file of a language. French punctuation gets its no-break spaces. */
export function readCatalog(language: Language, name: Namespace): Catalog {
  const path = join(PACKAGE_ROOT, 'assets', 'texts', language, `${name}.json`);
  const entries = flatTexts(JSON.parse(readFileSync(path, 'utf8')), '');
  return Object.fromEntries(language === 'fr' ? entries.map(unbroken) : entries);
}

type Entry = readonly [path: string, text: string];

/** Keeps high punctuation and quotation marks on the line of their words. */
function unbroken([path, text]: Entry): Entry {
  return [path, text.replaceAll(/(?<=\S) (?=[:;!?%»])|(?<=«) /g, '\u00a0')];
}

function flatTexts(part: unknown, path: string): Entry[] {
  if (typeof part === 'string') return [[path, part]];
  assert(isJsonObject(part), `the text ${path} is neither a text nor an object`);
  return Object.entries(part).flatMap(([key, value]) => flatTexts(value, path === '' ? key : `${path}.${key}`));
}
