import { isOutsideId, quoted } from '../../../kernel';
import { parseAmountText } from '../amount-text';
import { currencyOf } from '../currencies';
import { dateReader } from '../date-text';
import type { Decimal } from '../decimal';
import type { ParsedLine, ParsedStatement, StatedBalance } from '../parsed-statement';
import { Problems } from '../problems';
import type { StatementProfile } from '../statement-profile';
import { balanceEnd, type Days } from './balance-end';
import type { CsvHeader } from './find-header';
import { labeledBalance } from './labeled-balance';
import { findLabeled, fixedOrFound, type LabeledRow } from './labeled-rows';
import { cellOf } from './row-cells';
import { withRunning } from './running-balances';
import { withoutSign } from './without-sign';

export interface FactsRequest {
  readonly fileLine: number;
  /** The rows above the lines, and the labeled ones below them. */
  readonly around: readonly LabeledRow[];
  /** The rows above the first heading of the file. */
  readonly preamble: readonly LabeledRow[];
  readonly header: CsvHeader;
  readonly profile: StatementProfile;
  readonly problems: Problems;
  /** Oldest first. */
  readonly lines: readonly ParsedLine[];
  readonly severalAccounts: boolean;
  /** The account in each row. */
  readonly account: string | undefined;
  /** The account that a person gave: it outweighs the profile's, and one of the file that cannot be read. */
  readonly given: string | undefined;
  /** In each row, or beside its amounts. */
  readonly currency: string | undefined;
  readonly notes: readonly string[];
}

/** Reads the facts around the lines: account, currency, balances and totals. */
export function readFacts(request: FactsRequest): ParsedStatement {
  const { profile, lines, fileLine, severalAccounts } = request;
  const seen = new Set<string>(request.currency === undefined ? [] : [request.currency]);
  const totals = readTotals(request, seen);
  const stated = {
    opening: readBalance(request, 'opening', seen),
    closing: readBalance(request, 'closing', seen),
    totals: totals.credits !== undefined && totals.debits !== undefined,
    severalAccounts,
  };
  const { opening, closing } = withRunning(lines, stated, profile);
  const currency = readCurrency(request, seen);
  return {
    kind: 'statement',
    fileLine,
    account: readAccount(request),
    currency,
    currencies: currency === undefined ? [] : [currency],
    bankId: '',
    number: '',
    opening: statedBalance(opening),
    closing: statedBalance(closing),
    totals,
    from: undefined,
    through: undefined,
    notes: request.notes,
  };
}

function statedBalance(amount: Decimal | undefined): StatedBalance | undefined {
  return amount && { amount, date: undefined, intermediate: false };
}

function readAccount(request: FactsRequest): string | undefined {
  const { given, profile } = request;
  if (given === undefined) return accountOfFile(request);
  if (profile.account !== undefined && 'fixed' in profile.account) return given;
  const problems = new Problems();
  const found = accountOfFile({ ...request, problems });
  return problems.isEmpty() ? (found ?? given) : given;
}

function accountOfFile({ around, profile, problems, account }: FactsRequest): string | undefined {
  const text = account ?? (profile.account && fixedOrFound(around, profile.account, problems));
  if (text === undefined) return undefined;
  const trimmed = text.trim();
  if (!isOutsideId(trimmed)) problems.add(`expected an account, got ${quoted(text)}`);
  return trimmed;
}

/** Returns the currency of the profile, or else the one that amounts or a column name. Both must agree. */
function readCurrency(request: FactsRequest, seen: ReadonlySet<string>): string | undefined {
  const { profile, problems } = request;
  const stated = profile.currency && fixedOrFound(currencyRows(request), profile.currency, problems);
  const texts = [...(stated === undefined ? [] : [stated]), ...seen];
  for (const text of texts.filter((each) => currencyOf(each) === undefined)) {
    problems.add(`expected a currency of ISO 4217, got ${quoted(text.toUpperCase())}`);
  }
  const [code, other] = new Set(texts.map((text) => currencyOf(text) ?? text));
  if (profile.unit === 'millimes' && code !== undefined && code !== 'TND') {
    problems.add(`expected TND, because the amounts are in millimes, got ${quoted(code)}`);
  }
  if (other !== undefined) problems.add(`expected one currency, got ${quoted(code ?? '')} and ${quoted(other)}`);
  return code;
}

/** The second account of a file may name its own currency, or leave it to the rows above the first. */
function currencyRows({ around, preamble, profile: { currency } }: FactsRequest): readonly LabeledRow[] {
  if (currency === undefined || 'fixed' in currency) return around;
  return around.some(({ cells }) => cells.some((cell) => currency.label.test(cell.trim()))) ? around : preamble;
}

function readBalance(
  { around, header, profile, problems, lines }: FactsRequest,
  which: 'opening' | 'closing',
  seen: Set<string>,
): Decimal | undefined {
  const wanted = profile[which];
  const readDate = dateReader(profile.dateFormat);
  const days = daysOf(lines);
  const rows = around.filter((row) => {
    const end = balanceEnd(row, days, readDate);
    if (end === 'other' && row.dated && which === 'opening') problems.add(unclearDay(row));
    return end === undefined || end === which;
  });
  const row = wanted && findLabeled(rows, wanted, problems);
  if (wanted === undefined || row === undefined) return undefined;
  const reading = labeledBalance(row, wanted, { header, profile });
  if (!reading.ok) {
    problems.add(reading.fault);
    return undefined;
  }
  if (reading.currency !== undefined) seen.add(reading.currency);
  return reading.amount;
}

function unclearDay({ line, cells }: LabeledRow): string {
  const text = quoted(cells.join(' ').trim());
  return `line ${line}: expected the balance of a day before or after the lines, got ${text}; name its label in otherRows`;
}

function daysOf(lines: readonly ParsedLine[]): Days | undefined {
  const [first, ...others] = lines.map(({ bookingDate }) => bookingDate).sort();
  return first && { first, last: others.at(-1) ?? first };
}

function readTotals(request: FactsRequest, seen: Set<string>): ParsedStatement['totals'] {
  const { around, header, profile, problems } = request;
  const row =
    profile.totals &&
    findLabeled(
      around.filter(({ dated }) => !dated),
      profile.totals,
      problems,
    );
  // With reversals, the bank's total of a column is the sum of neither the debits nor the credits.
  if (row === undefined || profile.reversals) return {};
  const total = (side: 'debit' | 'credit'): Decimal | undefined => {
    const text = cellOf(row, header, profile.columns[side]) ?? '';
    if (text === '') return undefined;
    const reading = withoutSign(parseAmountText(text, profile), side, profile);
    if (reading.ok && reading.currency !== undefined) seen.add(reading.currency);
    if (!reading.ok) problems.add(`line ${row.line}: expected ${reading.expected}, got ${quoted(text)}`);
    return reading.ok ? reading.amount : undefined;
  };
  return { credits: total('credit'), debits: total('debit') };
}
