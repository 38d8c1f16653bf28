import { Parser } from 'htmlparser2';
import iconv from 'iconv-lite';
import { quoted } from '../../../kernel';
import { SHEET_COLUMNS_MAX } from '../limits';
import { fileFault } from '../refusal';
import { cellName, type CellValue, type Sheet, SheetInProgress } from './sheet';
import { readStoredNumber } from './stored-number';

const CHARSET = /<meta[^>]{0,500}?charset\s*=\s*(?:["']\s*)?([\w-]{1,40})/i;
/** Sloppy pages leave many elements open. With the depth the parser slows down. */
const HTML_DEPTH_MAX = 1_000;
const HEAD_CHARACTERS = 64 * 1024;
const MARKS = ['\ufeff', '\u00ff\u00fe', '\u00fe\u00ff'];
/** Elements whose text a browser does not show. */
const UNSEEN = new Set(['script', 'style', 'title', 'template', 'noscript', 'xml']);
/** Elements that start a line of their own. Outside of tables such a line is a row with one cell. */
const BLOCKS = new Set(['p', 'div', 'br', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'li', 'table', 'center', 'body', 'hr']);

interface OpenRow {
  readonly cells: { readonly column: number; readonly text: string; readonly stored: string | undefined }[];
  column: number;
  cell: { text: string; readonly span: number; readonly rows: number; readonly stored: string | undefined } | undefined;
  /** Columns that cells of the rows above occupy, with the number of rows that remain. */
  readonly occupied: Map<number, number>;
}

/**
 * Reads the tables of an HTML page, which programs also name .xls, as one sheet from top to bottom. Text between the
 * tables is a row, too, because accounts and balances are often there. A cell across several rows or columns has its
 * value in the first.
 */
export function readHtmlTables(bytes: Buffer): Sheet {
  const page = new HtmlPage();
  const parser = new Parser(
    {
      onopentag: (name, attributes) => page.open(name, attributes),
      ontext: (text) => page.text(text),
      onclosetag: (name) => page.close(name),
    },
    { decodeEntities: true, lowerCaseTags: true },
  );
  parser.write(htmlText(bytes));
  parser.end();
  return page.finish();
}

/** Decodes by the byte order mark, the declared charset, or UTF-8, otherwise windows-1252, as browsers do. */
function htmlText(bytes: Buffer): string {
  const head = bytes.toString('latin1', 0, HEAD_CHARACTERS);
  if (MARKS.some((mark) => head.startsWith(mark))) {
    return iconv.decode(bytes, head.startsWith('\u00fe') ? 'utf-16be' : 'utf-16le');
  }
  const utf8 = bytes.toString('utf8');
  if (!utf8.includes('\ufffd')) return utf8;
  const declared = CHARSET.exec(head)?.[1]?.toLowerCase() ?? '';
  return iconv.decode(
    bytes,
    /^windows-125\d$|^iso-8859-\d{1,2}$/.test(declared) && declared !== 'iso-8859-1' ? declared : 'windows-1252',
  );
}

class HtmlPage {
  readonly #sheet = new SheetInProgress('');
  readonly #open: OpenRow[] = [];
  /** The rows that cells above still occupy, one map for each open table. */
  readonly #occupied: Map<number, number>[] = [];
  #depth = 0;
  #unseen = 0;
  #line = '';
  #row = 0;
  #hiddenRows = 0;

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    this.#depth += 1;
    if (this.#depth > HTML_DEPTH_MAX) {
      throw fileFault(`expected at most ${HTML_DEPTH_MAX} elements inside each other in HTML, got more`);
    }
    if (UNSEEN.has(name)) this.#unseen += 1;
    if (name === 'table') this.#occupied.push(new Map());
    if (name === 'tr') this.#openRow(attributes);
    else if (name === 'td' || name === 'th') this.#openCell(attributes);
    else if (BLOCKS.has(name)) this.#break();
  }

  text(text: string): void {
    if (this.#unseen > 0) return;
    const cell = this.#open.at(-1)?.cell;
    if (cell !== undefined) cell.text += text;
    else if (this.#open.length === 0) this.#line += text;
  }

  close(name: string): void {
    this.#depth -= 1;
    if (UNSEEN.has(name)) this.#unseen = Math.max(this.#unseen - 1, 0);
    if (name === 'td' || name === 'th') this.#closeCell();
    else if (name === 'tr') this.#closeRow();
    else if (name === 'table') this.#occupied.pop();
    else if (BLOCKS.has(name)) this.#break();
  }

  finish(): Sheet {
    this.#break();
    if (this.#hiddenRows > 0) this.#sheet.note('hidden rows are read');
    return this.#sheet.finish();
  }

  /** Ends a line outside of tables, and separates the lines of a cell. */
  #break(): void {
    const cell = this.#open.at(-1)?.cell;
    if (cell !== undefined) cell.text += ' ';
    if (this.#open.length > 0) return;
    const text = plain(this.#line);
    this.#line = '';
    if (text === '') return;
    this.#row += 1;
    this.#sheet.startRow(this.#row);
    this.#sheet.add(0, { kind: 'text', text });
  }

  #openRow(attributes: Readonly<Record<string, string>>): void {
    this.#break();
    if (/display\s*:\s*none/i.test(attributes['style'] ?? '')) this.#hiddenRows += 1;
    this.#open.push({
      cells: [],
      column: 0,
      cell: undefined,
      occupied: this.#occupied.at(-1) ?? new Map<number, number>(),
    });
  }

  #openCell(attributes: Readonly<Record<string, string>>): void {
    const row = this.#open.at(-1);
    if (row === undefined) return;
    row.cell = {
      text: '',
      span: spanOf(attributes['colspan']),
      rows: spanOf(attributes['rowspan']),
      stored: attributes['x:num'] === '' ? undefined : attributes['x:num'],
    };
  }

  #closeCell(): void {
    const row = this.#open.at(-1);
    const cell = row?.cell;
    if (row === undefined || cell === undefined) return;
    row.cell = undefined;
    while (row.column < SHEET_COLUMNS_MAX && takeOne(row.occupied, row.column)) row.column += 1;
    row.cells.push({ column: row.column, text: plain(cell.text), stored: cell.stored });
    for (let column = row.column; cell.rows > 1 && column < row.column + cell.span; column += 1) {
      row.occupied.set(column, cell.rows - 1);
    }
    row.column += cell.span;
  }

  #closeRow(): void {
    const row = this.#open.pop();
    if (row === undefined) return;
    this.#row += 1;
    this.#sheet.startRow(this.#row);
    for (const { column, text, stored } of row.cells) {
      const value = this.#valueOf(text, stored, column);
      if (value.kind !== 'text' || value.text !== '') this.#sheet.add(column, value);
    }
  }

  /** Excel writes the stored number beside the shown text if they differ. */
  #valueOf(text: string, stored: string | undefined, column: number): CellValue {
    const exact = stored === undefined ? text : storedText(text, stored);
    if (exact === undefined) {
      const place = cellName(column, this.#row);
      const got = `${quoted(text)}, stored ${quoted(stored ?? '')}`;
      this.#sheet.fault(`cell ${place}: expected a shown number that is the rounding of the stored one, got ${got}`);
    }
    return { kind: 'text', text: exact ?? text };
  }
}

/** Returns the stored number in the form of the shown one; undefined if the shown one is not its rounding. */
function storedText(shown: string, stored: string): string | undefined {
  const reading = readStoredNumber(stored, 'General', 1900);
  const exact = reading.ok && reading.value.kind === 'number' ? reading.value.text : undefined;
  const decimals = exact === undefined ? undefined : shownDecimals(shown, exact);
  if (exact === undefined || decimals === undefined) return undefined;
  if (decimals === 0) return exact.includes('.') ? undefined : exact;
  const sign = /[.,](?=\d+\D*$)/.exec(shown)?.[0];
  if (sign === undefined) return undefined;
  const [whole = '', fraction = ''] = exact.split('.');
  return `${whole}${sign}${fraction.padEnd(decimals, '0')}`;
}

/** Returns the number of decimals with which the digits of a text round a number; undefined with none. */
function shownDecimals(text: string, exact: string): number | undefined {
  const digits = text.replace(/\D/g, '');
  if (digits === '' || /[-(\u2212]/.test(text) !== exact.startsWith('-')) return undefined;
  const value = Math.abs(Number(exact));
  return [0, 1, 2, 3].find((decimals) => {
    return Math.abs(Number(digits) / 10 ** decimals - value) <= 0.5 * 10 ** -decimals + 1e-9;
  });
}

function spanOf(text: string | undefined): number {
  const span = Number(text ?? 1);
  return Number.isSafeInteger(span) && span >= 1 && span <= SHEET_COLUMNS_MAX ? span : 1;
}

/** Returns whether a cell above occupies a column, and counts the row. */
function takeOne(occupied: Map<number, number>, column: number): boolean {
  const rows = occupied.get(column) ?? 0;
  if (rows > 1) occupied.set(column, rows - 1);
  else occupied.delete(column);
  return rows > 0;
}

/** Returns a text on one line. A space that does not break may separate thousands, so it stays. */
function plain(text: string): string {
  return text.replace(/\s+/g, (spaces) => (/^\u00a0+$/.test(spaces) ? '\u00a0' : ' ')).trim();
}
