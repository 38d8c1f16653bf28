import { assert } from './assert';

// Characters (including full-width forms) that make a spreadsheet read a cell as a formula. They also count after a
// separator: if the list separator is not the comma, quotation marks do not keep a field together.
const FORMULA_START = /(?=[=+\-@＝＋－＠])(?<=(?:^|[,;|\t\r\n])[\s"]*)/g;
/** Characters that some spreadsheets remove before they check for a formula. */
const DROPPED_START = /^[\t\r\n]/;
const FIGURE = /^-?\d+(?:\.\d+)?$/;

/** A decimal number that is already text, such as `-12.500`. */
export interface CsvFigure {
  readonly figure: string;
}

export type CsvField = string | number | bigint | CsvFigure;

/** Marks a decimal amount as a number. Only digits with a point and a minus are valid; any other text is a bug. */
export function csvFigure(text: string): CsvFigure {
  assert(FIGURE.test(text), 'a figure is digits, with a point and a minus at most');
  return { figure: text };
}

/**
 * Writes one line of a CSV file (RFC 4180, with CRLF) that is safe in spreadsheets: text that could be a formula gets
 * an apostrophe in front. Numbers and figures stay unchanged.
 */
export function csvLine(fields: readonly CsvField[]): string {
  return `${fields.map(csvCell).join(',')}\r\n`;
}

function csvCell(field: CsvField): string {
  if (typeof field === 'string') return csvText(field);
  return typeof field === 'object' ? field.figure : String(field);
}

function csvText(text: string): string {
  const marked = text.replace(FORMULA_START, "'");
  const harmless = DROPPED_START.test(marked) ? `'${marked}` : marked;
  return /^[A-Za-z0-9._:%-]*$/.test(harmless) ? harmless : `"${harmless.replaceAll('"', '""')}"`;
}
