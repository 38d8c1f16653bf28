import { AppError, foldText } from '../kernel';
import type { AgentRecord } from './agent';

const WORD_LETTERS_MIN = 2;
const ID_CHARACTERS_MIN = 3;
const PHONE_DIGITS_MIN = 4;
const PHONE_TEXT = /^[+\p{Nd}\s().-]+$/u;
const COUNTRY_CODE = /^00216|^216(?=\d{8}$)/;
const ARABIC_ARTICLE = 'ال';

/**
 * Returns a test whether a search text means an agent: as the id or its beginning, as the beginning of the phone number
 * with or without the country code, or as the beginnings of words of the name in any order (`foldText`).
 *
 * @throws AppError `bad_input` for a text that is too short to search for.
 */
export function agentMatcher(text: string): (agent: AgentRecord) => boolean {
  const sought = text.trim();
  const digits = PHONE_TEXT.test(sought) ? phoneDigits(sought) : '';
  const words = foldText(sought).split(' ');
  const hasWord = words.some((word) => word.length >= WORD_LETTERS_MIN);
  if (!hasWord && sought.length < ID_CHARACTERS_MIN) {
    const expected = `${WORD_LETTERS_MIN} letters of a name, ${PHONE_DIGITS_MIN} digits of a phone number or an id`;
    throw new AppError('bad_input', { field: 'search text', expected, got: text });
  }
  return ({ agentId, fullName, phone }) =>
    agentId === sought ||
    (sought.length >= ID_CHARACTERS_MIN && agentId.startsWith(sought)) ||
    (digits.length >= PHONE_DIGITS_MIN && phone.split('/').some((each) => phoneDigits(each).startsWith(digits))) ||
    (hasWord && namesAll(words, foldText(fullName).split(' ')));
}

function phoneDigits(phone: string): string {
  return foldText(phone.startsWith('+') ? `00${phone.slice(1)}` : phone)
    .replaceAll(' ', '')
    .replace(COUNTRY_CODE, '');
}

function namesAll(sought: readonly string[], words: readonly string[]): boolean {
  const forms = words.flatMap((word) => [word, withoutArticle(word)]);
  return sought.every((word) => forms.some((form) => form.startsWith(word) || form.startsWith(withoutArticle(word))));
}

function withoutArticle(word: string): string {
  const rest = word.startsWith(ARABIC_ARTICLE) ? word.slice(ARABIC_ARTICLE.length) : '';
  return rest.length >= WORD_LETTERS_MIN ? rest : word;
}
