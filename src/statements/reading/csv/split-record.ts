import type { StatementProfile } from '../statement-profile';

export type CsvDialect = Pick<StatementProfile, 'delimiter' | 'quote'>;

export type SplitRecord =
  | {
      readonly ok: true;
      readonly cells: readonly string[];
      /** The end of its text, before the line end, and the start of the next record. */
      readonly end: number;
      readonly next: number;
      /** The number of line ends inside quoted cells. */
      readonly lineEndsInside: number;
    }
  | { readonly ok: false; readonly fault: string; readonly next: number };

/** Without a limit, a quotation mark that is never closed would turn the rest of the file into one cell. */
export const RECORD_CHARACTERS_MAX = 64 * 1024;

const LF = 0x0a;
const CR = 0x0d;
const NO_CODE = -1;

const TOO_LONG = `expected at most ${RECORD_CHARACTERS_MAX} characters, got more; a quotation mark may never be closed`;

/**
 * Splits the record at an offset into cells (RFC 4180; a line ends with CRLF, LF or CR). It reads each character once:
 * a parser that costs microseconds per record takes a minute for a file of empty lines.
 */
export function splitRecord(text: string, start: number, { delimiter, quote }: CsvDialect): SplitRecord {
  const cells: string[] = [];
  const limit = start + RECORD_CHARACTERS_MAX;
  // Compares codes instead of characters, because this loop reads every character of the file.
  const delimiterCode = delimiter.charCodeAt(0);
  const quoteCode = quote === null ? NO_CODE : quote.charCodeAt(0);
  let lineEndsInside = 0;
  let at = start;
  const fail = (fault: string): SplitRecord => ({ ok: false, fault, next: text.length });
  for (;;) {
    if (quote !== null && text.charCodeAt(at) === quoteCode) {
      const cell = quotedCell(text, at, { quote, limit });
      if (cell === undefined) {
        return fail(text.length > limit ? TOO_LONG : 'expected a closing quotation mark, got the end of the file');
      }
      cells.push(cell.text);
      lineEndsInside += lineEnds(cell.text);
      at = cell.next;
      if (!endsCell(text, at, delimiterCode)) {
        return fail('expected the end of the cell after its closing quotation mark, got text');
      }
    } else {
      const from = at;
      while (!endsCell(text, at, delimiterCode)) {
        if (text.charCodeAt(at) === quoteCode) {
          return fail('expected no quotation mark inside an unquoted cell, got one');
        }
        at += 1;
        if (at > limit) return fail(TOO_LONG);
      }
      cells.push(text.slice(from, at));
    }
    if (at > limit) return fail(TOO_LONG);
    if (text.charCodeAt(at) !== delimiterCode) break;
    at += 1;
  }
  const next = text.startsWith('\r\n', at) ? at + 2 : at + 1;
  return { ok: true, cells, end: at, next, lineEndsInside };
}

function endsCell(text: string, at: number, delimiterCode: number): boolean {
  const code = text.charCodeAt(at);
  return code === delimiterCode || code === LF || code === CR || at >= text.length;
}

/**
 * Returns the cell that a quotation mark opens; two marks inside mean one. Undefined if no mark closes it before the
 * limit.
 */
function quotedCell(
  text: string,
  open: number,
  { quote, limit }: { readonly quote: string; readonly limit: number },
): { readonly text: string; readonly next: number } | undefined {
  let cell = '';
  for (let from = open + 1; from <= limit;) {
    const mark = text.indexOf(quote, from);
    if (mark === -1) return undefined;
    cell += text.slice(from, mark);
    if (text[mark + 1] !== quote) return { text: cell, next: mark + 1 };
    cell += quote;
    from = mark + 2;
  }
  return undefined;
}

function lineEnds(cell: string): number {
  return cell.includes('\n') || cell.includes('\r') ? (cell.match(/\r\n|\n|\r/g)?.length ?? 0) : 0;
}
