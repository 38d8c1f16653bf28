import { createHash, type Hash } from 'node:crypto';
import { accountName, addDays, AppError, type BusinessDate, quoted } from '../../kernel';
import type { BankFile } from './bank-file';
import { chooseReader, type Reading, type ReadOptions } from './choose-reader';
import { exponentOf, formatDecimal } from './currencies';
import { type Decimal, decimalText, neededScale } from './decimal';
import { type AmountOfLine, ExtremeAmounts } from './extreme-amounts';
import { inCurrency, isWithoutCurrency } from './given-currency';
import { type FileFacts, inspectBankFile } from './inspect-bank-file';
import { LINES_MAX, STATEMENTS_MAX } from './limits';
import type { ParsedLine, ParsedStatement, StatementEvent } from './parsed-statement';
import { ProofInProgress, type StatementProof } from './prove-statement';
import { CreditCounter, type CreditsByPattern } from './recognized-credits';
import { fileFault, namingFile, refusal } from './refusal';
import type { AnyProfile } from './statement-profile';

/** Enough lines for a person to check that amounts and dates were read correctly. */
const PREVIEW_LINES = 3;
/** Banks sort by booking or by value date, which are days apart, not months. */
const DAYS_BACK_MAX = 31;
const LONG_BEFORE_SHOWN_MAX = 20;
/** Text is digested in pieces, because each call costs more than a line's text. */
const DIGESTED_CHARACTERS = 16 * 1024;

/** A statement or a page of one, as in the file. */
export interface ScannedStatement {
  readonly parsed: ParsedStatement;
  readonly proof: StatementProof;
  readonly credits: CreditsByPattern;
  /** Its first lines. */
  readonly preview: readonly ParsedLine[];
  /** The sha256 over the content of its lines, in their order. */
  readonly linesDigest: string;
  /** The largest amounts and those with the most decimals, of lines and running balances. */
  readonly extremes: readonly AmountOfLine[];
  /** Lines whose date is long before that of a line above them, which suggests a misread date. */
  readonly longBefore: readonly string[];
}

export interface ScannedFile {
  readonly facts: FileFacts;
  readonly reading: Reading;
  readonly statements: readonly ScannedStatement[];
}

/** Called while a file is read, with the number of bytes read so far. */
export type OnProgress = (bytesRead: number) => void;

/**
 * Reads a bank file once and stores nothing: chooses the reader, adds up and proves each statement. Memory does not grow
 * with the number of lines.
 *
 * @throws AppError `bad_input` whose message starts with the name of the file.
 */
export function scanBankFile(
  file: BankFile,
  options: ReadOptions,
  profiles: readonly AnyProfile[],
  onProgress: OnProgress = () => undefined,
): ScannedFile {
  const facts = inspectBankFile(file);
  return namingFile(file.name, () => {
    const reading = chooseReader(file, facts, options, profiles);
    const statements = readStatements(file, reading, onProgress);
    if (options.account !== undefined) requireOneAccount(statements.map(({ parsed }) => parsed.account));
    return { facts, reading, statements: withCurrency(options.currency, withAccount(options.account, statements)) };
  });
}

/** Returns the statements of one account with the name that a person gave, which outweighs the file's. */
export function withAccount(
  account: string | undefined,
  statements: readonly ScannedStatement[],
): readonly ScannedStatement[] {
  const isOne = new Set(statements.map(({ parsed }) => parsed.account)).size === 1;
  if (account === undefined || !isOne) return statements;
  const named = { account: accountName(account) };
  return statements.map((statement) => ({ ...statement, parsed: { ...statement.parsed, ...named } }));
}

/** Returns the statements, those without a currency in the one that a person gave. */
function withCurrency(
  currency: string | undefined,
  statements: readonly ScannedStatement[],
): readonly ScannedStatement[] {
  if (currency === undefined) return statements;
  return statements.map((each) => (isWithoutCurrency(each) ? inCurrency(each, currency) : each));
}

/**
 * Checks that one account name fits. @throws AppError `bad_input` if a name was given and the file has several
 * accounts.
 */
export function requireOneAccount(accounts: readonly (string | undefined)[]): void {
  const { size } = new Set(accounts);
  if (size > 1) {
    throw new AppError('bad_input', {
      field: 'account',
      fault: `can name only one account, and the file has ${size}`,
      fix: 'import the file without it',
    });
  }
}

/** Reads every statement of a file with the chosen reader. */
export function readStatements(
  file: BankFile,
  reading: Reading,
  onProgress: OnProgress = () => undefined,
): readonly ScannedStatement[] {
  const scan = new StatementScan(reading.payoutPatterns);
  const reader = reading.createReader();
  let bytesRead = 0;
  for (const piece of file.pieces()) {
    scan.take(reader.push(piece));
    bytesRead += piece.length;
    onProgress(bytesRead);
  }
  scan.take(reader.end());
  return scan.statements();
}

/** Adds up and proves the statements of a reader. */
class StatementScan {
  readonly #statements: ScannedStatement[] = [];
  readonly #patterns: readonly RegExp[];
  #open: OpenStatement;
  #lines = 0;

  constructor(patterns: readonly RegExp[]) {
    this.#patterns = patterns;
    this.#open = new OpenStatement(patterns);
  }

  take(events: readonly StatementEvent[]): void {
    for (const event of events) {
      if (event.kind === 'line') this.#addLine(event.line);
      else this.#close(event.statement);
    }
  }

  statements(): readonly ScannedStatement[] {
    if (this.#statements.length === 0) throw fileFault('expected a statement, got none');
    return this.#statements;
  }

  #addLine(line: ParsedLine): void {
    this.#lines += 1;
    if (this.#lines > LINES_MAX) {
      throw refusal(`line ${line.fileLine}: expected at most ${LINES_MAX} statement lines, got more`);
    }
    this.#open.add(line);
  }

  #close(parsed: ParsedStatement): void {
    if (this.#statements.length >= STATEMENTS_MAX) {
      throw refusal(`line ${parsed.fileLine}: expected at most ${STATEMENTS_MAX} statements, got more`);
    }
    const account = parsed.account === undefined ? undefined : accountName(parsed.account);
    this.#statements.push(this.#open.close({ ...parsed, account }));
    this.#open = new OpenStatement(this.#patterns);
  }
}

class OpenStatement {
  readonly #proof = new ProofInProgress();
  readonly #digest: Hash = createHash('sha256');
  #undigested = '';
  readonly #preview: ParsedLine[] = [];
  readonly #longBefore: string[] = [];
  readonly #extremes = new ExtremeAmounts();
  readonly #credits: CreditCounter;
  #latest: BusinessDate | undefined;
  #longBeforeLatest = '';
  /** The amount with the most decimals among the lines without their own currency. */
  #finest: { readonly amount: Decimal; readonly scale: number; readonly fileLine: number } | undefined;

  constructor(patterns: readonly RegExp[]) {
    this.#credits = new CreditCounter(patterns);
  }

  add(line: ParsedLine): void {
    const { amount, fileLine, bookingDate, currency, balanceAfter } = line;
    this.#proof.add(line);
    this.#credits.add(line);
    this.#undigested += `${bookingDate}|${decimalText(amount)}|${line.bankReference}|${line.remittance}\n`;
    if (this.#undigested.length > DIGESTED_CHARACTERS) this.#digestText();
    if (this.#preview.length < PREVIEW_LINES) this.#preview.push(line);
    if (this.#latest !== undefined && bookingDate < this.#longBeforeLatest) {
      if (this.#longBefore.length < LONG_BEFORE_SHOWN_MAX) {
        this.#longBefore.push(
          `line ${fileLine}: its booking date ${bookingDate} is long before ${this.#latest}, above it`,
        );
      }
    } else if (this.#latest === undefined || bookingDate > this.#latest) {
      this.#latest = bookingDate;
      this.#longBeforeLatest = addDays(bookingDate, -DAYS_BACK_MAX);
    }
    const scale = neededScale(amount);
    this.#extremes.add(amount, fileLine, scale);
    if (balanceAfter !== undefined) this.#extremes.add(balanceAfter, fileLine);
    if (currency !== undefined) requireDecimals(amount, scale, currency, fileLine);
    else if (this.#finest === undefined || scale > this.#finest.scale) this.#finest = { amount, scale, fileLine };
  }

  #digestText(): void {
    this.#digest.update(this.#undigested);
    this.#undigested = '';
  }

  #linesDigest(): string {
    this.#digestText();
    return this.#digest.digest('hex');
  }

  close(parsed: ParsedStatement): ScannedStatement {
    const { currency, opening, closing, fileLine } = parsed;
    if (currency !== undefined) {
      for (const stated of [opening, closing]) {
        if (stated !== undefined) requireDecimals(stated.amount, neededScale(stated.amount), currency, fileLine);
      }
      const finest = this.#finest;
      if (finest !== undefined) requireDecimals(finest.amount, finest.scale, currency, finest.fileLine);
    }
    return {
      parsed,
      proof: this.#proof.finish(parsed),
      credits: this.#credits.found(),
      preview: this.#preview,
      linesDigest: this.#linesDigest(),
      longBefore: this.#longBefore,
      extremes: this.#extremes.found(),
    };
  }
}

/** Refuses an amount with more decimals than its currency has: another character was misread as the decimal sign. */
function requireDecimals(amount: Decimal, scale: number, currency: string, fileLine: number): void {
  const exponent = exponentOf(currency);
  if (exponent === undefined) {
    throw refusal(`line ${fileLine}: expected a currency of ISO 4217, got ${quoted(currency)}`);
  }
  if (scale <= exponent) return;
  throw refusal(
    `line ${fileLine}: expected at most ${exponent} decimals, as ${currency} has, got ${formatDecimal(amount, currency)}`,
  );
}
