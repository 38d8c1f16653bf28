import { isAppError, type Notice, quoted } from '../../../kernel';
import { fileFault, namingRows, refusal } from '../refusal';
import { refuseMixedCells } from './refuse-mixed-cells';
import type { Sheet, Workbook } from './sheet';

const FAULTS_SHOWN_MAX = 20;

/**
 * Returns what `read` makes of the one sheet with a statement.
 * @throws AppError `bad_input` if no sheet has one, with the fault of each sheet, or if several have one.
 */
export function chooseSheet<T>({ sheets, hidden }: Workbook, read: (sheet: Sheet, notes: readonly string[]) => T): T {
  const filled = sheets.filter(({ rows, faults }) => rows.length > 0 || faults.length > 0);
  const ofHidden = hidden.map((name) => `the hidden sheet ${quoted(name)} is not read`);
  const [only, ...others] = filled;
  if (only === undefined) {
    throw fileFault('expected a sheet with a statement, got none with a cell', { details: ofHidden });
  }
  if (others.length === 0) return ofSheet(only, ofHidden, read);
  const faults: Notice[] = [];
  const found: { readonly name: string; readonly value: T }[] = [];
  for (const sheet of filled) {
    const notes = [`the sheet ${quoted(sheet.name)} is read`, ...ofHidden];
    try {
      found.push({ name: sheet.name, value: ofSheet(sheet, notes, read) });
    } catch (error) {
      if (!isAppError(error, 'bad_input')) throw error;
      const { text, command } = error.faults[0] ?? error.notice;
      faults.push({ text: `sheet ${quoted(sheet.name)}: ${text}`, command });
    }
  }
  const [first, ...more] = found;
  if (first === undefined) {
    throw fileFault('expected a sheet with a statement, got none', { details: [...faults, ...ofHidden] });
  }
  if (more.length === 0) return first.value;
  throw fileFault(`expected one sheet with a statement, got ${found.length}`, {
    fix: 'save each of them as a file of its own',
    details: found.map(({ name }) => `sheet ${quoted(name)} has a statement`),
  });
}

function ofSheet<T>(sheet: Sheet, notes: readonly string[], read: (sheet: Sheet, notes: readonly string[]) => T): T {
  requireReadable(sheet);
  return namingRows(() => read(sheet, [...notes, ...sheet.notes]));
}

/** Checks each cell of a sheet. @throws AppError `bad_input` that lists the cells without a certain value. */
function requireReadable(sheet: Sheet): void {
  const more = sheet.faults.length - FAULTS_SHOWN_MAX;
  if (more > 0) throw refusal(...sheet.faults.slice(0, FAULTS_SHOWN_MAX), `and ${more} more`);
  if (sheet.faults.length > 0) throw refusal(...sheet.faults);
  refuseMixedCells(sheet);
}
