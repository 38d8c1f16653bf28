import { westernDigits } from './fold-text';

/** The digits of a Tunisian RIB: bank 2, branch 3, account 13 and key 2. */
const RIB = /^\d{20}$/;
/** As many digits as a RIB or an IBAN of it, or one more or less: a mistyped one. */
const ABOUT_A_RIB = /^(?:TN\d{2})?\d{19,21}$/;

// A word, a Tunisian BIC or the first four characters of a Tunisian IBAN may precede the digits. A currency or the name
// of the holder may follow them. Between two digits stand at most three separators, as in `08 - 006`.
const WRITTEN =
  /^(?:(?:RIB|IBAN)(?:\s*:)?\s*)?(?:[A-Z]{4}TN[A-Z\d]{2}(?:[A-Z\d]{3})?\/)?(TN\s?\d\s?\d[\s./-]{0,3})?(\d(?:[\s./-]{0,3}\d){19})(?:[\s./,:;|(–—-]+\p{L}.*|\p{L}{3}.*)?$/iu;
const WRITTEN_CHARACTERS_MAX = 500;
/** The usual groups of a RIB, by the number of digits in each: 2-3-…-2, 5-…-2, fours, and the key or the bank apart. */
const USUAL_GROUPS = /^(?:20|2 3 (?:\d+ )*2|5 (?:\d+ )*2|4 4 4 4 4|18 2|2 18|2 16 2)$/;

/** A spreadsheet writes a long number as 8,00601E+18. */
const SCIENTIFIC = /^\d{1,3}(?:[.,]\d+(?:E\+?\d{1,2})|E\+\d{1,2})(?:\s.*)?$/i;
/** A spreadsheet keeps 15 digits of a number and replaces the others by zeros. */
const ROUNDED = /^0?[1-9]\d{13,14}0{4,5}$/;

/**
 * Returns the canonical name of a bank account, as a file or a person writes it. Quotes, the `="…"` of spreadsheets and
 * invisible characters are removed. A Tunisian RIB or IBAN becomes the 20 digits of the RIB, without separators and
 * without the name of its holder. Every other name stays as it is. Pure.
 */
export function accountName(text: string): string {
  const plain = unwrapped(text);
  if (plain.length > WRITTEN_CHARACTERS_MAX) return plain;
  const [, iban, written] = WRITTEN.exec(plain) ?? [];
  if (written === undefined) return plain;
  const rib = written.replace(/\D/g, '');
  return iban !== undefined || isUsuallyGrouped(written) || hasRightKey(rib) ? rib : plain;
}

/** Returns the ledger's name of an account: its canonical name without spaces. Pure. */
export function accountKey(text: string): string {
  return accountName(text).replace(/\s+/gu, '');
}

/** Returns whether a spreadsheet changed the digits of an account's name, so that the account is unknown. */
export function isChangedBySpreadsheet(name: string): boolean {
  return SCIENTIFIC.test(name) || (ROUNDED.test(name) && name.length >= 19 && !hasRightKey(name));
}

/** Returns why the digits of a name cannot be a Tunisian account; undefined if they can, or if it is another name. */
export function keyFault(name: string): string | undefined {
  if (!ABOUT_A_RIB.test(name) || hasRightKey(name)) return undefined;
  if (!RIB.test(name)) return `expected the 20 digits of a RIB, got ${name.replace(/^TN../, '').length}`;
  const key = 97n - (BigInt(`${name.slice(0, -2)}00`) % 97n);
  return `expected the key ${String(key).padStart(2, '0')}, got ${name.slice(-2)}`;
}

/** Returns whether a name is a RIB with the right key, so that no digit was mistyped. */
export function hasRightKey(name: string): boolean {
  return RIB.test(name) && BigInt(name) % 97n === 0n;
}

/** One of its groups has the text inside the quotes, and the others are empty. */
const QUOTED = /^=?\s*(?:"([^"]*)"|'([^']*)'|“([^”]*)”|«([^»]*)»)$/u;

function unwrapped(text: string): string {
  const plain = westernDigits(text)
    .replace(/\p{Cf}/gu, '')
    .trim();
  const inner = QUOTED.exec(plain)?.slice(1).join('');
  return inner?.trim() ?? plain.replace(/^'(?=\d)/, '');
}

function isUsuallyGrouped(written: string): boolean {
  return USUAL_GROUPS.test(
    written
      .split(/\D+/)
      .map(({ length }) => length)
      .join(' '),
  );
}
