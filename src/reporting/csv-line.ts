// What a spreadsheet takes for a formula when a cell begins with it, its wide forms included. A cell also begins after a
// separator: where the list separator is not the comma, quotation marks do not hold a field together.
const FORMULA_START = /(^|[,;|\t\r\n])([\s"]*)(?=[=+\-@＝＋－＠])/g;

/**
 * One line of a CSV file (RFC 4180, with CRLF) that no spreadsheet runs: text that could be a formula gets an
 * apostrophe before it. Numbers stay as they are.
 */
export function csvLine(fields: readonly (string | number | bigint)[]): string {
  return `${fields.map((field) => (typeof field === 'string' ? csvText(field) : String(field))).join(',')}\r\n`;
}

function csvText(text: string): string {
  const harmless = text.replace(FORMULA_START, "$1$2'");
  return /^[A-Za-z0-9._:%-]*$/.test(harmless) ? harmless : `"${harmless.replaceAll('"', '""')}"`;
}
