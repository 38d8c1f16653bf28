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
  sumsOf,
} from '../statements';
import type { CliIo } from './command';
import { faultText } from './error-texts';
import { t, word } from './language';
import { type Column, printSection } from './print-table';

type Local = Pick<BusinessCalendar, 'formatLocal'>;

/** Prints a file that was read but not stored: each statement with its first lines, to compare with the file. */
export function printScanned(
  io: CliIo,
  name: string,
  { reading, statements }: ScannedFile,
  proposal: ProfileEntry | undefined,
): void {
  io.line(t('cli:error.fault', { field: name, fault: formText(reading) }));
  // The account, the currency and what is read come first, because a mistake in them misplaces all the money.
  for (const statement of statements) {
    const { parsed, preview } = statement;
    const { currency = t('cli:statements.noCurrency') } = parsed;
    const { sums, pendingEntries } = sumsOf(statement);
    const { entries, credits, debits } = sums;
    const account = shownText(parsed.account ?? t('cli:statements.notNamed'));
    io.line(t('cli:statements.accountRead', { account, currency, lines: t('cli:count.line', { count: entries }) }));
    printColumnsRead(io, reading, parsed.currency);
    const text = (amount: Decimal | undefined): string =>
      amount === undefined ? t('cli:statements.notStated') : formatDecimal(amount, parsed.currency);
    const [opening, closing] = [text(parsed.opening?.amount), text(parsed.closing?.amount)];
    io.line(`  ${t('cli:statements.balances', { opening, closing })}`);
    io.line(`  ${t('cli:statements.sums', { credits: text(credits), debits: text(debits) })}`);
    printAnnounced(io, pendingEntries);
    printNotes(io, parsed.notes);
    if (preview.length > 0) {
      printLinesRead(
        io,
        preview.map((line) => parsedLineRow(line, parsed.currency)),
      );
    }
  }
  if (reading.proposal !== undefined && proposal !== undefined) {
    printProposal(io, t('cli:statements.proposedRead'), proposal);
  }
}

/** Prints the unit of amounts in TND, and the columns that are not read. */
function printColumnsRead(io: CliIo, { unit, setAside }: ScannedFile['reading'], currency = 'TND'): void {
  const isInUnit = unit !== undefined && currency === 'TND';
  const texts = [
    ...(isInUnit ? [t('cli:statements.unit', { unit: word('amountUnit', unit) })] : []),
    ...(setAside.length === 0 ? [] : [t('cli:statements.setAside', { columns: setAside.map(shownText).join(', ') })]),
  ];
  for (const text of texts) io.line(`  ${text}`);
}

function printAnnounced(io: CliIo, count: number): void {
  if (count > 0) io.line(`  ${t('cli:statements.announcedCount', { movements: t('cli:count.movement', { count }) })}`);
}

/** Prints a file that only a person can decide how to read: the profile proposed for it, with its gaps. */
export function printUndecided(io: CliIo, name: string, proposal: ProfileEntry): void {
  printProposal(io, t('cli:statements.undecided', { name }), proposal);
}

function printProposal(io: CliIo, title: string, { entry, gaps, reasons }: ProfileEntry): void {
  io.line(title);
  for (const text of reasons) io.line(`  ${faultText({ text })}`);
  io.line(JSON.stringify(entry, null, 2));
  for (const { field, option } of gaps) io.line(`  ${t('cli:statements.gap', { field, option })}`);
}

/** Returns the format of a file, and the profile with which it was read. */
export function formText({ format, profile }: Pick<ListedStatement['file'], 'format' | 'profile'>): string {
  return profile === '' ? format : t('cli:statements.formOfProfile', { format, profile });
}

function printNotes(io: CliIo, notes: readonly string[]): void {
  for (const text of notes) io.line(`  ${t('cli:output.note', { text: shownText(faultText({ text })) })}`);
}

export function printStatement(io: CliIo, listed: ListedStatement, calendar: Local): void {
  const { statement, file, knownEntries } = listed;
  const { id, account, currency, entries, pendingEntries, number } = statement;
  const head = { id, account: shownText(account), currency, days: daysOf(statement) };
  io.line(
    number === ''
      ? t('cli:statements.head', head)
      : t('cli:statements.headWithNumber', { ...head, number: shownText(number) }),
  );
  const print = (text: string): void => io.line(`  ${text}`);
  const text = (minor: number | undefined): string => minorText(minor, currency);
  const { openingMinor, closingMinor, creditsMinor, debitsMinor } = statement;
  print(t('cli:statements.balances', { opening: text(openingMinor), closing: text(closingMinor) }));
  const sums = t('cli:statements.sums', { credits: text(creditsMinor), debits: text(debitsMinor) });
  print(`${t('cli:count.line', { count: entries })}, ${sums}`);
  if (knownEntries > 0) print(t('cli:statements.overlap', { lines: t('cli:count.line', { count: knownEntries }) }));
  printAnnounced(io, pendingEntries);
  printNotes(io, statement.notes);
  print(standing(listed, calendar));
  print(t('cli:statements.file', { name: shownText(file.name), digest: file.sha256 }));
  print(t('cli:statements.importedBy', { when: calendar.formatLocal(file.importedAt), by: file.importedBy }));
}

/** Describes whether a statement is posted and reconciled, and why. */
function standing(listed: ListedStatement, calendar: Local): string {
  const { statement, acceptance, exclusion, isWaiting } = listed;
  const { id, kind } = statement;
  const verdict = word('statementVerdict', statement.verdict);
  if (acceptance !== undefined) {
    const { acceptedAt, acceptedBy: by, reason } = acceptance;
    const decided = { verdict, when: calendar.formatLocal(acceptedAt), by, reason: shownText(reason) };
    return t('cli:statements.accepted', decided);
  }
  if (exclusion !== undefined) {
    const { excludedAt, excludedBy: by, reason } = exclusion;
    const decided = { verdict, when: calendar.formatLocal(excludedAt), by, reason: shownText(reason) };
    return t('cli:statements.excluded', decided);
  }
  if (kind === 'interim') return t('cli:statements.interim');
  if (!isWaiting) return t('cli:statements.proven');
  return t('cli:statements.waiting', { why: whyWaiting(statement), decide: t('cli:statements.decide', { id }) });
}

/** Describes what the acceptance of a statement with this number of lines posts, or would post, and why nothing. */
export function toPostText(
  { lines, credits, debits, balanceAfter }: NonNullable<AcceptOutcome['posts']>,
  { dryRun, entries }: { readonly dryRun: boolean; readonly entries: number },
): string {
  const nothing = t(entries === 0 ? 'cli:statements.noneInStatement' : 'cli:statements.allInLedger');
  const sums = { in: formatDinars(credits), out: formatDinars(debits) };
  const moved = lines === 0 ? nothing : t('cli:statements.inAndOut', sums);
  const values = { lines: t('cli:count.line', { count: lines }), moved, balance: formatDinars(balanceAfter) };
  return t(dryRun ? 'cli:statements.wouldPost' : 'cli:statements.posted', values);
}

/** States that the lines of a waiting statement were not posted, why, and the commands that decide. */
export function notPostedText({ statement }: ListedStatement): string {
  const { id } = statement;
  return t('cli:statements.notPosted', { id, why: whyWaiting(statement), decide: t('cli:statements.decide', { id }) });
}

function whyWaiting(statement: ListedStatement['statement']): string {
  if (statement.hold !== undefined) return t('cli:statements.contradicts');
  const verdict = word('statementVerdict', statement.verdict);
  // The sum of the lines less the bank's balance.
  const difference = differenceOf(statement);
  if (difference === undefined || difference === 0) return verdict;
  return t('cli:statements.differsBy', { verdict, amount: formatMinorUnits(difference, statement.currency) });
}

export const LISTED_COLUMNS: readonly Column[] = [
  ...['id', 'account', 'dates', { right: 'lines' }, { right: 'closing' }, 'state', 'file'],
];

export function listedRow({ statement, file, acceptance, exclusion }: ListedStatement): string[] {
  const { id, account, currency, entries, verdict, hold } = statement;
  const held = hold === undefined ? [] : [word('statementState', hold)];
  const decided = acceptance !== undefined ? 'accepted' : exclusion !== undefined ? 'excluded' : undefined;
  const notes = decided === undefined ? held : [t(`cli:statements.state.${decided}`)];
  const state = [word('statementVerdict', verdict), ...notes].join(', ');
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
  printSection(io, `  ${t('cli:statements.readBack')}`, LINE_COLUMNS, rows);
}

export const SHOWN_LINE_COLUMNS: readonly Column[] = [...LINE_COLUMNS, 'note'];

export function shownLineRow({ line, known }: LineOnStatement): string[] {
  return [...lineRow(line), known ? t('cli:statements.knownLine') : ''];
}

export const PENDING_COLUMNS: readonly Column[] = ['date', { right: 'amount' }, 'text', 'status', 'account'];

export function pendingRow(entry: PendingEntry): string[] {
  const { bookingDate, amountMinor, currency, counterparty, remittance, status, account } = entry;
  const amount = formatMinorUnits(amountMinor, currency);
  const announced = word('announcedStatus', status);
  return [bookingDate, amount, textsOf(counterparty, remittance), announced, shownText(account)];
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
  return minor === undefined ? t('cli:statements.notStated') : formatMinorUnits(minor, currency);
}

function daysOf({ firstDate, lastDate }: ListedStatement['statement']): string {
  if (firstDate === undefined || lastDate === undefined) return t('cli:statements.noLines');
  return t('cli:statements.days', { from: firstDate, to: lastDate });
}
