import { formatDecimal } from '../currencies';
import { type Decimal, equalDecimals } from '../decimal';
import type { ParsedStatement, StatedBalance } from '../parsed-statement';
import { refusalAt } from '../refusal';
import { signed } from './camt-detail';
import type { BalanceDraft, StatementDraft } from './camt-drafts';
import { note } from './camt-entry';

const ONCE_A_DAY = new Set(['OPBD', 'CLBD', 'PRCD']);
const FIRST_PAGE = /^0*1$/;
/** The sub-type that older banks use for the balance between two pages. */
const INTERMEDIATE_SUB_TYPE = 'INTM';

/** Converts a draft to a statement, after its last element was read. */
export function parsedStatement(draft: StatementDraft): ParsedStatement {
  requireOneAmountEach(draft);
  const { page, lastPage } = draft;
  const opening = openingOf(draft);
  const closing = closingOf(draft);
  const currency = currencyOf(draft, opening ?? closing);
  const account = draft.iban === '' ? draft.otherAccount : draft.iban;
  const paged = page !== '' && !(FIRST_PAGE.test(page) && lastPage !== false);
  const number = draft.electronicNumber === '' ? draft.legalNumber : draft.electronicNumber;
  return {
    kind: draft.kind,
    fileLine: draft.fileLine,
    account: account === '' ? undefined : account,
    currency,
    currencies: [...draft.currencies],
    bankId: draft.bankId,
    number: paged ? `${number}/${page}` : number,
    opening: opening && stated(opening, draft, { currency, innerPage: page !== '' && !FIRST_PAGE.test(page) }),
    closing: closing && stated(closing, draft, { currency, innerPage: lastPage === false }),
    totals: draft.totals,
    from: draft.from,
    through: draft.through,
    notes: [...draft.notes].map(([text, line]) => `line ${line}: ${text}`),
  };
}

/** Returns the currency of the account; otherwise that of its balances; otherwise the only one that is named. */
function currencyOf(draft: StatementDraft, balance: BalanceDraft | undefined): string | undefined {
  const [only, another] = draft.currencies;
  return draft.accountCurrency ?? balance?.currency ?? (another === undefined ? only : undefined);
}

function openingOf(draft: StatementDraft): BalanceDraft | undefined {
  return ofType(draft, 'OPBD').at(0) ?? ofType(draft, 'PRCD').at(0) ?? between(draft).opening;
}

function closingOf(draft: StatementDraft): BalanceDraft | undefined {
  return ofType(draft, 'CLBD').at(-1) ?? between(draft).closing;
}

/**
 * Returns the balances between pages, ITBD. An inner page has two, the first page one at its end, and the last page one
 * at its start. A single one does not show which it is.
 */
function between(draft: StatementDraft): { opening?: BalanceDraft | undefined; closing?: BalanceDraft | undefined } {
  const [first, ...others] = ofType(draft, 'ITBD');
  const last = others.at(-1);
  if (last !== undefined) return { opening: first, closing: last };
  const opens = ofType(draft, 'OPBD').length + ofType(draft, 'PRCD').length > 0;
  const closes = ofType(draft, 'CLBD').length > 0;
  return opens === closes ? {} : opens ? { closing: first } : { opening: first };
}

/** Returns the balances of a type, those in the currency of the account if there are any. */
function ofType({ balances, accountCurrency }: StatementDraft, type: string): BalanceDraft[] {
  const all = balances.filter((balance) => balance.type === type);
  const own = all.filter(({ currency }) => currency === accountCurrency);
  return own.length > 0 ? own : all;
}

/**
 * Refuses two different amounts of one type and day, because the right one is unknown. Balances between pages may
 * repeat, because a page may start and end on one day.
 */
function requireOneAmountEach({ balances }: StatementDraft): void {
  const known = new Map<string, Decimal>();
  for (const { type, subType, date, currency, amount, side, fileLine } of balances) {
    const found = amount && signed(amount, side ?? 'credit');
    if (found === undefined || !ONCE_A_DAY.has(type)) continue;
    const key = [type, subType, date, currency].join(' ');
    const earlier = known.get(key);
    if (earlier !== undefined && !equalDecimals(earlier, found)) {
      const expected = `the balance ${type} of ${date ?? 'no date'} as before, ${formatDecimal(earlier, currency)}`;
      throw refusalAt(fileLine, `expected ${expected}, got ${formatDecimal(found, currency)}`);
    }
    known.set(key, found);
  }
}

function stated(
  balance: BalanceDraft,
  draft: StatementDraft,
  at: { readonly currency: string | undefined; readonly innerPage: boolean },
): StatedBalance {
  const { type, subType, date, fileLine, currency } = balance;
  if (currency !== undefined && at.currency !== undefined && currency !== at.currency) {
    note(draft, fileLine, `the balance ${type} is in ${currency}, and the statement is in ${at.currency}`);
  }
  const intermediate = at.innerPage || type === 'ITBD' || subType === INTERMEDIATE_SUB_TYPE;
  return { amount: balanceAmount(balance, draft), date, intermediate };
}

function balanceAmount({ amount, side, type, fileLine }: BalanceDraft, draft: StatementDraft): Decimal {
  if (side === undefined) note(draft, fileLine, `the balance ${type} has no CdtDbtInd and is taken as credit`);
  const found = amount && signed(amount, side ?? 'credit');
  if (found === undefined) throw refusalAt(fileLine, `expected the balance ${type} with Amt, got none`);
  return found;
}
