import { createRequire } from 'node:module';
import type { StatementEvent, StatementReader } from '../parsed-statement';
import { chooseSheet } from '../spreadsheet/choose-sheet';
import { namingRows } from '../spreadsheet/naming-rows';
import type { Sheet } from '../spreadsheet/sheet';
import { formOf, profileOfSheet, PROPOSAL_FORM, sheetText } from '../spreadsheet/sheet-text';
import type { SpreadsheetKind } from '../spreadsheet/spreadsheet-kind';
import type { StatementProfile } from '../statement-profile';
import { type CsvReaderOptions, readCsvStatement } from './read-csv-statement';

export { refuseOtherKinds, type SpreadsheetKind, spreadsheetKind } from '../spreadsheet/spreadsheet-kind';

/** A sheet of a spreadsheet file, as the CSV reader sees it. */
export interface SheetTable {
  /** The text from which a profile can be proposed. */
  readonly text: Buffer;
  /** Returns a profile for that text: the encoding and the delimiter of the bank's CSV have no meaning in it. */
  profileOf(profile: StatementProfile): StatementProfile;
  createReader(options: CsvReaderOptions): StatementReader;
}

const requireHere = createRequire(__filename);

/**
 * Reads a spreadsheet file and returns what `read` makes of its one sheet with a statement. Its libraries are loaded for
 * such a file alone, because they are large (ADR 26).
 *
 * @throws AppError `bad_input` if no sheet has a statement, or several have one.
 */
export function readSheets<T>(kind: SpreadsheetKind, bytes: Buffer, read: (table: SheetTable) => T): T {
  const { readSpreadsheet } = requireHere(
    '../spreadsheet/read-spreadsheet',
  ) as typeof import('../spreadsheet/read-spreadsheet');
  return chooseSheet(readSpreadsheet(kind, bytes), (sheet, notes) =>
    read({
      text: sheetText(sheet, PROPOSAL_FORM),
      profileOf: profileOfSheet,
      createReader: (options) => createSheetReader(sheet, notes, options),
    }),
  );
}

/** The bytes of the file were read before, so the reader ignores them. `notes` are added to those of the statement. */
function createSheetReader(sheet: Sheet, notes: readonly string[], options: CsvReaderOptions): StatementReader {
  return {
    push: () => [],
    end() {
      const profile = profileOfSheet(options.profile);
      const text = sheetText(sheet, formOf(options.profile));
      return namingRows(() => readCsvStatement(text, { ...options, profile }).map((event) => withNotes(event, notes)));
    },
  };
}

function withNotes(event: StatementEvent, notes: readonly string[]): StatementEvent {
  if (event.kind === 'line') return event;
  return { kind: 'statement', statement: { ...event.statement, notes: [...notes, ...event.statement.notes] } };
}
