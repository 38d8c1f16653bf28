import { type BusinessCalendar, formatDinars, shownText } from '../kernel';
import { differenceOf } from '../shapes/statements';
import {
  type AcceptOutcome,
  type Decimal,
  formatDecimal,
  formatMinorUnits,
  type LineOnStatement,
  type ListedStatement,
  type ParsedLine,
  type PendingEntry,
  type ProfileEntry,
  type ScannedFile,
  type StatementLine,
} from '../statements';
import type { CliIo } from './command';
import { t } from './language';
import { type Column, printSection } from './print-table';

const NOT_STATED = '(not stated)';

type Local = Pick<BusinessCalendar, 'formatLocal'>;

/** Prints a file that was read but not stored: each statement with its first lines, to compare with the file. */
export function printScanned(
  io: CliIo,
  name: string,
  { reading, statements }: ScannedFile,
  proposal: ProfileEntry | undefined,
): void {
  io.line(`${name}: ${reading.format}${reading.profile === '' ? '' : `, profile ${reading.profile}`}`);
  if (reading.proposal !== undefined && proposal !== undefined) {
    printProposal(io, 'no profile matches this file; read with this profile, proposed from its header:', proposal);
  }
  for (const { parsed, proof, preview } of statements) {
    const { currency = '(no currency)' } = parsed;
    const { entries, credits, debits } = proof.all;
    io.line(
      `account ${shownText(parsed.account ?? '(not named)')}, ${currency}, ${t('cli:count.line', { count: entries })}`,
    );
    const text = (amount: Decimal | undefined): string =>
      amount === undefined ? NOT_STATED : formatDecimal(amount, parsed.currency);
    io.line(`  opening ${text(parsed.opening?.amount)}, closing ${text(parsed.closing?.amount)}`);
    io.line(`  credits ${text(credits)}, debits ${text(debits)}`);
    for (const note of parsed.notes) io.line(`  note: ${shownText(note)}`);
    if (preview.length > 0) {
      printLinesRead(
        io,
        preview.map((line) => parsedLineRow(line, parsed.currency)),
      );
    }
  }
}

/** Prints a file that only a person can decide how to read: the profile proposed for it, with its gaps. */
export function printUndecided(io: CliIo, name: string, proposal: ProfileEntry): void {
  printProposal(io, `${name}: no profile matches this file; the profile proposed from its header has gaps:`, proposal);
}

function printProposal(io: CliIo, title: string, { entry, gaps, reasons }: ProfileEntry): void {
  io.line(title);
  for (const reason of reasons) io.line(`  ${reason}`);
  io.line(JSON.stringify(entry, null, 2));
  for (const { field, option } of gaps) io.line(`  to fill in: ${field}, with ${option}`);
}

export function printStatement(io: CliIo, listed: ListedStatement, calendar: Local): void {
  const { statement, file, knownEntries } = listed;
  const { account, currency, entries, pendingEntries, number } = statement;
  const named = number === '' ? '' : `, number ${shownText(number)}`;
  io.line(`statement ${statement.id}: account ${shownText(account)}${named}, ${currency}, ${daysOf(statement)}`);
  io.line(
    `  opening ${minorText(statement.openingMinor, currency)}, closing ${minorText(statement.closingMinor, currency)}`,
  );
  const credits = formatMinorUnits(statement.creditsMinor, currency);
  const debits = formatMinorUnits(statement.debitsMinor, currency);
  io.line(`  ${t('cli:count.line', { count: entries })}, credits ${credits}, debits ${debits}`);
  if (knownEntries > 0) {
    io.line(`  overlap: ${t('cli:count.line', { count: knownEntries })} known from other statements`);
  }
  if (pendingEntries > 0) io.line(`  ${t('cli:count.movement', { count: pendingEntries })} announced, not booked`);
  for (const note of statement.notes) io.line(`  note: ${shownText(note)}`);
  io.line(`  ${standing(listed, calendar)}`);
  io.line(`  file ${shownText(file.name)}, sha256 ${file.sha256}`);
  io.line(`  imported ${calendar.formatLocal(file.importedAt)} by ${file.importedBy}`);
}

/** Describes whether a statement is posted and reconciled, and why. */
function standing(listed: ListedStatement, calendar: Local): string {
  const { statement, acceptance, exclusion, isWaiting } = listed;
  const { id, verdict, kind } = statement;
  if (acceptance !== undefined) {
    const { acceptedAt, acceptedBy, reason } = acceptance;
    return `${verdict}; accepted ${calendar.formatLocal(acceptedAt)} by ${acceptedBy}: ${shownText(reason)}`;
  }
  if (exclusion !== undefined) {
    const { excludedAt, excludedBy, reason } = exclusion;
    return `${verdict}; excluded ${calendar.formatLocal(excludedAt)} by ${excludedBy}: ${shownText(reason)}`;
  }
  if (kind === 'interim') return 'interim report: stored, never posted';
  return isWaiting ? `${whyWaiting(statement)}: not posted or reconciled; ${decisionsOn(id)}` : 'proven';
}

/** Describes what the acceptance of a statement with this number of lines posts, or would post, and why nothing. */
export function toPostText(
  { lines, credits, debits, balanceAfter }: NonNullable<AcceptOutcome['posts']>,
  { dryRun, entries }: { readonly dryRun: boolean; readonly entries: number },
): string {
  const nothing = entries === 0 ? 'the statement has none' : 'the ledger has all lines of the statement';
  const moved = lines === 0 ? nothing : `${formatDinars(credits)} in, ${formatDinars(debits)} out`;
  const balance = `balance afterwards ${formatDinars(balanceAfter)}`;
  return `${dryRun ? 'Would post' : 'posted'} ${t('cli:count.line', { count: lines })}: ${moved}; ${balance}`;
}

/** States that the lines of a waiting statement were not posted, why, and the commands that decide. */
export function notPostedText({ statement }: ListedStatement): string {
  return `nothing of statement ${statement.id} was posted: ${whyWaiting(statement)}; ${decisionsOn(statement.id)}`;
}

function whyWaiting(statement: ListedStatement['statement']): string {
  const { verdict, hold } = statement;
  return hold !== undefined ? 'contradicts another statement' : `${verdict}${differenceText(statement)}`;
}

function decisionsOn(id: string): string {
  return `run "millime statements accept ${id} --reason ..." or "millime statements exclude ${id} --reason ..."`;
}

/** Returns the sum of the lines less the bank's balance, such as ` by -0,777 DT`. */
function differenceText(statement: ListedStatement['statement']): string {
  const difference = differenceOf(statement);
  return difference === undefined || difference === 0 ? '' : ` by ${formatMinorUnits(difference, statement.currency)}`;
}

export const LISTED_COLUMNS: readonly Column[] = [
  ...['id', 'account', 'dates', { right: 'lines' }, { right: 'closing' }, 'state', 'file'],
];

export function listedRow({ statement, file, acceptance, exclusion }: ListedStatement): string[] {
  const { id, account, currency, entries, verdict, hold } = statement;
  const note = acceptance !== undefined ? 'accepted' : exclusion !== undefined ? 'excluded' : hold;
  const state = note === undefined ? verdict : `${verdict}, ${note}`;
  const closing = minorText(statement.closingMinor, currency);
  return [id, shownText(account), daysOf(statement), String(entries), closing, state, shownText(file.name)];
}

type LineToShow = Pick<
  StatementLine | PendingEntry,
  'bookingDate' | 'amountMinor' | 'currency' | 'counterparty' | 'remittance'
>;

export const LINE_COLUMNS: readonly Column[] = ['date', { right: 'amount' }, 'text'];

export function lineRow({ bookingDate, amountMinor, currency, counterparty, remittance }: LineToShow): string[] {
  return [bookingDate, formatMinorUnits(amountMinor, currency), textsOf(counterparty, remittance)];
}

/** Prints lines that were read, for a person who compares them with the file. */
export function printLinesRead(io: CliIo, rows: readonly string[][]): void {
  printSection(io, '  read back, to compare with the file:', LINE_COLUMNS, rows);
}

export const SHOWN_LINE_COLUMNS: readonly Column[] = [...LINE_COLUMNS, 'note'];

export function shownLineRow({ line, known }: LineOnStatement): string[] {
  return [...lineRow(line), known ? 'known from another statement' : ''];
}

export const PENDING_COLUMNS: readonly Column[] = ['date', { right: 'amount' }, 'text', 'status', 'account'];

export function pendingRow(entry: PendingEntry): string[] {
  const { bookingDate, amountMinor, currency, counterparty, remittance, status, account } = entry;
  const amount = formatMinorUnits(amountMinor, currency);
  return [bookingDate, amount, textsOf(counterparty, remittance), status, shownText(account)];
}

function parsedLineRow(
  { bookingDate, amount, counterparty, remittance }: ParsedLine,
  currency: string | undefined,
): string[] {
  return [bookingDate, formatDecimal(amount, currency), textsOf(counterparty, remittance)];
}

function textsOf(counterparty: string, remittance: string): string {
  return shownText([counterparty, remittance].filter((text) => text !== '').join(' '));
}

function minorText(minor: number | undefined, currency: string): string {
  return minor === undefined ? NOT_STATED : formatMinorUnits(minor, currency);
}

function daysOf({ firstDate, lastDate }: ListedStatement['statement']): string {
  return firstDate === undefined || lastDate === undefined ? 'no lines' : `${firstDate} to ${lastDate}`;
}
