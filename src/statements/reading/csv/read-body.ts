import { counted, quoted } from '../../../kernel';
import { parseAmountText } from '../amount-text';
import { dateReader } from '../date-text';
import { LINES_MAX } from '../limits';
import { oneLine } from '../one-line';
import type { ParsedLine } from '../parsed-statement';
import { type Problems } from '../problems';
import { refusal } from '../refusal';
import type { StatementProfile } from '../statement-profile';
import { balanceSeen } from './balance-seen';
import { type ColumnKind, LOOKS } from './column-kinds';
import type { CsvRow } from './csv-rows';
import { type DatedLabel, datedLabel } from './dated-label';
import type { CsvHeader } from './find-header';
import { firstText, isLabeledRow, type LabeledRow, labelIndex } from './labeled-rows';
import { type LeftOut, lineReader } from './read-line';
import { RepeatedCell } from './repeated-cell';
import { cellOf } from './row-cells';
import type { RowSource } from './row-source';
import { isAccount, SeenColumn } from './seen-column';
import { type RowKind, sortRows } from './sort-rows';

/** With this number of faulty rows the profile is wrong, so the rest of the file is not read. */
const REFUSED_ROWS_MAX = 1_000;
const LABELED_ROWS_MAX = 1_000;
const SECTIONS_MAX = 1_000;
/** No bank writes the text of a line in as many rows. */
const CONTINUED_ROWS_MAX = 50;

export interface BodyRequest {
  readonly header: CsvHeader;
  readonly profile: StatementProfile;
  readonly problems: Problems;
  /** The rows above the heading. */
  readonly preamble: readonly LabeledRow[];
}

/** The rows of one account. */
export interface Section {
  /** The line of the file on which it starts. */
  readonly fileLine: number;
  /** In the order of the file. */
  readonly lines: readonly ParsedLine[];
  /** The rows above and below its lines. */
  readonly around: readonly LabeledRow[];
  /** Of a column of the file; undefined without such a column. */
  readonly account: string | undefined;
  readonly currency: string | undefined;
  /** Rows that were left out, one sentence for each reason. */
  readonly notes: readonly string[];
}

/**
 * Distinguishes lines from the rows around them, and the accounts of a file from each other. A row that the profile
 * knows by its label may be above the first line or below the last. Elsewhere a row without a booking date is refused,
 * and a row with a date is a line like every other. Banks print the heading and the rows above it again on each page.
 */
export function readBody(source: RowSource, request: BodyRequest): readonly Section[] {
  const { header, profile, preamble } = request;
  const { account, columns, dateFormat } = profile;
  const readDate = dateReader(dateFormat);
  const body = new BodyInProgress(request);
  const rules = {
    ...{ header, dialect: profile, preamble },
    accountLabel: account !== undefined && 'label' in account ? account : undefined,
    isDated: (row: CsvRow) => readDate(cellOf(row, header, columns.bookingDate) ?? '') !== undefined,
    isLabeled: (row: CsvRow) => isLabeledRow(row, profile),
  };
  sortRows(source, rules, (row, kind) => body.take(row, kind));
  return body.end();
}

class BodyInProgress {
  readonly #request: BodyRequest;
  readonly #sections: SectionInProgress[];
  #current: SectionInProgress;
  #lines = 0;
  /** Whether the first line has a value beyond the last heading. */
  #isWide: boolean | undefined;
  /** The columns that are not read, and what their values looked like when the profile was saved. */
  readonly #aside: readonly { readonly column: SeenColumn; readonly saved: ColumnKind }[];

  constructor(request: BodyRequest) {
    this.#request = request;
    this.#current = new SectionInProgress(request, 1);
    this.#current.around.push(...request.preamble);
    this.#sections = [this.#current];
    const { header, profile } = request;
    this.#aside = Object.entries(profile.setAside ?? {}).flatMap(([name, saved]) => {
      const index = header.names.indexOf(name);
      return index === -1 || saved === 'any' ? [] : [{ column: new SeenColumn(name, index), saved }];
    });
  }

  take(row: CsvRow, kind: RowKind): void {
    switch (kind) {
      case 'heading':
        return this.#current.startPage();
      case 'dated':
        return this.#takeDated(row);
      case 'account':
        return this.#open(row.line).addLabel({ ...row, place: 'above', dated: false });
      case 'above':
        return this.#current.addLabel({ ...row, place: 'above', dated: false });
      case 'labeled':
        return this.#sectionOf(row).addLabel({ ...row, place: 'below', dated: false });
      case 'unknown':
        if (!this.#current.continuesLine(row)) this.#addLine(this.#current, row);
    }
  }

  #takeDated(row: CsvRow): void {
    const section = this.#sectionOf(row);
    const label = datedLabel(row, this.#request.header, this.#request.profile);
    if (label !== undefined) section.addDatedLabel(label);
    else this.#addLine(section, row);
  }

  end(): readonly Section[] {
    const sections = this.#sections.filter(({ isEmpty }) => !isEmpty);
    const found = (sections.length === 0 ? [this.#current] : sections).map((section) => section.end());
    if (this.#request.profile.columns.account !== undefined && found.length > 1) this.#requireOwnLabels(found);
    this.#requireAsSaved(found);
    return found;
  }

  /** A column that is not read may begin to carry a part of the money. */
  #requireAsSaved(sections: readonly Section[]): void {
    const { problems, profile } = this.#request;
    const decimals = profile.unit === 'millimes' ? 3 : 0;
    const isWhole = sections.every(({ lines }) => lines.every(({ amount }) => amount.scale <= decimals));
    for (const { column, saved } of this.#aside) {
      const kind = column.kind(isWhole);
      const isPlain = (each: ColumnKind): boolean => each === 'text' || each === 'words';
      if (kind === 'empty' || kind === saved || (isPlain(kind) && isPlain(saved))) continue;
      const [[text, { line }] = ['', { line: 0 }]] = column.values;
      problems.add(
        `line ${line}, column ${quoted(column.name)}: expected ${LOOKS[saved]}, as when profile ${profile.name} was saved, ` +
          `got ${LOOKS[kind]}, ${quoted(text)}; propose a new profile with --profile proposed`,
      );
    }
  }

  #addLine(section: SectionInProgress, row: CsvRow): void {
    this.#lines += 1;
    if (this.#lines > LINES_MAX) {
      throw refusal(`line ${row.line}: expected at most ${LINES_MAX} statement lines, got more`);
    }
    this.#requireAsWide(row);
    for (const { column } of this.#aside) column.see((row.cells[column.index] ?? '').trim(), row.line);
    section.addLine(row);
  }

  /** A value beyond the last heading in some lines only was moved there by a delimiter inside of a text. */
  #requireAsWide({ cells, line }: CsvRow): void {
    const { header, problems } = this.#request;
    const named = header.names.findLastIndex((name) => name !== '') + 1;
    if (named === 0 || named === header.names.length) return;
    const isWide = cells.slice(named).some((cell) => cell.trim() !== '');
    this.#isWide ??= isWide;
    if (isWide === this.#isWide) return;
    problems.add(
      `line ${line}: expected ${counted(named, 'cell')} with a heading, ${isWide ? 'got more' : 'and one beyond them as above'}`,
    );
  }

  /** Returns the section of the account that a column names; without a name there, the one that is being read. */
  #sectionOf(row: CsvRow): SectionInProgress {
    const { header, profile } = this.#request;
    const account = accountIn(row, header, profile);
    if (account === '' || account === this.#current.account) return this.#current;
    const known = this.#sections.find((section) => section.account === account);
    this.#current = known ?? (this.#current.account === undefined ? this.#current : this.#open(row.line));
    this.#current.nameAccount(account, row.line);
    return this.#current;
  }

  #open(line: number): SectionInProgress {
    if (this.#sections.length >= SECTIONS_MAX) {
      throw refusal(`line ${line}: expected at most ${SECTIONS_MAX} accounts, got more`);
    }
    this.#current = new SectionInProgress(this.#request, line);
    this.#sections.push(this.#current);
    return this.#current;
  }

  /** With a column of accounts, a balance of the file belongs to the account in its own row. */
  #requireOwnLabels(sections: readonly Section[]): void {
    const { header, problems, profile } = this.#request;
    const labels = [profile.opening?.label, profile.closing?.label, profile.totals?.label];
    for (const { line, cells, raw } of sections.flatMap(({ around }) => around)) {
      const isStated = cells.some((cell) => labels.some((label) => label?.test(cell.trim()) === true));
      const isOwn = accountIn({ line, cells, raw }, header, profile) !== '';
      if (isStated && !isOwn) {
        problems.add(
          `line ${line}: expected the account of this row, because the file has ${sections.length}, got none`,
        );
      }
    }
  }
}

/** Returns the account that a row names. A label, or the balance beside it, may stand in the column of accounts. */
function accountIn(row: CsvRow, header: CsvHeader, profile: StatementProfile): string {
  const text = cellOf(row, header, profile.columns.account) ?? '';
  const isOther = text === firstText(row.cells) || parseAmountText(text, profile).ok;
  return isOther && !isAccount(text) && isLabeledRow(row, profile) ? '' : text;
}

const LEFT_OUT: Readonly<Record<LeftOut, string>> = {
  rejected: 'that never moved money, by their state',
  'without an amount': 'without an amount',
};

/** Where a dated balance stands: beside a repeated heading, or above the first line or below the last. */
type Where = 'at a page' | 'at an end';

/** The rows of one account in order. Whether a row is the last line is known only at the end. */
class SectionInProgress {
  readonly around: LabeledRow[] = [];
  readonly #request: BodyRequest;
  readonly #fileLine: number;
  readonly #account = new RepeatedCell('account');
  readonly #currency = new RepeatedCell('currency');
  readonly #readLine: ReturnType<typeof lineReader>;
  readonly #lines: ParsedLine[] = [];
  readonly #leftOut = new Map<LeftOut, { readonly first: number; readonly rows: number }>();
  #continued = 0;
  /** Rows below the last line so far. They are lines after all if another line follows on the same page. */
  #held: DatedLabel[] = [];
  #startsPage = false;
  #refused = 0;
  #footer: CsvRow | undefined;
  #first: CsvRow | undefined;
  #last: CsvRow | undefined;

  constructor(request: BodyRequest, fileLine: number) {
    this.#request = request;
    this.#fileLine = fileLine;
    this.#readLine = lineReader({ ...request, account: this.#account, currency: this.#currency });
  }

  get account(): string | undefined {
    return this.#account.value;
  }

  nameAccount(account: string, line: number): void {
    this.#account.faultOf(account, line);
  }

  /** Whether it has neither a line nor a balance, as a footer that names another account. */
  get isEmpty(): boolean {
    const { opening, closing } = this.#request.profile;
    const states = (row: LabeledRow): boolean =>
      [opening, closing].some((wanted) => wanted !== undefined && labelIndex(row, wanted) !== -1);
    return this.#first === undefined && this.#held.length === 0 && !this.around.some(states);
  }

  startPage(): void {
    this.#startsPage = true;
    this.#settleHeld('at a page');
  }

  addLabel(row: LabeledRow): void {
    const { opening, closing, totals, otherRows } = this.#request.profile;
    const fits = (pattern: RegExp | undefined): boolean => pattern?.test(firstText(row.cells)) === true;
    // The label of a balance brought forward to the first page is also that of one carried to the others.
    const isCarried = this.#startsPage && this.#first !== undefined && otherRows.some(fits);
    if (isCarried && fits(opening?.label) && !fits(closing?.label)) return;
    this.around.push(row);
    if (this.around.length > LABELED_ROWS_MAX) {
      throw refusal(`line ${row.line}: expected at most ${LABELED_ROWS_MAX} labeled rows, got more`);
    }
    const states = [opening, closing, totals].some((wanted) => wanted !== undefined && labelIndex(row, wanted) !== -1);
    if (states && this.#first !== undefined && !row.dated) this.#footer ??= row;
  }

  addDatedLabel(label: DatedLabel): void {
    if (this.#startsPage) this.#settle(label, 'at a page');
    else if (this.#first === undefined) this.#settle(label, 'at an end');
    else this.#held.push(label);
  }

  addLine(row: CsvRow): void {
    this.#startsPage = false;
    const held = this.#held;
    this.#held = [];
    for (const label of held) this.#readRow(label.row);
    this.#readRow(row);
  }

  /** Takes a row of text alone, which continues the text of the line above; returns whether it is one. */
  continuesLine(row: CsvRow): boolean {
    const { header, profile } = this.#request;
    const at = header.indexOf.get(profile.columns.remittance);
    const text = at === undefined ? '' : (row.cells[at] ?? '').trim();
    const isText = text !== '' && row.cells.every((cell, index) => index === at || cell.trim() === '');
    if (!isText || this.#last === undefined || this.#startsPage || this.#footer !== undefined) return false;
    if (balanceSeen(text) !== undefined) return false;
    const line = this.#lines.at(-1);
    if (line === undefined || line.fileLine !== this.#last.line) return true;
    this.#continued += 1;
    if (this.#continued > CONTINUED_ROWS_MAX) return false;
    const raw = `${line.raw}\n${row.raw}`;
    this.#lines[this.#lines.length - 1] = { ...line, remittance: oneLine(`${line.remittance} ${text}`), raw };
    return true;
  }

  end(): Section {
    this.#settleHeld('at an end');
    const { header, problems, profile } = this.#request;
    const { remittance } = profile.columns;
    for (const row of new Set([this.#first, this.#last])) {
      const seen = row && balanceSeen(cellOf(row, header, remittance) ?? '');
      if (row !== undefined && seen !== undefined) {
        problems.add(`line ${row.line}, column ${quoted(remittance)}: ${seen}`);
      }
    }
    return {
      fileLine: this.#fileLine,
      lines: this.#lines,
      around: this.around,
      account: this.#account.value,
      currency: this.#currency.value,
      notes: [...this.#leftOut].map(
        ([why, { first, rows }]) => `left out ${counted(rows, 'row')} ${LEFT_OUT[why]}, the first on line ${first}`,
      ),
    };
  }

  #settleHeld(where: Where): void {
    for (const label of this.#held) this.#settle(label, where);
    this.#held = [];
  }

  #settle(label: DatedLabel, where: Where): void {
    if (label.kind === 'label' || (label.kind === 'carried' && where === 'at a page')) {
      this.addLabel({ ...label.row, place: 'below', dated: true });
    } else this.#request.problems.add(label.fault);
  }

  #leaveOut(why: LeftOut, line: number): void {
    const { first = line, rows = 0 } = this.#leftOut.get(why) ?? {};
    this.#leftOut.set(why, { first, rows: rows + 1 });
  }

  #readRow(row: CsvRow): void {
    const { problems } = this.#request;
    this.#continued = 0;
    this.#first ??= row;
    this.#last = row;
    const line = this.#readLine(row);
    if (line === undefined) this.#refused += 1;
    else if (typeof line === 'string') this.#leaveOut(line, row.line);
    else this.#lines.push(line);
    if (this.#footer !== undefined) {
      this.#refused += 1;
      problems.add(`line ${row.line}: expected no line below the footer of line ${this.#footer.line}, got one`);
    }
    if (this.#refused > REFUSED_ROWS_MAX) problems.throwIfAny();
  }
}
