import { isOutsideId, quoted } from '../../../kernel';
import { type AmountReading, parseAmountText } from '../amount-text';
import { exponentOf } from '../currencies';
import type { Decimal } from '../decimal';
import type { ParsedLine, ParsedStatement, StatedBalance } from '../parsed-statement';
import { type Problems } from '../problems';
import type { LabeledValue, StatementProfile } from '../statement-profile';
import type { CsvHeader } from './find-header';
import { findLabeled, findRow, fixedOrFound, type LabeledRow } from './labeled-rows';
import { cellOf } from './row-cells';
import { runningClosing, runningOpening } from './running-balances';
import { withoutSign } from './without-sign';

export interface FactsRequest {
  /** The rows above the header, and the labeled ones below it. */
  readonly around: readonly LabeledRow[];
  readonly header: CsvHeader;
  readonly profile: StatementProfile;
  readonly problems: Problems;
  /** Oldest first. */
  readonly lines: readonly ParsedLine[];
  /** The account that the person gave, otherwise the one in each row. */
  readonly account: string | undefined;
  readonly currency: string | undefined;
}

/** Reads the facts around the lines: account, currency, balances and totals. */
export function readFacts(request: FactsRequest): ParsedStatement {
  const { profile, lines } = request;
  const currency = readCurrency(request);
  return {
    kind: 'statement',
    fileLine: 1,
    account: readAccount(request),
    currency,
    currencies: currency === undefined ? [] : [currency],
    bankId: '',
    number: '',
    opening: statedBalance(readBalance(request, profile.opening) ?? runningOpening(lines, profile)),
    closing: statedBalance(readBalance(request, profile.closing) ?? runningClosing(lines, profile)),
    totals: readTotals(request),
    from: undefined,
    through: undefined,
    notes: [],
  };
}

function statedBalance(amount: Decimal | undefined): StatedBalance | undefined {
  return amount && { amount, date: undefined, intermediate: false };
}

function readAccount({ around, profile, problems, account }: FactsRequest): string | undefined {
  const text = account ?? (profile.account && fixedOrFound(around, profile.account, { what: 'account', problems }));
  if (text === undefined) return undefined;
  const trimmed = text.trim();
  if (!isOutsideId(trimmed)) problems.add(`expected an account, got ${quoted(text)}`);
  return trimmed;
}

function readCurrency({ around, profile, problems, currency }: FactsRequest): string | undefined {
  const text = currency ?? (profile.currency && fixedOrFound(around, profile.currency, { what: 'currency', problems }));
  const code = text?.trim().toUpperCase();
  if (code !== undefined && exponentOf(code) === undefined) {
    problems.add(`expected a currency of ISO 4217, got ${quoted(code)}`);
  }
  return code;
}

function readBalance(request: FactsRequest, wanted: LabeledValue | undefined): Decimal | undefined {
  const found = wanted && findLabeled(request.around, wanted, request.problems);
  if (found === undefined || found.text === '') return undefined;
  return amountOf(found.text, found.line, request);
}

function amountOf(text: string, line: number, request: FactsRequest): Decimal | undefined {
  return taken(parseAmountText(text, request.profile), { text, line, request });
}

function taken(
  reading: AmountReading,
  { text, line, request: { problems } }: { text: string; line: number; request: FactsRequest },
): Decimal | undefined {
  if (reading.ok) return reading.amount;
  problems.add(`line ${line}: expected ${reading.expected}, got ${quoted(text)}`);
  return undefined;
}

function readTotals(request: FactsRequest): ParsedStatement['totals'] {
  const { around, header, profile, problems } = request;
  const row = profile.totals && findRow(around, profile.totals.label, problems);
  const total = (side: 'debit' | 'credit'): Decimal | undefined => {
    const text = row && cellOf(row, header, profile.columns[side]);
    if (row === undefined || text === undefined || text === '') return undefined;
    const reading = withoutSign(parseAmountText(text, profile), side, profile);
    return taken(reading, { text, line: row.line, request });
  };
  return { credits: total('credit'), debits: total('debit') };
}
