import { decodeText } from '../decode-text';
import type { StatementEvent } from '../parsed-statement';
import { Problems } from '../problems';
import { fileFault, refusal } from '../refusal';
import type { StatementProfile } from '../statement-profile';
import { type CsvRow, firstLines, looseCells } from './csv-rows';
import { requireHeader } from './detect-profile';
import type { CsvHeader } from './find-header';
import { readBody } from './read-body';
import { RepeatedCell } from './repeated-cell';
import { readFacts } from './statement-facts';

export interface CsvReaderOptions {
  readonly profile: StatementProfile;
  /** Replaces a missing or wrong account of the file. */
  readonly account?: string | undefined;
}

/**
 * Reads a CSV export as one statement. It never skips an unreadable row between the header and the footer.
 * @throws AppError `bad_input` that names each unreadable line and column.
 */
export function readCsvStatement(bytes: Uint8Array, options: CsvReaderOptions): StatementEvent[] {
  const { profile } = options;
  const decoded = decodeText(bytes, profile.encoding);
  if (!decoded.ok) throw refusal(decoded.fault);
  const { text } = decoded;
  if (text.trim() === '') throw fileFault('the file is empty');
  const header = requireHeader(text, profile);

  const problems = new Problems();
  const account = new RepeatedCell('account');
  const currency = new RepeatedCell('currency');
  const { lines, labeledRows } = readBody(text, { header, profile, problems, account, currency });
  if (profile.order === 'newest-first') lines.reverse();
  const around = [...preambleRows(text, header, profile), ...labeledRows];
  const statement = readFacts({
    around,
    header,
    profile,
    problems,
    lines,
    account: options.account ?? account.value,
    currency: currency.value,
  });
  problems.throwIfAny();
  if (lines.length === 0 && (statement.opening === undefined || statement.closing === undefined)) {
    throw fileFault('expected a statement, got neither lines nor both balances');
  }
  const events = lines.map((line): StatementEvent => ({ kind: 'line', line }));
  events.push({ kind: 'statement', statement });
  return events;
}

function preambleRows(text: string, header: CsvHeader, profile: StatementProfile): CsvRow[] {
  return firstLines(text, header.line - 1).map((line) => ({
    line: line.line,
    cells: looseCells(line.text, profile),
    raw: line.text,
  }));
}
