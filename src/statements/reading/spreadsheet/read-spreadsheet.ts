import { readHtmlTables } from './read-html-tables';
import { readWorkbook } from './read-workbook';
import type { Workbook } from './sheet';
import type { SpreadsheetKind } from './spreadsheet-kind';

/**
 * Reads a spreadsheet file. `require` loads this module, which needs large libraries.
 *
 * @public
 * @throws AppError `bad_input` if it cannot be read.
 */
export function readSpreadsheet(kind: SpreadsheetKind, bytes: Buffer): Workbook {
  return kind === 'xlsx' ? readWorkbook(bytes) : { sheets: [readHtmlTables(bytes)], hidden: [] };
}
