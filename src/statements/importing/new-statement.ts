import {
  accountKey,
  AppError,
  type BusinessDate,
  isChangedBySpreadsheet,
  isOutsideId,
  newId,
  quoted,
  sha256Hex,
} from '../../kernel';
import { formatDecimal, toMinorUnits } from '../reading/currencies';
import type { Decimal } from '../reading/decimal';
import type { WholeStatement } from '../reading/join-pages';
import { refusalAt } from '../reading/refusal';
import type { Statement } from '../statement-records';

const TEXT_CHARACTERS_MAX = 1_000;
const NOTES_MAX = 100;

/**
 * Converts a read statement into one to store: with an account, one currency, and amounts in its smallest unit.
 * @throws AppError `bad_input` that names the missing part.
 */
export function newStatement(
  whole: WholeStatement,
  given: { readonly fileId: string; readonly position: number; readonly account: string },
): Statement {
  const { account } = given;
  const currency = requireOneCurrency(whole);
  const minor = (amount: Decimal): number => toMinorAt(whole.fileLine, amount, currency);
  const optionalMinor = (amount: Decimal | undefined): number | undefined =>
    amount === undefined ? undefined : minor(amount);
  const { booked } = whole;
  const statement = {
    kind: whole.kind,
    account,
    currency,
    bankId: cut(whole.bankId),
    number: cut(whole.number),
    verdict: whole.verdict,
    openingMinor: optionalMinor(whole.opening),
    closingMinor: optionalMinor(whole.closing),
    creditsMinor: minor(booked.credits),
    debitsMinor: minor(booked.debits),
    entries: booked.entries,
    pendingEntries: whole.pendingEntries,
    from: whole.from,
    through: whole.through,
    firstDate: booked.firstDate,
    lastDate: booked.lastDate,
  };
  return {
    ...statement,
    id: newId(),
    fileId: given.fileId,
    position: given.position,
    hold: undefined,
    fingerprint: fingerprint(statement, whole.linesDigest),
    notes: whole.notes.slice(0, NOTES_MAX),
  };
}

/**
 * Returns the ledger's name of a statement's account. `all` are the statements of its file.
 * @throws AppError `bad_input` if the statement names none, or if a spreadsheet changed its digits.
 */
export function requireAccount(whole: WholeStatement, all: readonly WholeStatement[] = [whole]): string {
  const account = accountKey(whole.account ?? '');
  const isOnly = all.every((other) => other.account === whole.account);
  const give = isOnly
    ? 'give the account with --account'
    : 'split the file by account, and import each part with its --account';
  if (account === '') {
    throw new AppError('account_missing', {
      field: 'account',
      expected: `the account, because the statement on line ${whole.fileLine} names none`,
      command: give,
    });
  }
  if (isChangedBySpreadsheet(account)) {
    throw new AppError('account_changed_by_spreadsheet', {
      field: 'account',
      expected: 'all its digits, because a spreadsheet changed the number',
      got: account,
      command: `format the column as text and export again, or ${give}`,
    });
  }
  if (!isOutsideId(account)) throw refusalAt(whole.fileLine, `expected an account, got ${quoted(account)}`);
  return account;
}

/** Returns the currency of a statement. @throws AppError `bad_input` if it has none or several. */
export function requireOneCurrency(whole: WholeStatement): string {
  const { currency, currencies } = whole;
  if (currency === undefined && currencies.length === 0) {
    throw new AppError('currency_missing', {
      field: 'currency',
      expected: `the currency, because the statement on line ${whole.fileLine} names none`,
      command: 'give it with --currency, such as --currency TND',
    });
  }
  const others = currencies.filter((other) => other !== currency);
  if (currency === undefined || others.length > 0) {
    throw refusalAt(whole.fileLine, `expected one currency in a statement, got ${currencies.join(', ')}`);
  }
  return currency;
}

/** Checks that each amount of the lines fits the currency. @throws AppError `bad_input` that names the line. */
export function requireStorableLines({ extremes }: WholeStatement, currency: string): void {
  for (const { amount, fileLine } of extremes) toMinorAt(fileLine, amount, currency);
}

/** Returns an amount of a line in the currency's smallest unit. @throws AppError `bad_input` that names the line. */
export function toMinorAt(fileLine: number, amount: Decimal, currency: string): number {
  const reading = toMinorUnits(amount, currency);
  if (reading.ok) return reading.minor;
  throw refusalAt(fileLine, `expected ${reading.expected}, got ${formatDecimal(amount, currency)}`);
}

type Facts = Omit<Statement, 'id' | 'fileId' | 'position' | 'hold' | 'fingerprint' | 'notes'>;

/**
 * Returns the fingerprint of a statement: equal for the same statement in another file, in any format. Balances and
 * totals distinguish two statements; if one of them is missing, the lines do; without lines, the bank's own numbers. It
 * is stored, so it never changes.
 */
function fingerprint(facts: Facts, linesDigest: string): string {
  const { account, currency, openingMinor, closingMinor, creditsMinor, debitsMinor, entries } = facts;
  const telling =
    openingMinor === undefined || closingMinor === undefined || facts.pendingEntries > 0
      ? linesDigest
      : entries > 0
        ? ''
        : wordsOf(facts);
  return sha256Hex(
    JSON.stringify([
      account,
      currency,
      openingMinor ?? null,
      closingMinor ?? null,
      creditsMinor,
      debitsMinor,
      entries,
      orNull(facts.firstDate),
      orNull(facts.lastDate),
      telling,
      // A report or a notification of a day is not the statement of that day.
      ...(facts.kind === 'statement' ? [] : [facts.kind]),
    ]),
  );
}

function wordsOf({ from, through, number, bankId }: Facts): string {
  return [from, through, number, bankId].filter((word) => word !== undefined && word !== '').join('/');
}

function orNull(date: BusinessDate | undefined): string | null {
  return date ?? null;
}

function cut(text: string): string {
  return text.slice(0, TEXT_CHARACTERS_MAX);
}
