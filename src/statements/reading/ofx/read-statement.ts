import { type BusinessDate, quoted } from '../../../kernel';
import { toMinorUnits } from '../currencies';
import { oneLine } from '../one-line';
import type { ParsedStatement, StatedBalance } from '../parsed-statement';
import { parseOfxAmount } from './ofx-amount';
import { parseOfxDate } from './ofx-date';
import { type OfxElement, valueOf } from './ofx-element';

export interface StatementPlace {
  /** The currencies that its lines name. */
  readonly lineCurrencies: ReadonlySet<string>;
  readonly note: (note: () => string) => void;
}

/** Returns the currency of the account (CURDEF); undefined if the file has not named it yet. */
export function accountCurrency(element: OfxElement | undefined): string | undefined {
  return oneLine(valueOf(element, 'CURDEF')) || undefined;
}

/**
 * Reads a STMTRS or a CCSTMTRS. OFX has no opening balance, so nothing can be proven. Its ids (TRNUID) come from the
 * requester, are often 0, and identify no statement.
 */
export function readStatement(element: OfxElement, place: StatementPlace): Omit<ParsedStatement, 'notes'> {
  const currency = accountCurrency(element);
  const currencies = [...new Set([...(currency === undefined ? [] : [currency]), ...place.lineCurrencies])];
  const account = element.parts.get('BANKACCTFROM') ?? element.parts.get('CCACCTFROM');
  const list = element.parts.get('BANKTRANLIST');
  return {
    kind: 'statement',
    fileLine: element.line,
    account: oneLine(valueOf(account, 'ACCTID')) || undefined,
    currency: currencies.length > 1 ? undefined : currencies[0],
    currencies,
    bankId: '',
    number: '',
    opening: undefined,
    closing: closingOf(element, place),
    totals: {},
    from: dayOf(list, 'DTSTART', place),
    through: dayOf(list, 'DTEND', place),
  };
}

/** Returns the balance if its amount is exact. It proves nothing without an opening one, so a faulty one is only noted. */
function closingOf(statement: OfxElement, place: StatementPlace): StatedBalance | undefined {
  const element = statement.parts.get('LEDGERBAL');
  const written = element?.values.get('BALAMT');
  if (written === undefined || written.text === '') return undefined;
  const currency = accountCurrency(statement);
  const reading = parseOfxAmount(written.text, currency);
  if (!reading.ok || (currency !== undefined && !toMinorUnits(reading.amount, currency).ok)) {
    place.note(() => `line ${written.line}: the balance ${quoted(written.text)} is no exact amount and is not read`);
    return undefined;
  }
  if (reading.exact) place.note(() => `line ${written.line}: ${quoted(written.text)} is read with three decimals`);
  return { amount: reading.amount, date: dayOf(element, 'DTASOF', place), intermediate: false };
}

function dayOf(element: OfxElement | undefined, name: string, { note }: StatementPlace): BusinessDate | undefined {
  const written = element?.values.get(name);
  if (written === undefined || written.text === '') return undefined;
  const day = parseOfxDate(written.text);
  if (day === undefined) note(() => `line ${written.line}: ${name} ${quoted(written.text)} is no date`);
  return day;
}
