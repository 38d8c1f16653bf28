import { decodeText } from '../decode-text';
import type { StatementEvent } from '../parsed-statement';
import { Problems } from '../problems';
import { fileFault, refusal } from '../refusal';
import type { StatementProfile } from '../statement-profile';
import { requireHeader } from './detect-profile';
import type { CsvHeader } from './find-header';
import type { LabeledRow } from './labeled-rows';
import { readBody } from './read-body';
import { type RowSource, textRows } from './row-source';
import { readFacts } from './statement-facts';

export interface CsvReaderOptions {
  readonly profile: StatementProfile;
  /** The account that a person gave. It counts if the file states none that can be read. */
  readonly account?: string | undefined;
  /** What the profile reads in the file, if that is known. */
  readonly events?: readonly StatementEvent[] | undefined;
}

/**
 * Reads a CSV export as one statement for each account.
 * @throws AppError `bad_input` that names each unreadable line and column.
 */
export function readCsvStatement(bytes: Uint8Array, options: CsvReaderOptions): StatementEvent[] {
  const decoded = decodeText(bytes, options.profile.encoding);
  if (!decoded.ok) throw refusal(decoded.fault);
  return readRows(textRows(decoded.text), options);
}

/**
 * Reads rows, of a text or of a sheet, as one statement for each account. It never skips an unreadable row between the
 * header and the footer.
 * @throws AppError `bad_input` that names each unreadable line and column.
 */
export function readRows(source: RowSource, { profile, account }: CsvReaderOptions): StatementEvent[] {
  if (source.isBlank()) throw fileFault('the file is empty');
  const header = requireHeader(source, profile);
  const problems = new Problems();
  const preamble = preambleRows(source, header, profile);
  const sections = readBody(source, { header, profile, problems, preamble });
  const severalAccounts = sections.length > 1;
  const statements = sections.map((section) => {
    const lines = profile.order === 'newest-first' ? [...section.lines].reverse() : section.lines;
    const statement = readFacts({
      ...section,
      ...{ preamble, header, profile, problems, lines, severalAccounts },
      // A given account must not join several.
      given: severalAccounts ? undefined : account,
    });
    return { lines, statement };
  });
  problems.throwIfAny();
  return statements.flatMap(({ lines, statement }): StatementEvent[] => {
    if (lines.length === 0 && (statement.opening === undefined || statement.closing === undefined)) {
      throw fileFault('expected a statement, got neither lines nor both balances');
    }
    return [...lines.map((line): StatementEvent => ({ kind: 'line', line })), { kind: 'statement', statement }];
  });
}

/** Returns the rows above the heading. */
export function preambleRows(
  source: RowSource,
  header: Pick<CsvHeader, 'line'>,
  profile: Pick<StatementProfile, 'delimiter' | 'quote'>,
): LabeledRow[] {
  return source
    .head(profile)
    .filter(({ line }) => line < header.line)
    .map((row) => ({ ...row, place: 'above', dated: false }));
}
