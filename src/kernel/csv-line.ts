import { assert } from './assert';

// What a spreadsheet reads as a formula when a cell begins with it, its wide forms included. A cell also begins after a
// separator: where the list separator is not the comma, quotation marks do not hold a field together.
const FORMULA_START = /(^|[,;|\t\r\n])([\s"]*)(?=[=+\-@＝＋－＠])/g;
/** What some spreadsheets drop before they look for a formula. */
const DROPPED_START = /^[\t\r\n]/;
const FIGURE = /^-?\d+(?:\.\d+)?$/;

/** A decimal number that is text already, such as `-12.500`. */
export interface CsvFigure {
  readonly figure: string;
}

export type CsvField = string | number | bigint | CsvFigure;

/** Keeps an amount that is written with decimals a number. Anything but digits with a point and a minus is a bug. */
export function csvFigure(text: string): CsvFigure {
  assert(FIGURE.test(text), 'a figure is digits, with a point and a minus at most');
  return { figure: text };
}

/**
 * One line of a CSV file (RFC 4180, with CRLF) that no spreadsheet runs: text that could be a formula gets an
 * apostrophe before it. Numbers and figures stay as they are.
 */
export function csvLine(fields: readonly CsvField[]): string {
  return `${fields.map(csvCell).join(',')}\r\n`;
}

function csvCell(field: CsvField): string {
  if (typeof field === 'string') return csvText(field);
  return typeof field === 'object' ? field.figure : String(field);
}

function csvText(text: string): string {
  const marked = text.replace(FORMULA_START, "$1$2'");
  const harmless = DROPPED_START.test(marked) ? `'${marked}` : marked;
  return /^[A-Za-z0-9._:%-]*$/.test(harmless) ? harmless : `"${harmless.replaceAll('"', '""')}"`;
}
