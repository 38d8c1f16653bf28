import { isAscii, isUtf8 } from 'node:buffer';
import { counted } from '../../kernel';
import { at, elementAt } from '../at';
import type { FaultList } from './fault-list';
import { quoted } from './quoted';
import { readQuotedField } from './quoted-field';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const QUOTE = 0x22;
const COMMA = 0x2c;
const BYTE_ORDER_MARK = Buffer.from('\uFEFF');
const ESCAPED_QUOTE = '""';
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
 * order mark), one after the other. It passes over the bytes once and creates only requested texts, because the files
 * have millions of rows. `readCsvTable` of the kernel is for small files. An unreadable row is a fault, never an
 * exception: `next` skips it.
 */
export class CsvRows {
  /** The content without escaping quotation marks. `start` and `end` are offsets into it. */
  readonly bytes: Buffer;
  readonly #name: string;
  readonly #faults: FaultList;
  readonly #starts = new Int32Array(COLUMNS_MAX);
  readonly #ends = new Int32Array(COLUMNS_MAX);
  readonly #encoding: 'latin1' | 'utf8';
  #header: readonly string[] = [];
  #position = 0;
  #line = 0;
  #nextLine = 1;

  constructor(file: InputFile, columns: CsvColumns, faults: FaultList) {
    this.#name = file.name;
    this.#faults = faults;
    const given = Buffer.from(file.bytes.buffer, file.bytes.byteOffset, file.bytes.byteLength);
    const content = startsWithMark(given) ? given.subarray(BYTE_ORDER_MARK.length) : given;
    // Escaped quotation marks are resolved in place, and the bytes belong to the caller, so they are copied first.
    this.bytes = content.includes(ESCAPED_QUOTE) ? Buffer.from(content) : content;
    this.#encoding = isAscii(this.bytes) ? 'latin1' : 'utf8'; // latin1 is faster, and equal for ASCII
    const fault = this.#faultOfContent() ?? this.#readHeader(columns);
    if (fault === undefined) return;
    this.#faults.add(`${this.#name}, line ${Math.max(this.#line, 1)}`, fault);
    this.#position = this.bytes.length;
  }

  /** The line of the file on which the row starts; the header is line 1. */
  get line(): number {
    return this.#line;
  }

  /** Advances to the next row that has all its columns. Returns false at the end. */
  next(): boolean {
    while (this.#position < this.bytes.length) {
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

  start(column: number): number {
    return at(this.#starts, column);
  }

  end(column: number): number {
    return at(this.#ends, column);
  }

  isEmpty(column: number): boolean {
    return column < 0 || this.start(column) === this.end(column);
  }

  text(column: number): string {
    return this.bytes.toString(this.#encoding, this.start(column), this.end(column));
  }

  /** Notes a fault of this row, or of one of its columns. */
  fault(column: number | undefined, reason: string): void {
    const name = column === undefined ? '' : `, ${elementAt(this.#header, column)}`;
    this.#faults.add(`${this.#name}, line ${this.#line}${name}`, reason);
  }

  #faultOfContent(): string | undefined {
    if (this.#encoding === 'utf8' && !isUtf8(this.bytes)) {
      this.#line = firstBadLine(this.bytes);
      return 'is not UTF-8';
    }
    // The second mark would be an invisible part of a name. A program that writes two has a fault.
    return startsWithMark(this.bytes) ? 'begins with two byte order marks' : undefined;
  }

  #readHeader({ required, optional = [] }: CsvColumns): string | undefined {
    const expected = `the header must be ${required.join(',')}${optional.length > 0 ? `[,${optional.join(',')}]` : ''}`;
    let count = 0;
    while (count === 0 && this.#position < this.bytes.length) count = this.#readRow();
    if (count === 0) return 'the file is empty';
    if (count < 0 || count > COLUMNS_MAX) return expected;
    const names = Array.from({ length: count }, (_, column) => this.text(column).trim());
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
    const bytes = this.bytes;
    const length = bytes.length;
    this.#line = this.#nextLine;
    this.#nextLine += 1;
    const first = this.#position;
    let position = first;
    let start = first;
    let count = 0;
    let bad: string | undefined;
    for (; position < length; position += 1) {
      const byte = bytes[position] ?? 0;
      if (byte > COMMA) continue; // letters and digits: nearly every byte
      if (byte === COMMA) {
        this.#setField(count, start, position);
        count += 1;
        start = position + 1;
      } else if (byte === LINE_FEED) break;
      else if (byte === CARRIAGE_RETURN) {
        if (bytes[position + 1] === LINE_FEED) break;
        bad ??= 'a carriage return stands inside a field that is not quoted';
      } else if (byte === QUOTE) {
        if (position !== start) {
          bad ??= 'a quotation mark stands inside a field that is not quoted';
          continue;
        }
        const field = readQuotedField(bytes, position);
        this.#nextLine += field.lineBreaks;
        bad ??= field.fault;
        this.#setField(count, position + 1, field.end);
        count += 1;
        position = field.next;
        start = position + 1;
        if (bytes[position] !== COMMA) break;
      }
    }
    const endsInQuotes = start > position;
    if (!endsInQuotes) {
      this.#setField(count, start, position);
      count += 1;
    }
    this.#position = position + (bytes[position] === CARRIAGE_RETURN ? 2 : 1);
    if (bad !== undefined) {
      this.fault(undefined, bad);
      return -1;
    }
    return position === first ? 0 : count;
  }

  #setField(column: number, start: number, end: number): void {
    if (column >= COLUMNS_MAX) return;
    this.#starts[column] = start;
    this.#ends[column] = end;
  }
}

function startsWithMark(bytes: Buffer): boolean {
  return bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
}

function firstBadLine(bytes: Buffer): number {
  let line = 1;
  let from = 0;
  for (;;) {
    const found = bytes.indexOf(LINE_FEED, from);
    const to = found === -1 ? bytes.length : found;
    if (found === -1 || !isUtf8(bytes.subarray(from, to))) return line;
    line += 1;
    from = to + 1;
  }
}
