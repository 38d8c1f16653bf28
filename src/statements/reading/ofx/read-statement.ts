import { type BusinessDate, quoted } from '../../../kernel';
import { oneLine } from '../one-line';
import type { ParsedStatement, StatedBalance } from '../parsed-statement';
import { type Problems } from '../problems';
import { parseOfxAmount } from './ofx-amount';
import { parseOfxDate } from './ofx-date';
import { type OfxElement, valueOf } from './ofx-element';

export interface StatementPlace {
  /** The currencies that its lines name. */
  readonly lineCurrencies: ReadonlySet<string>;
  readonly problems: Problems;
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

/** Some banks write the element and leave the amount empty. */
function closingOf(statement: OfxElement, place: StatementPlace): StatedBalance | undefined {
  const element = statement.parts.get('LEDGERBAL');
  const written = element?.values.get('BALAMT');
  if (written === undefined || written.text === '') return undefined;
  const reading = parseOfxAmount(written.text, accountCurrency(statement));
  if (!reading.ok) {
    place.problems.add(`line ${written.line}: expected ${reading.expected} (BALAMT), got ${quoted(written.text)}`);
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
