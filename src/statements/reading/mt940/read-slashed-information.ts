import type { Information } from './information';
import { trimText } from './trim-text';

/** Only these are words, because slashes also occur in references, dates and the bank's own codes. */
const WORD =
  /\/(TRTP|IBAN|BIC|NAME|REMI|EREF|ORDP|BENM|CSID|MARF|CNTP|ISDT|PURP|ULTC|ULTD|ULTB|RTRN|SVCL|PREF|KREF|IREF|RREF|CREF|TRCD|OCMT|CHGS|EXCH|ADDR|OAMT|ID)(?=\/)/g;

const NOT_PROVIDED = 'NOTPROVIDED';
/** Precedes a text without further structure. */
const UNSTRUCTURED = /^USTD\/\//;

/** Reads `/TRTP/…/IBAN/…/NAME/…/REMI/…/EREF/…`. Returns undefined if the text does not start with such a word. */
export function readSlashedInformation(text: string): Information | undefined {
  const found = [...text.matchAll(WORD)];
  const first = found[0];
  if (first === undefined || text.slice(0, first.index).trim() !== '') return undefined;
  const words = new Map<string, string>();
  for (const [index, match] of found.entries()) {
    const word = match[1] ?? '';
    // A word that follows directly shares its slash with this one; then the value is empty.
    const value = text.slice(match.index + match[0].length + 1, found[index + 1]?.index);
    if (!words.has(word)) words.set(word, trimText(withoutSlashesBehind(value)));
  }
  // ING: account, bank, name and town of the other side.
  const [account = '', , name = ''] = (words.get('CNTP') ?? '').split('/');
  const endToEndId = words.get('EREF') ?? '';
  return {
    counterparty: words.get('NAME') || name || words.get('ORDP') || words.get('BENM') || '',
    counterpartyAccount: words.get('IBAN') || account,
    remittance: (words.get('REMI') ?? '').replace(UNSTRUCTURED, '') || trimText(text),
    endToEndId: endToEndId === NOT_PROVIDED ? '' : endToEndId,
  };
}

function withoutSlashesBehind(text: string): string {
  let end = text.length;
  while (end > 0 && (text[end - 1] === '/' || text[end - 1] === ' ')) end -= 1;
  return text.slice(0, end);
}
