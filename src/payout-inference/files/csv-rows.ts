import { isAscii, isUtf8 } from 'node:buffer';
import { counted, quoted } from '../../kernel';
import { elementAt } from '../at';
import type { FaultList } from './fault-list';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const QUOTE = 0x22;
const COMMA = 0x2c;
const END_OF_FIELD = /^(?:,|\r?\n|$)/;
const BYTE_ORDER_MARK = '\uFEFF';
/** A header with more columns is refused before its names are read. */
const COLUMNS_MAX = 50;

/** An input file: its name for people, and its content. */
export interface InputFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** The required and the optional columns of a file. They may be in any order. */
export interface CsvColumns {
  readonly required: readonly string[];
  readonly optional?: readonly string[];
}

/**
 * Reads the rows of a comma-separated file in UTF-8 (RFC 4180, lines ending with CRLF or LF, with or without a byte
 * order mark), one after the other. An unreadable row is a fault, never an exception: `next` skips it. csv-parse, with
 * which `readCsvTable` of the kernel reads small files, takes three times as long for a million rows and stops at a
 * misplaced quotation mark.
 */
export class CsvRows {
  readonly #text: string;
  readonly #name: string;
  readonly #faults: FaultList;
  readonly #fields: string[] = [];
  #header: readonly string[] = [];
  #position = 0;
  #line = 1;
  #nextLine = 1;
  #rowFault: string | undefined;

  constructor({ name, bytes }: InputFile, columns: CsvColumns, faults: FaultList) {
    this.#name = name;
    this.#faults = faults;
    const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#text = content.toString(isAscii(content) ? 'latin1' : 'utf8'); // latin1 is faster, and equal for ASCII
    if (this.#text.startsWith(BYTE_ORDER_MARK)) this.#position = BYTE_ORDER_MARK.length;
    const fault = this.#faultOfContent(content) ?? this.#readHeader(columns);
    if (fault === undefined) return;
    this.fault(undefined, fault);
    this.#position = this.#text.length;
  }

  /** The line of the file on which the row starts; the header is line 1. */
  get line(): number {
    return this.#line;
  }

  /** Advances to the next row that has all its columns. Returns false at the end. */
  next(): boolean {
    while (this.#position < this.#text.length) {
      const width = this.#header.length;
      const count = this.#readRow();
      if (count === width) return true;
      if (count > 0) this.fault(undefined, `has ${counted(count, 'column')}, the header has ${width}`);
    }
    return false;
  }

  /** Returns the index of a column in this file; -1 for a missing column, which reads as empty in every row. */
  column(name: string): number {
    return this.#header.indexOf(name);
  }

  text(column: number): string {
    return this.#fields[column] ?? '';
  }

  /** Notes a fault of this row, or of one of its columns. */
  fault(column: number | undefined, reason: string): void {
    const name = column === undefined ? '' : `, ${elementAt(this.#header, column)}`;
    this.#faults.add(`${this.#name}, line ${this.#line}${name}`, reason);
  }

  #faultOfContent(content: Buffer): string | undefined {
    if (!isUtf8(content)) {
      for (let start = 0; ; this.#line += 1) {
        const end = content.indexOf('\n', start);
        if (end === -1 || !isUtf8(content.subarray(start, end))) return 'is not UTF-8';
        start = end + 1;
      }
    }
    // The second mark would be an invisible part of a name. A program that writes two has a fault.
    return this.#text.startsWith(BYTE_ORDER_MARK.repeat(2)) ? 'begins with two byte order marks' : undefined;
  }

  #readHeader({ required, optional = [] }: CsvColumns): string | undefined {
    const expected = `the header must be ${required.join(',')}${optional.length > 0 ? `[,${optional.join(',')}]` : ''}`;
    let count = 0;
    while (count === 0 && this.#position < this.#text.length) count = this.#readRow();
    if (count === 0) return 'the file is empty';
    if (count < 0 || count > COLUMNS_MAX) return expected;
    const names = this.#fields.slice(0, count).map((name) => name.trim());
    const missing = required.filter((name) => !names.includes(name));
    if (missing.length > 0) return `${expected}; missing: ${missing.join(', ')}`;
    const unknown = names.filter((name) => !required.includes(name) && !optional.includes(name));
    if (unknown.length > 0) return `${expected}; unknown: ${unknown.map(quoted).join(', ')}`;
    if (new Set(names).size !== names.length) return `${expected}; a column stands twice`;
    this.#header = names;
    return undefined;
  }

  /**
   * Reads one row, which may span lines inside quotes. Returns its number of fields; 0 for an empty line, -1 for a
   * faulty row.
   */
  #readRow(): number {
    const text = this.#text;
    const first = this.#position;
    this.#line = this.#nextLine;
    this.#nextLine += 1;
    let count = 0;
    for (;;) {
      const field = text.charCodeAt(this.#position) === QUOTE ? this.#quotedField() : this.#plainField();
      if (count < COLUMNS_MAX) this.#fields[count] = field;
      count += 1;
      if (text.charCodeAt(this.#position) !== COMMA) break;
      this.#position += 1;
    }
    const isEmpty = this.#position === first;
    this.#position += text.charCodeAt(this.#position) === CARRIAGE_RETURN ? 2 : 1;
    const fault = this.#rowFault;
    this.#rowFault = undefined;
    if (fault === undefined) return isEmpty ? 0 : count;
    this.fault(undefined, fault);
    return -1;
  }

  /** Reads a field without quotation marks, and stops at the comma or the end of the line after it. */
  #plainField(): string {
    const text = this.#text;
    const start = this.#position;
    let end = start;
    for (; end < text.length; end += 1) {
      const code = text.charCodeAt(end);
      if (code > COMMA) continue; // letters and digits: nearly every character
      if (code === COMMA || code === LINE_FEED || text.startsWith('\r\n', end)) break;
      if (code === QUOTE) this.#rowFault ??= 'a quotation mark stands inside a field that is not quoted';
      if (code === CARRIAGE_RETURN) this.#rowFault ??= 'a carriage return stands inside a field that is not quoted';
    }
    this.#position = end;
    return text.slice(start, end);
  }

  /** Reads a field in quotation marks. If text stands behind it, the rest of the line is skipped. */
  #quotedField(): string {
    const text = this.#text;
    const start = this.#position + 1;
    let end = indexOrEnd(text, '"', start);
    while (text[end + 1] === '"') end = indexOrEnd(text, '"', end + 2);
    const field = text.slice(start, end).split('""').join('"');
    for (let at = field.indexOf('\n'); at !== -1; at = field.indexOf('\n', at + 1)) this.#nextLine += 1;
    this.#position = Math.min(end + 1, text.length);
    if (end === text.length) this.#rowFault ??= 'a quoted field is not closed';
    else if (!END_OF_FIELD.test(text.slice(end + 1, end + 3))) {
      this.#rowFault ??= 'text stands behind a quoted field';
      this.#position = indexOrEnd(text, '\n', end);
    }
    return field;
  }
}

function indexOrEnd(text: string, sought: string, from: number): number {
  const index = text.indexOf(sought, from);
  return index === -1 ? text.length : index;
}
