import { quoted } from '../../../kernel';
import type { Decimal } from '../decimal';
import { oneLine } from '../one-line';
import type { ParsedLine } from '../parsed-statement';
import { type Problems } from '../problems';
import { parseOfxAmount } from './ofx-amount';
import { parseOfxDate } from './ofx-date';
import { type OfxElement, valueOf } from './ofx-element';

export interface TransactionPlace {
  /** The currency of the account; undefined if the file has not named it yet. */
  readonly currency: string | undefined;
  /** The text of the element, unchanged. */
  readonly raw: string;
  readonly problems: Problems;
  /** Receives a note for people that is no reason to refuse the file. */
  readonly note: (note: () => string) => void;
}

/** A FITID without information: zeros, asterisks, or a word for none. */
const NO_REFERENCE = /^(?:[0*-]*|NONE|NONREF|NOTPROVIDED)$/i;
const NO_CHECK_NUMBER = /^0*$/;
const NEGATIVE_TYPES: ReadonlySet<string> = new Set(['DEBIT', 'CHECK', 'PAYMENT', 'FEE', 'SRVCHG']);

/** Reads a STMTTRN, or a pending STMTTRNP. An unreadable one is a problem and gives no line. */
export function readTransaction(element: OfxElement, place: TransactionPlace): ParsedLine | undefined {
  const fitId = oneLine(valueOf(element, 'FITID'));
  const fault = (expected: string, found: string): void =>
    place.problems.add(
      `line ${element.line}: expected ${expected} in the transaction ${quoted(fitId)}, got ${found === '' ? 'none' : quoted(found)}`,
    );
  if (valueOf(element, 'CORRECTFITID') !== '' || valueOf(element, 'CORRECTACTION') !== '') {
    fault('no correction of an earlier transaction', valueOf(element, 'CORRECTFITID') || 'CORRECTACTION');
    return undefined;
  }
  const pending = element.name === 'STMTTRNP';
  const currency = oneLine(valueOf(element.parts.get('CURRENCY'), 'CURSYM')) || undefined;
  const posted = valueOf(element, 'DTPOSTED') || (pending ? valueOf(element, 'DTTRAN') : '');
  const bookingDate = parseOfxDate(posted);
  if (bookingDate === undefined) fault(`a date (${pending ? 'DTTRAN' : 'DTPOSTED'})`, posted);
  const amountText = valueOf(element, 'TRNAMT');
  const reading = parseOfxAmount(amountText, currency ?? place.currency);
  if (!reading.ok) fault(`${reading.expected} (TRNAMT)`, amountText);
  if (bookingDate === undefined || !reading.ok) return undefined;
  const { amount } = reading;
  if (reading.exact) place.note(() => `line ${element.line}: ${quoted(amountText)} is read with three decimals`);
  noteOddSign(element, amount, place);
  return {
    status: pending ? 'pending' : 'booked',
    fileLine: element.line,
    bookingDate,
    valueDate: valueDateOf(element, place),
    amount,
    currency,
    counterparty: firstText(
      valueOf(element, 'NAME'),
      valueOf(element.parts.get('PAYEE'), 'NAME'),
      valueOf(element, 'EXTDNAME'),
    ),
    counterpartyAccount: firstText(
      valueOf(element.parts.get('BANKACCTTO'), 'ACCTID'),
      valueOf(element.parts.get('CCACCTTO'), 'ACCTID'),
    ),
    remittance: oneLine(valueOf(element, 'MEMO')),
    bankReference: NO_REFERENCE.test(fitId) ? '' : fitId,
    endToEndId: endToEndIdOf(element),
    transactionCode: oneLine(valueOf(element, 'TRNTYPE')),
    details: [],
    balanceAfter: undefined,
    payoutCandidate: undefined,
    raw: place.raw,
  };
}

/** Returns the reference of the payer or the check, the only one beside the bank's own. */
function endToEndIdOf(element: OfxElement): string {
  const checkNumber = oneLine(valueOf(element, 'CHECKNUM'));
  return oneLine(valueOf(element, 'REFNUM')) || (NO_CHECK_NUMBER.test(checkNumber) ? '' : checkNumber);
}

/** Returns the day on which the money is available (DTAVAIL), otherwise the day that the customer chose (DTUSER). */
function valueDateOf(element: OfxElement, { note }: TransactionPlace): ParsedLine['valueDate'] {
  const written = valueOf(element, 'DTAVAIL') || valueOf(element, 'DTUSER');
  const date = parseOfxDate(written);
  if (written !== '' && date === undefined) {
    note(() => `line ${element.line}: the value date ${quoted(written)} is no day`);
  }
  return date;
}

/** Adds a note if the sign and the type disagree. In OFX only the sign counts, but some banks rely on the type. */
function noteOddSign(element: OfxElement, amount: Decimal, { note }: TransactionPlace): void {
  const type = oneLine(valueOf(element, 'TRNTYPE')).toUpperCase();
  if (amount.units > 0n && NEGATIVE_TYPES.has(type)) {
    note(
      () =>
        `line ${element.line}: a ${type} has the amount ${quoted(valueOf(element, 'TRNAMT'))}; it is read as a credit`,
    );
  }
  if (amount.units < 0n && type === 'CREDIT') {
    note(
      () =>
        `line ${element.line}: a CREDIT has the amount ${quoted(valueOf(element, 'TRNAMT'))}; it is read as a debit`,
    );
  }
}

function firstText(...texts: readonly string[]): string {
  return oneLine(texts.find((text) => text !== '') ?? '');
}
