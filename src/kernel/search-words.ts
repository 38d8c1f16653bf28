import { foldText } from './fold-text';

const ARABIC_ARTICLE = 'ال';
const WORD_LETTERS_MIN = 2;
/** Words are stored and sought by this many characters of them. */
const WORD_CHARACTERS_MAX = 64;
const PHONE_DIGITS_MIN = 4;
const PHONE_TEXT = /^[+\p{Nd}\s().-]+$/u;
const COUNTRY_CODE = /^00216|^216(?=\d{8}$)/;
/** Begins the word of a phone number. A word of a name begins with a letter or a digit. */
const PHONE_MARK = '+';

/** The beginnings of stored words that a search text asks for. */
export interface SoughtWords {
  /** Each must begin a word of the name; empty if none of them has two letters. */
  readonly name: readonly string[];
  /** Must begin a phone number; undefined if the text is not four digits of one. */
  readonly phone: string | undefined;
}

/**
 * Returns the distinct words by which a person is found: the folded words of the name, in Arabic also without the
 * article, and the phone numbers without the country code.
 */
export function searchWordsOf(name: string, phone: string): string[] {
  const names = wordsOf(name).flatMap((word) => [word, withoutArticle(word)]);
  const phones = phone
    .split('/')
    .map(phoneDigits)
    .filter((digits) => digits !== '');
  return [...new Set([...names, ...phones.map((digits) => PHONE_MARK + digits)].map(shortened))];
}

/** Reads a search text. A word that begins another one of the text is left out, because it asks for nothing more. */
export function soughtWords(text: string): SoughtWords {
  const all = [...new Set(wordsOf(text).map((word) => shortened(withoutArticle(word))))];
  const name = all.filter((word) => !all.some((other) => other !== word && other.startsWith(word)));
  const digits = PHONE_TEXT.test(text) ? phoneDigits(text.trim()) : '';
  return {
    name: name.some((word) => Array.from(word).length >= WORD_LETTERS_MIN) ? name : [],
    phone: digits.length >= PHONE_DIGITS_MIN ? shortened(PHONE_MARK + digits) : undefined,
  };
}

function wordsOf(text: string): string[] {
  return foldText(text)
    .split(' ')
    .filter((word) => word !== '');
}

function phoneDigits(phone: string): string {
  const number = phone.trim();
  return foldText(number.startsWith('+') ? `00${number.slice(1)}` : number)
    .replaceAll(/\D/g, '')
    .replace(COUNTRY_CODE, '');
}

function withoutArticle(word: string): string {
  const rest = word.startsWith(ARABIC_ARTICLE) ? word.slice(ARABIC_ARTICLE.length) : '';
  return Array.from(rest).length >= WORD_LETTERS_MIN ? rest : word;
}

function shortened(word: string): string {
  return word.length <= WORD_CHARACTERS_MAX ? word : Array.from(word).slice(0, WORD_CHARACTERS_MAX).join('');
}
