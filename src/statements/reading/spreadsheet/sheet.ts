import { type BusinessDate, westernDigits } from '../../../kernel';
import { amountParts } from '../amount-text';
import { SHEET_CELLS_MAX, SHEET_CHARACTERS_MAX, SHEET_COLUMNS_MAX, SHEET_ROWS_MAX } from '../limits';
import { refusal } from '../refusal';

export type CellValue =
  | { readonly kind: 'text'; readonly text: string }
  /** The exact decimal with a point and without groups. */
  | { readonly kind: 'number'; readonly text: string }
  | { readonly kind: 'date'; readonly date: BusinessDate }
  /** A number that lost digits, as 8.006e+18. Only above the heading, where it may be an account, is it no fault. */
  | { readonly kind: 'lost'; readonly text: string; readonly fault: string };

export interface SheetCell {
  /** From 0. */
  readonly column: number;
  readonly value: CellValue;
}

export interface SheetRow {
  /** As the spreadsheet program shows it, from 1. */
  readonly number: number;
  /** The cells with a value, from left to right. */
  readonly cells: readonly SheetCell[];
}

/** One sheet of a workbook, or the tables of an HTML page. */
export interface Sheet {
  readonly name: string;
  /** The rows with a value, from top to bottom. */
  readonly rows: readonly SheetRow[];
  /** The number of columns up to the last with a value. */
  readonly width: number;
  /** Cells that cannot be read, each with its place. */
  readonly faults: readonly string[];
  /** Notes for people about hidden and merged cells. */
  readonly notes: readonly string[];
}

export interface Workbook {
  readonly sheets: readonly Sheet[];
  /** The names of hidden sheets, which are not read. */
  readonly hidden: readonly string[];
}

const FAULTS_MAX = 1_000;

/** Collects the rows of a sheet within the limits on their number and size. */
export class SheetInProgress {
  readonly #name: string;
  readonly #rows: SheetRow[] = [];
  readonly #faults: string[] = [];
  readonly #notes: string[] = [];
  #cells: SheetCell[] = [];
  #row = 0;
  #width = 0;
  #count = 0;
  #characters = 0;

  constructor(name: string) {
    this.#name = name;
  }

  /** Starts a row. @throws AppError `bad_input` if it is not below the one before. */
  startRow(number: number): void {
    this.#endRow();
    if (number > SHEET_ROWS_MAX) throw refusal(`row ${number}: expected at most ${SHEET_ROWS_MAX} rows, got more`);
    if (number <= this.#row) throw refusal(`row ${number}: expected a row below row ${this.#row}, got it again`);
    this.#row = number;
  }

  /** Adds a cell. @throws AppError `bad_input` beyond a limit, and for a second value of a cell. */
  add(column: number, value: CellValue): void {
    const place = cellName(column, this.#row);
    if (column >= SHEET_COLUMNS_MAX) {
      throw refusal(`cell ${place}: expected at most ${SHEET_COLUMNS_MAX} columns, got more`);
    }
    if (column <= (this.#cells.at(-1)?.column ?? -1)) {
      throw refusal(`cell ${place}: expected one value, got a second, or one on its left`);
    }
    this.#limit({ column, value }, this.#row);
    this.#cells.push({ column, value });
    this.#width = Math.max(this.#width, column + 1);
  }

  fault(text: string): void {
    if (this.#faults.length < FAULTS_MAX) this.#faults.push(text);
  }

  note(text: string): void {
    this.#notes.push(text);
  }

  /**
   * Gives the value of a merged cell, such as `A2:A3`, to the other rows with a cell. Returns the ranges in which it did.
   * @throws AppError `bad_input` beyond the limit on cells.
   */
  fillDown(merged: readonly string[]): string[] {
    this.#endRow();
    const index = new Map(this.#rows.map(({ number }, at) => [number, at]));
    const added = new Map<number, SheetCell[]>();
    const last = this.#rows.at(-1)?.number ?? 0;
    const filled = merged.filter((range) => {
      const [from, to] = range.split(':').map(cellPlace);
      if (from === undefined || to?.column !== from.column) return false;
      const cell = this.#rows[index.get(from.row) ?? -1]?.cells.find(({ column }) => column === from.column);
      if (cell === undefined || !countsInEachRow(cell.value)) return false;
      for (let row = from.row + 1; row <= Math.min(to.row, last); row += 1) {
        this.#limit(cell, row);
        const cells = added.get(row);
        if (cells === undefined) added.set(row, [cell]);
        else cells.push(cell);
      }
      return true;
    });
    for (const [number, cells] of added) {
      const at = index.get(number);
      if (at === undefined) continue;
      const byColumn = new Map([...cells, ...(this.#rows[at]?.cells ?? [])].map((cell) => [cell.column, cell]));
      this.#rows[at] = { number, cells: [...byColumn.values()].sort((a, b) => a.column - b.column) };
    }
    return filled;
  }

  finish(): Sheet {
    this.#endRow();
    return {
      name: this.#name,
      rows: this.#rows,
      width: this.#width,
      faults: this.#faults,
      notes: this.#notes,
    };
  }

  #limit({ column, value }: SheetCell, row: number): void {
    this.#count += 1;
    this.#characters += value.kind === 'date' ? value.date.length : value.text.length;
    if (this.#count <= SHEET_CELLS_MAX && this.#characters <= SHEET_CHARACTERS_MAX) return;
    const limit =
      this.#count > SHEET_CELLS_MAX ? `${SHEET_CELLS_MAX} cells` : `${SHEET_CHARACTERS_MAX} characters in all cells`;
    throw refusal(`cell ${cellName(column, row)}: expected at most ${limit}, got more`);
  }

  #endRow(): void {
    if (this.#cells.length > 0) this.#rows.push({ number: this.#row, cells: this.#cells });
    this.#cells = [];
  }
}

/** A date in figures, in any order. */
export const DATE_TEXT = /^\d{1,4}[-/. ]\d{1,2}[-/. ]\d{1,4}(?:[ T]\d{1,2}:\d\d.*)?$/;

/** Returns whether the value of a cell over several rows is that of each row, as a date is. An amount counts once. */
export function countsInEachRow(value: CellValue): boolean {
  if (value.kind !== 'text') return value.kind === 'date';
  return amountParts(value.text) === undefined || DATE_TEXT.test(westernDigits(value.text).trim());
}

const LETTERS = 26;
const FIRST_LETTER = 65;

/** Returns the name of a cell, such as `C4`. `column` starts at 0. */
export function cellName(column: number, row: number): string {
  let letters = '';
  for (let rest = column + 1; rest > 0; rest = Math.floor((rest - 1) / LETTERS)) {
    letters = String.fromCharCode(FIRST_LETTER + ((rest - 1) % LETTERS)) + letters;
  }
  return `${letters}${row}`;
}

/** Returns the column, from 0, and the row, from 1, of a name such as `C4`; undefined for anything else. */
export function cellPlace(name: string): { readonly column: number; readonly row: number } | undefined {
  const [, letters = '', digits = ''] = /^\$?([A-Z]{1,3})\$?([1-9]\d{0,6})$/.exec(name) ?? [];
  if (letters === '') return undefined;
  const column = Array.from(letters).reduce(
    (sum, letter) => sum * LETTERS + letter.charCodeAt(0) - FIRST_LETTER + 1,
    0,
  );
  return { column: column - 1, row: Number(digits) };
}
