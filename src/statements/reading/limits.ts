/** Limits on the content of a bank file. A file beyond one is refused with the limit and the place. */

export const BYTES_PER_MIB = 1024 * 1024;
/** A file that is read as a stream: camt, MT940. */
export const FILE_BYTES_MAX = 1024 * BYTES_PER_MIB;
/** A file that is read as a whole: CSV, OFX. */
export const WHOLE_FILE_BYTES_MAX = 16 * BYTES_PER_MIB;
/** The lines of all statements of a file. */
export const LINES_MAX = 1_000_000;
/** The statements of a file. */
export const STATEMENTS_MAX = 10_000;
/** Characters of one line of the file, and of the raw text of one statement line. */
export const RAW_CHARACTERS_MAX = 1024 * 1024;
/** The characters of one text, attribute or field. */
export const TEXT_CHARACTERS_MAX = 64 * 1024;
/** Elements inside elements. */
export const DEPTH_MAX = 64;
/** Transactions inside one batch line. */
export const DETAILS_MAX = 100_000;
/** The parts of a workbook, a ZIP archive, and the bytes of all that are read, unpacked. */
export const ARCHIVE_PARTS_MAX = 10_000;
export const UNPACKED_BYTES_MAX = 128 * BYTES_PER_MIB;
/** The sheets of a workbook, and the rows, columns, cells and characters of one sheet. */
export const SHEETS_MAX = 100;
export const SHEET_ROWS_MAX = 1_048_576;
export const SHEET_CELLS_MAX = 2_000_000;
export const SHEET_COLUMNS_MAX = 1_000;
export const SHEET_CHARACTERS_MAX = 16 * BYTES_PER_MIB;
/** The texts that the cells of a workbook share. */
export const SHARED_TEXTS_MAX = 1_000_000;
/** The styles of a workbook and the number formats that it names: each one is parsed, and Excel allows 250. */
export const STYLES_MAX = 100_000;
export const NUMBER_FORMATS_MAX = 1_000;
/** The characters of the name of a part of a workbook. */
export const PART_NAME_CHARACTERS_MAX = 1_000;
