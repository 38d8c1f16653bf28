import type { Information } from './information';
import { readNumberedInformation } from './read-numbered-information';
import { readSepaWords } from './read-sepa-words';
import { readSlashedInformation } from './read-slashed-information';
import { trimText } from './trim-text';

/** The width of a full line. A shorter line was broken between two words, not inside a word. */
const FULL_LINE_CHARACTERS = 65;

/**
 * Reads the lines of a :86: in the structures of banks: numbered parts (`166?00…?20…`), words between slashes
 * (`/EREF/…/REMI/…`), SEPA words (`EREF+…SVWZ+…`), or one text.
 */
export function readInformation(lines: readonly string[]): Information {
  const joined = lines.join('');
  const structured = readNumberedInformation(joined) ?? readSlashedInformation(joined);
  if (structured !== undefined) return structured;
  const words = readSepaWords(joined);
  if (words.size > 0) {
    return {
      counterparty: words.get('ABWA') ?? '',
      counterpartyAccount: words.get('IBAN') ?? '',
      remittance: words.get('SVWZ') ?? trimText(joined),
      endToEndId: words.get('EREF') ?? '',
    };
  }
  return { counterparty: '', counterpartyAccount: '', remittance: freeText(lines), endToEndId: '' };
}

/** Returns the lines as one text. */
export function freeText(lines: readonly string[]): string {
  return trimText(lines.map((line) => (line.length >= FULL_LINE_CHARACTERS ? line : `${line} `)).join(''));
}
