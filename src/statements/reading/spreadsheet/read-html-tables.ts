import { Parser } from 'htmlparser2';
import iconv from 'iconv-lite';
import { quoted } from '../../../kernel';
import { SHEET_COLUMNS_MAX } from '../limits';
import { fileFault } from '../refusal';
import { cellName, type CellValue, countsInEachRow, DATE_TEXT, type Sheet, SheetInProgress } from './sheet';
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

/** `gone`: an element is left out as if it were not there. `invisible`: its text is not shown, and its place is empty. */
type Hiding = 'gone' | 'invisible';

interface OpenTable {
  /** The number of its last row, from 1. */
  row: number;
  /** The columns that `col` elements describe so far, and those of them that are hidden. */
  columns: number;
  readonly hidden: Set<number>;
  /** The last row of the cells above that occupy a column, and of those whose value counts in each of their rows. */
  readonly occupied: Map<number, number>;
  readonly values: Map<number, { readonly first: number; readonly last: number; readonly text: string }>;
}

interface OpenRow {
  readonly table: OpenTable;
  readonly cells: { readonly column: number; readonly text: string; readonly stored: string | undefined }[];
  column: number;
  cell: { text: string; readonly span: number; readonly rows: number; readonly stored: string | undefined } | undefined;
}

/**
 * Reads the tables of an HTML page, which programs also name .xls, as one sheet from top to bottom. Text between the
 * tables is a row, too, because accounts and balances are often there. A cell across several columns has its value in
 * the first. Text that a browser does not show is left out.
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
  readonly #tables: OpenTable[] = [];
  readonly #open: OpenRow[] = [];
  readonly #rules = new Map<string, Hiding>();
  #depth = 0;
  /** The depth of the open element that is left out, and of the one whose text is invisible. */
  #gone: number | undefined;
  #invisible: number | undefined;
  #hides = false;
  #text = '';
  #line = '';
  #row = 0;

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    this.#depth += 1;
    if (this.#depth > HTML_DEPTH_MAX) {
      throw fileFault(`expected at most ${HTML_DEPTH_MAX} elements inside each other in HTML, got more`);
    }
    if (this.#gone !== undefined) return;
    const hiding = this.#hidingOf(attributes);
    const table = this.#tables.at(-1);
    if (name === 'tr' && table !== undefined) table.row += 1;
    if (hiding !== undefined) this.#hides = true;
    if (name === 'col') describeColumns(table, attributes, hiding);
    else if (hiding === 'gone' || UNSEEN.has(name)) this.#gone = this.#depth;
    else this.#openShown(name, attributes, hiding);
  }

  #openShown(name: string, attributes: Readonly<Record<string, string>>, hiding: Hiding | undefined): void {
    if (hiding !== undefined) this.#invisible ??= this.#depth;
    if (name === 'table') this.#tables.push(newTable());
    if (name === 'tr') this.#openRow();
    else if (name === 'td' || name === 'th') this.#openCell(attributes);
    else if (BLOCKS.has(name)) this.#break();
  }

  text(text: string): void {
    if (this.#gone !== undefined) this.#text += text;
    if (this.#gone !== undefined || this.#invisible !== undefined) return;
    const cell = this.#open.at(-1)?.cell;
    if (cell !== undefined) cell.text += text;
    else if (this.#open.length === 0) this.#line += text;
  }

  close(name: string): void {
    const depth = this.#depth;
    this.#depth -= 1;
    if (this.#gone !== undefined) {
      if (this.#gone !== depth) return;
      if (name === 'style') for (const [selector, hiding] of hidingRules(this.#text)) this.#rules.set(selector, hiding);
      this.#text = '';
      this.#gone = undefined;
      return;
    }
    if (this.#invisible === depth) this.#invisible = undefined;
    if (name === 'td' || name === 'th') this.#closeCell();
    else if (name === 'tr') this.#closeRow();
    else if (name === 'table') this.#tables.pop();
    else if (BLOCKS.has(name)) this.#break();
  }

  finish(): Sheet {
    this.#break();
    if (this.#hides) this.#sheet.note('hidden text is not read');
    return this.#sheet.finish();
  }

  #hidingOf(attributes: Readonly<Record<string, string>>): Hiding | undefined {
    const { style = '', class: classes = '', id = '' } = attributes;
    if (attributes['hidden'] !== undefined) return 'gone';
    const own = hidingOf(style);
    if (own !== undefined || this.#rules.size === 0 || /\b(?:display|visibility)\s*:/i.test(style)) return own;
    const selectors = [`#${id}`, ...classes.split(/\s+/).map((word) => `.${word}`)];
    return selectors.flatMap((selector) => this.#rules.get(selector) ?? [])[0];
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

  #openRow(): void {
    this.#break();
    this.#open.push({ table: this.#tables.at(-1) ?? newTable(), cells: [], column: 0, cell: undefined });
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
    const { table } = row;
    while (row.column < SHEET_COLUMNS_MAX && (table.occupied.get(row.column) ?? 0) >= table.row) row.column += 1;
    const text = table.hidden.has(row.column) ? '' : plain(cell.text);
    row.cells.push({ column: row.column, text, stored: text === '' ? undefined : cell.stored });
    const last = table.row + cell.rows - 1;
    for (let column = row.column; cell.rows > 1 && column < row.column + cell.span; column += 1) {
      table.occupied.set(column, last);
    }
    if (cell.rows > 1 && cell.span === 1 && text !== '' && countsInEachRow({ kind: 'text', text })) {
      table.values.set(row.column, { first: table.row, last, text });
    }
    row.column += cell.span;
  }

  #closeRow(): void {
    const row = this.#open.pop();
    if (row === undefined) return;
    this.#row += 1;
    this.#sheet.startRow(this.#row);
    for (const { column, text, stored } of withValuesAbove(row)) {
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

/**
 * Returns the stored number in the form of the shown one; undefined if the shown one is not its rounding. A date is the
 * shown one.
 */
function storedText(shown: string, stored: string): string | undefined {
  if (DATE_TEXT.test(shown)) return shown;
  const reading = readStoredNumber(stored, 'General', 1900);
  const exact = reading.ok && reading.value.kind === 'number' ? reading.value.text : undefined;
  const decimals = exact === undefined ? undefined : shownDecimals(shown, exact);
  if (exact === undefined || decimals === undefined) return undefined;
  if (decimals === 0) return exact.includes('.') || (exact !== '0' && mayShowDecimals(shown)) ? undefined : exact;
  const sign = /[.,](?=\d+\D*$)/.exec(shown)?.[0];
  if (sign === undefined) return undefined;
  const [whole = '', fraction = ''] = exact.split('.');
  return `${whole}${sign}${fraction.padEnd(decimals, '0')}`;
}

/** Returns whether a text with the digits of a whole number may show another one: `1 200,500` and `12.500`. */
function mayShowDecimals(text: string): boolean {
  const signs = text.match(/(?<=\d)[.,\u066b](?=\d)/g) ?? [];
  return signs.length === 1 || new Set(signs).size > 1;
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

function newTable(): OpenTable {
  return { row: 0, columns: 0, hidden: new Set(), occupied: new Map(), values: new Map() };
}

function describeColumns(
  table: OpenTable | undefined,
  { span }: Readonly<Record<string, string>>,
  hiding: Hiding | undefined,
): void {
  if (table === undefined) return;
  const end = Math.min(table.columns + spanOf(span), SHEET_COLUMNS_MAX);
  for (; table.columns < end; table.columns += 1) if (hiding !== undefined) table.hidden.add(table.columns);
}

/** Returns the cells of a row. One with a cell of its own also has the values that cells above give to each row. */
function withValuesAbove({ table, cells }: OpenRow): OpenRow['cells'] {
  if (table.values.size === 0 || cells.every(({ text }) => text === '')) return cells;
  for (const [column, { first, last, text }] of table.values) {
    if (last < table.row) table.values.delete(column);
    else if (first < table.row) cells.push({ column, text, stored: undefined });
  }
  return cells.sort((a, b) => a.column - b.column);
}

/** Returns how the declarations of a style hide an element. */
function hidingOf(style: string): Hiding | undefined {
  if (/(?:^|[;\s])display\s*:\s*none/i.test(style)) return 'gone';
  return /(?:^|[;\s])visibility\s*:\s*(?:hidden|collapse)/i.test(style) ? 'invisible' : undefined;
}

/** A class or an id, possibly of one kind of element, and behind a comment. */
const SELECTOR = /(?:^|\*\/|<!--)\s*[a-z]*([.#][\w-]+)\s*$/i;

/** Returns the selectors that a style sheet hides. Rules inside others, as those for paper, are left out. */
function hidingRules(rules: string): (readonly [selector: string, hiding: Hiding])[] {
  let depth = 0;
  return rules.split('}').flatMap((rule) => {
    const [selectors = '', ...bodies] = rule.split('{');
    depth += bodies.length - 1;
    const hiding = depth === 0 && bodies.length === 1 ? hidingOf(bodies[0] ?? '') : undefined;
    if (hiding === undefined) return [];
    return selectors.split(',').flatMap((selector) => {
      const name = SELECTOR.exec(selector)?.[1];
      return name === undefined ? [] : [[name, hiding] as const];
    });
  });
}

/** Returns a text on one line. A space that does not break may separate thousands, so it stays. */
function plain(text: string): string {
  return text.replace(/\s+/g, (spaces) => (/^\u00a0+$/.test(spaces) ? '\u00a0' : ' ')).trim();
}
