import type { Information } from './information';
import { readSepaWords } from './read-sepa-words';
import { trimText } from './trim-text';

/**
 * Three digits for the kind of booking, then a separator of the bank's choice and a two-digit number before each part.
 */
const START = /^\s*(?:\d{3})?([?>~@<^|!&%*])\d\d/;

/** The width of a full part. A shorter part was not broken inside a word. */
const FULL_PART_CHARACTERS = 27;

const REMITTANCE = /^(?:2[0-9]|6[0-3])$/;
const NAME = /^3[23]$/;
const ACCOUNT = '31';
/** Polish banks write the whole IBAN here. */
const IBAN = '38';

/** Reads `166?00GUTSCHRIFT?20EREF+…?31…?32…`. Returns undefined for another kind of text. */
export function readNumberedInformation(text: string): Information | undefined {
  const separator = START.exec(text)?.[1];
  if (separator === undefined) return undefined;
  const remittance: string[] = [];
  let name = '';
  let account = '';
  let iban = '';
  let last = '';
  for (const part of text.split(separator).slice(1)) {
    // A separator without a number belongs to the text before it.
    const numbered = /^\d\d/.test(part);
    const number = numbered ? part.slice(0, 2) : last;
    const value = numbered ? part.slice(2) : separator + part;
    last = number;
    if (REMITTANCE.test(number)) remittance.push(value);
    else if (NAME.test(number)) name += value;
    else if (number === ACCOUNT) account += value;
    else if (number === IBAN) iban += value;
  }
  const words = readSepaWords(remittance.join(''));
  return {
    counterparty: trimText(name) || (words.get('ABWA') ?? ''),
    counterpartyAccount: trimText(iban) || trimText(account) || (words.get('IBAN') ?? ''),
    remittance: words.get('SVWZ') ?? textOf(remittance),
    endToEndId: words.get('EREF') ?? '',
  };
}

function textOf(parts: readonly string[]): string {
  return trimText(parts.map((part) => (part.length >= FULL_PART_CHARACTERS ? part : `${part} `)).join(''));
}
