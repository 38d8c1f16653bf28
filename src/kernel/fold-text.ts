const ARABIC_LETTERS: Readonly<Record<string, string>> = { ٱ: 'ا', ى: 'ي', ة: 'ه' };

/**
 * Returns the words of a text in one form, so that differently written texts compare equal: lower case, without accents
 * and vowel signs, with one form of each Arabic letter and Western digits. Everything that is neither a letter nor a
 * digit divides words, and so does an apostrophe that Unicode counts as a letter; one space stands between two.
 */
export function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\p{M}\u0640\u200b-\u200f\u2060\ufeff]/gu, '')
    .toLowerCase()
    .replace(/[ٱىة]/gu, (letter) => ARABIC_LETTERS[letter] ?? letter)
    .replace(/\p{Nd}/gu, westernDigit)
    .replace(/(?:[^\p{L}\p{N}]|[\u02bb\u02bc])+/gu, ' ')
    .trim();
}

/** All but the override U+202E: what it turns around is not read in the order of its characters. */
const DIRECTION_MARKS = /[\u061c\u200b-\u200f\u202a-\u202d\u2060-\u2069\ufeff]/g;

/** Returns a number or a date as people see it: Arabic and Persian digits as Western ones, without invisible marks. */
export function westernDigits(text: string): string {
  if (!/[\u061c-\uffff]/.test(text)) return text;
  return text
    .replace(DIRECTION_MARKS, '')
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 0xf));
}

/** Decimal digits of every script stand in runs of ten from 0 to 9. */
function westernDigit(digit: string): string {
  if (digit <= '9') return digit;
  let value = 0;
  const code = digit.codePointAt(0) ?? 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1;
  return String(value);
}
