import type { BusinessDate } from '../../kernel';
import { addDecimals, type Decimal, equalDecimals, subtractDecimals, ZERO_DECIMAL } from './decimal';
import type { AmountOfLine } from './extreme-amounts';
import type { ParsedStatement, StatedBalance } from './parsed-statement';
import { describeRemark, type LineSums, type StatementVerdict } from './prove-statement';
import type { ScannedStatement } from './scan-bank-file';

/** A statement with all of its pages. */
export interface WholeStatement extends Omit<ParsedStatement, 'opening' | 'closing' | 'totals'> {
  readonly verdict: StatementVerdict;
  readonly opening: Decimal | undefined;
  readonly closing: Decimal | undefined;
  /** Of the booked lines only. */
  readonly booked: LineSums;
  readonly pendingEntries: number;
  readonly linesDigest: string;
  readonly extremes: readonly AmountOfLine[];
  /** The number of its pages in the file. */
  readonly pages: number;
}

/**
 * Joins the pages of each statement. A page that ends with an intermediate balance (62M, or a page that is not the
 * last) continues with the next page of the same account that begins with the same balance. Pages that do not fit stay
 * separate.
 */
export function joinPages(scanned: readonly ScannedStatement[]): WholeStatement[] {
  const whole: { statement: WholeStatement; last: ScannedStatement }[] = [];
  for (const page of scanned) {
    const before = whole.at(-1);
    if (before !== undefined && goesOn(before.last, page)) {
      whole[whole.length - 1] = { statement: joined(before.statement, page), last: page };
    } else {
      whole.push({ statement: onePage(page), last: page });
    }
  }
  return whole.map(({ statement }) => statement);
}

function goesOn({ parsed: before }: ScannedStatement, { parsed: next }: ScannedStatement): boolean {
  if (before.kind !== next.kind || before.account !== next.account || before.currency !== next.currency) return false;
  if (isFinal(before.closing) || isFinal(next.opening)) return false;
  if (before.closing !== undefined && next.opening !== undefined) {
    return equalDecimals(before.closing.amount, next.opening.amount);
  }
  return isNextPage(before.number, next.number);
}

function isFinal(balance: StatedBalance | undefined): boolean {
  return balance !== undefined && !balance.intermediate;
}

/**
 * Compares `12/1` and `12/2`: if the bank states no balance between pages, its own numbers show that one follows the
 * other.
 */
function isNextPage(before: string, next: string): boolean {
  const [, number, page] = /^(.*)\/0*(\d{1,9})$/.exec(before) ?? [];
  const [, nextNumber, nextPage] = /^(.*)\/0*(\d{1,9})$/.exec(next) ?? [];
  return number !== undefined && number === nextNumber && Number(page) + 1 === Number(nextPage);
}

/**
 * The lines of an interim report are only announced, even those that it calls booked: the next statement books them.
 */
function onePage({ parsed, proof, linesDigest, extremes }: ScannedStatement): WholeStatement {
  const isInterim = parsed.kind === 'interim';
  const booked = isInterim ? NO_LINES : proof.booked;
  const remark = describeRemark(proof);
  const { kind, account, currency, currencies, bankId, number, opening, closing, notes, fileLine } = parsed;
  return {
    kind,
    account,
    currency,
    currencies,
    bankId,
    number,
    verdict: isInterim ? 'no-proof' : proof.verdict,
    opening: opening?.amount,
    closing: closing?.amount,
    booked,
    pendingEntries: proof.all.entries - booked.entries,
    // The dates of the balances, because a period may be that of the request and lie partly in the future.
    from: parsed.from ?? opening?.date,
    through: closing?.date ?? parsed.through,
    notes: remark === '' ? notes : [...notes, remark],
    linesDigest,
    extremes,
    fileLine,
    pages: 1,
  };
}

const NO_LINES: LineSums = {
  entries: 0,
  credits: ZERO_DECIMAL,
  debits: ZERO_DECIMAL,
  firstDate: undefined,
  lastDate: undefined,
};

function joined(before: WholeStatement, page: ScannedStatement): WholeStatement {
  const next = onePage(page);
  const booked = addSums(before.booked, next.booked);
  return {
    ...before,
    currencies: [...new Set([...before.currencies, ...next.currencies])],
    verdict: verdictOf(before, next, booked),
    closing: next.closing,
    booked,
    pendingEntries: before.pendingEntries + next.pendingEntries,
    from: before.from ?? next.from,
    through: next.through ?? before.through,
    notes: [...before.notes, ...next.notes],
    linesDigest: `${before.linesDigest}/${next.linesDigest}`,
    extremes: [...before.extremes, ...next.extremes],
    pages: before.pages + 1,
  };
}

function verdictOf(before: WholeStatement, next: WholeStatement, booked: LineSums): StatementVerdict {
  if (before.kind === 'interim') return 'no-proof';
  if (before.verdict === 'unbalanced' || next.verdict === 'unbalanced') return 'unbalanced';
  if (before.opening === undefined || next.closing === undefined) return 'no-proof';
  const computed = subtractDecimals(addDecimals(before.opening, booked.credits), booked.debits);
  return equalDecimals(computed, next.closing) ? 'ok' : 'unbalanced';
}

function addSums(a: LineSums, b: LineSums): LineSums {
  return {
    entries: a.entries + b.entries,
    credits: addDecimals(a.credits, b.credits),
    debits: addDecimals(a.debits, b.debits),
    firstDate: earliest(a.firstDate, b.firstDate),
    lastDate: latest(a.lastDate, b.lastDate),
  };
}

function earliest(a: BusinessDate | undefined, b: BusinessDate | undefined): BusinessDate | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return a < b ? a : b;
}

function latest(a: BusinessDate | undefined, b: BusinessDate | undefined): BusinessDate | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return a > b ? a : b;
}
