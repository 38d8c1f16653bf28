import { quoted } from '../../../kernel';
import { dateReader } from '../date-text';
import { LINES_MAX } from '../limits';
import type { ParsedLine } from '../parsed-statement';
import { refusal } from '../refusal';
import { balanceSeen } from './balance-seen';
import { type CsvRow, eachRow } from './csv-rows';
import { type DatedLabel, datedLabel } from './dated-label';
import { isLabeledRow, type LabeledRow } from './labeled-rows';
import { lineReader, type LineRequest } from './read-line';
import { cellOf } from './row-cells';

/** With this number of faulty rows the profile is wrong, so the rest of the file is not read. */
const REFUSED_ROWS_MAX = 1_000;
const LABELED_ROWS_MAX = 1_000;

export interface Body {
  /** In the order of the file. */
  readonly lines: ParsedLine[];
  readonly labeledRows: readonly LabeledRow[];
}

/**
 * Distinguishes lines from the rows around them. A row that the profile knows by its label may be above the first line
 * or below the last. Elsewhere a row without a booking date is refused, and a row with a date is a line like every
 * other.
 */
export function readBody(text: string, request: LineRequest): Body {
  const { header, profile, problems } = request;
  const readDate = dateReader(profile.dateFormat);
  const rows = new BodyRows(request);
  eachRow(text.slice(header.start), { ...profile, firstLine: header.line }, (row) => {
    if (row.line === header.line) return;
    const dated = readDate(cellOf(row, header, profile.columns.bookingDate) ?? '') !== undefined;
    const label = dated ? datedLabel(row, header, profile) : undefined;
    if (label !== undefined) rows.addDatedLabel(label);
    else if (!dated && isLabeledRow(row, profile)) rows.addLabel(row);
    else rows.addLine(row);
  });
  const body = rows.end();
  for (const row of rows.edges()) {
    const seen = balanceSeen(cellOf(row, header, profile.columns.remittance) ?? '');
    if (seen !== undefined) problems.add(`line ${row.line}, column ${quoted(profile.columns.remittance)}: ${seen}`);
  }
  return body;
}

/** The rows below the header in order. Whether a row is the last line is known only at the end. */
class BodyRows {
  readonly #request: LineRequest;
  readonly #readLine: (row: CsvRow) => ParsedLine | undefined;
  readonly #lines: ParsedLine[] = [];
  readonly #labeledRows: LabeledRow[] = [];
  /** Rows below the last line so far. They are lines after all if another line follows. */
  #held: DatedLabel[] = [];
  #refused = 0;
  #footer: CsvRow | undefined;
  #first: CsvRow | undefined;
  #last: CsvRow | undefined;

  constructor(request: LineRequest) {
    this.#request = request;
    this.#readLine = lineReader(request);
  }

  addLabel(row: LabeledRow): void {
    this.#labeledRows.push(row);
    if (this.#labeledRows.length > LABELED_ROWS_MAX) {
      throw refusal(`line ${row.line}: expected at most ${LABELED_ROWS_MAX} labeled rows, got more`);
    }
    if (this.#first !== undefined && row.dated === undefined) this.#footer ??= row;
  }

  addDatedLabel(label: DatedLabel): void {
    if (this.#first === undefined) this.#settle(label);
    else this.#held.push(label);
  }

  addLine(row: CsvRow): void {
    const held = this.#held;
    this.#held = [];
    for (const label of held) this.#readRow(label.row);
    this.#readRow(row);
  }

  end(): Body {
    for (const label of this.#held) this.#settle(label);
    return { lines: this.#lines, labeledRows: this.#labeledRows };
  }

  /** Returns the rows of the first and the last line, which are the same for a single line. */
  edges(): ReadonlySet<CsvRow> {
    return new Set([this.#first, this.#last].filter((row) => row !== undefined));
  }

  #settle(label: DatedLabel): void {
    if (label.kind === 'label') this.addLabel(label.row);
    else this.#request.problems.add(label.fault);
  }

  #readRow(row: CsvRow): void {
    const { problems } = this.#request;
    this.#first ??= row;
    this.#last = row;
    const line = this.#readLine(row);
    if (line === undefined) this.#refused += 1;
    else this.#lines.push(line);
    if (this.#footer !== undefined) {
      this.#refused += 1;
      problems.add(`line ${row.line}: expected no line below the footer of line ${this.#footer.line}, got one`);
    }
    if (this.#refused > REFUSED_ROWS_MAX) problems.throwIfAny();
    if (this.#lines.length > LINES_MAX) {
      throw refusal(`line ${row.line}: expected at most ${LINES_MAX} statement lines, got more`);
    }
  }
}
