import { createRequire } from 'node:module';
import type { StatementEvent, StatementReader } from '../parsed-statement';
import { linesAsRows, namingRows } from '../refusal';
import { chooseSheet } from '../spreadsheet/choose-sheet';
import type { SpreadsheetKind } from '../spreadsheet/spreadsheet-kind';
import type { StatementProfile } from '../statement-profile';
import type { GivenForm } from './form-choice';
import { type ProposedProfile, proposeProfileOf } from './propose-profile';
import { type CsvReaderOptions, readRows } from './read-csv-statement';
import type { RowSource } from './row-source';
import { PROPOSAL_FORM, sheetRows } from './sheet-rows';

export { refuseOtherKinds, type SpreadsheetKind, spreadsheetKind } from '../spreadsheet/spreadsheet-kind';

/** A CSV file, or a sheet of a spreadsheet file, whose profile is still to be chosen. */
export interface RowTable {
  /** Returns the rows as a profile sees them; undefined if the bytes do not fit its encoding. */
  readonly rowsFor: (profile: Pick<StatementProfile, 'encoding'>) => RowSource | undefined;
  /** @throws AppError `bad_input` if no profile can be proposed. */
  readonly propose: (given: GivenForm) => ProposedProfile;
  readonly createReader: (options: CsvReaderOptions) => StatementReader;
}

const requireHere = createRequire(__filename);

/**
 * Reads a spreadsheet file and returns what `read` makes of its one sheet with a statement. Its libraries are loaded for
 * such a file alone, because they are large (ADR 26).
 *
 * @throws AppError `bad_input` if no sheet has a statement, or several have one.
 */
export function readSheets<T>(kind: SpreadsheetKind, bytes: Buffer, read: (table: RowTable) => T): T {
  const { readSpreadsheet } = requireHere(
    '../spreadsheet/read-spreadsheet',
  ) as typeof import('../spreadsheet/read-spreadsheet');
  return chooseSheet(readSpreadsheet(kind, bytes), (sheet, notes) => {
    const source = sheetRows(sheet, PROPOSAL_FORM);
    const withNotes = (event: StatementEvent): StatementEvent =>
      event.kind === 'line'
        ? event
        : { kind: 'statement', statement: { ...event.statement, notes: [...notes, ...event.statement.notes] } };
    return read({
      rowsFor: () => source,
      propose(given) {
        // A number is read again in the form of the profile, which may leave out decimals.
        const { choices, events: _, ...proposed } = proposeProfileOf(source, given);
        return { ...proposed, choices: choices.map((each) => ({ ...each, place: linesAsRows(each.place) })) };
      },
      // The bytes of the file were read before, so the reader ignores them.
      createReader: (options) => ({
        push: () => [],
        end: () => namingRows(() => readRows(sheetRows(sheet, options.profile), options).map(withNotes)),
      }),
    });
  });
}
