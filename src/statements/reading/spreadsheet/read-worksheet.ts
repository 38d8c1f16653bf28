import { parseBusinessDate, quoted } from '../../../kernel';
import { dateReader } from '../date-text';
import { isTrue, readXmlPart, type XmlAttributes, type XmlListener } from './read-xml-part';
import { RichText } from './shared-texts';
import { cellName, cellPlace, type CellValue, type Sheet, SheetInProgress } from './sheet';
import { type DateSystem, readStoredNumber } from './stored-number';

/** The parts of a workbook that its cells refer to. */
export interface CellContext {
  readonly sharedTexts: readonly string[];
  /** The number format of each cell style. */
  readonly numberFormats: readonly string[];
  readonly dateSystem: DateSystem;
}

const SHOWN_MAX = 5;
/** Some programs store the midnight of a day as a time of the day before, in UTC. */
const readInstant = dateReader('yyyy-mm-ddTtime');

/** Reads the cells of a worksheet. A cell without a certain value is a fault of the sheet, named by its place. */
export function readWorksheet(part: string, bytes: Buffer, name: string, context: CellContext): Sheet {
  const worksheet = new Worksheet(name, context);
  readXmlPart(part, bytes, worksheet);
  return worksheet.finish();
}

interface OpenCell {
  readonly column: number;
  readonly type: string;
  readonly style: number;
  stored: string | undefined;
  formula: boolean;
}

class Worksheet implements XmlListener {
  readonly #sheet: SheetInProgress;
  readonly #context: CellContext;
  readonly #rich = new RichText();
  readonly #hiddenRows: number[] = [];
  readonly #merged: string[] = [];
  #hiddenColumns = 0;
  #inData = false;
  #inStored = false;
  #row = 0;
  #column = -1;
  #cell: OpenCell | undefined;

  constructor(name: string, context: CellContext) {
    this.#sheet = new SheetInProgress(name);
    this.#context = context;
  }

  open(name: string, attributes: XmlAttributes): void {
    if (!this.#inData) return this.#openAround(name, attributes);
    if (this.#cell !== undefined) return this.#openInside(this.#cell, name);
    if (name === 'row') this.#openRow(attributes);
    else if (name === 'c') this.#openCell(attributes);
  }

  text(text: string): void {
    if (this.#cell !== undefined && this.#inStored) this.#cell.stored = (this.#cell.stored ?? '') + text;
    else this.#rich.text(text);
  }

  close(name: string): void {
    if (name === 'sheetData') this.#inData = false;
    else if (name === 'v') this.#inStored = false;
    else if (name === 'c' && this.#cell !== undefined) this.#closeCell(this.#cell);
    else this.#rich.close(name);
  }

  finish(): Sheet {
    this.#noteAll('hidden rows are read', this.#hiddenRows);
    if (this.#hiddenColumns > 0) this.#sheet.note('hidden columns are read');
    const filled = new Set(this.#sheet.fillDown(this.#merged));
    this.#noteAll('merged cells have their value in each of their rows', [...filled]);
    const others = this.#merged.filter((range) => !filled.has(range));
    this.#noteAll('merged cells have their value in the first cell only', others);
    return this.#sheet.finish();
  }

  #noteAll(what: string, places: readonly (string | number)[]): void {
    if (places.length === 0) return;
    const more = places.length > SHOWN_MAX ? ` and ${places.length - SHOWN_MAX} more` : '';
    this.#sheet.note(`${what}: ${places.slice(0, SHOWN_MAX).join(', ')}${more}`);
  }

  #openAround(name: string, attributes: XmlAttributes): void {
    if (name === 'sheetData') this.#inData = true;
    else if (name === 'col' && isTrue(attributes['hidden'])) this.#hiddenColumns += 1;
    else if (name === 'mergeCell') this.#merged.push(attributes['ref'] ?? '');
  }

  #openRow(attributes: XmlAttributes): void {
    const number = Number(attributes['r'] ?? this.#row + 1);
    this.#row = Number.isSafeInteger(number) ? number : this.#row + 1;
    this.#column = -1;
    this.#sheet.startRow(this.#row);
    if (isTrue(attributes['hidden'])) this.#hiddenRows.push(this.#row);
  }

  #openCell(attributes: XmlAttributes): void {
    const name = attributes['r'];
    const place = name === undefined ? { column: this.#column + 1, row: this.#row } : cellPlace(name);
    if (place?.row !== this.#row) {
      this.#sheet.fault(`row ${this.#row}: expected a cell of this row, got ${quoted(name ?? '')}`);
    }
    this.#column = place?.column ?? this.#column + 1;
    this.#cell = {
      column: this.#column,
      type: attributes['t'] ?? 'n',
      style: Number(attributes['s'] ?? 0),
      stored: undefined,
      formula: false,
    };
  }

  #openInside(cell: OpenCell, name: string): void {
    if (name === 'f') cell.formula = true;
    else if (name === 'v') {
      cell.stored = '';
      this.#inStored = true;
    } else this.#rich.open(name);
  }

  #closeCell(cell: OpenCell): void {
    this.#cell = undefined;
    const inline = this.#rich.take();
    const value = this.#valueOf(cell, inline);
    if (value === undefined || (value.kind === 'text' && value.text.trim() === '')) return;
    this.#sheet.add(cell.column, value);
  }

  #valueOf(cell: OpenCell, inline: string): CellValue | undefined {
    const { type, stored, formula } = cell;
    if (formula && (stored === undefined || (type !== 'str' && stored === ''))) {
      return this.#fault(cell, 'the value of its formula, got none; open the workbook, calculate it and save it again');
    }
    switch (type) {
      case 'n':
        return stored === undefined || stored.trim() === '' ? undefined : this.#number(cell, stored.trim());
      case 's':
        return this.#shared(cell, stored ?? '');
      case 'inlineStr':
        return { kind: 'text', text: inline === '' ? (stored ?? '') : inline };
      case 'str':
        return { kind: 'text', text: stored ?? '' };
      case 'd':
        return this.#isoDate(cell, stored ?? '');
      case 'b':
        return this.#fault(cell, `a text, a number or a date, got ${stored === '1' ? 'TRUE' : 'FALSE'}`);
      case 'e':
        return this.#fault(cell, `a text, a number or a date, got the error ${stored ?? ''}`);
      default:
        return this.#fault(cell, `a known type of cell, got ${quoted(type)}`);
    }
  }

  #number(cell: OpenCell, stored: string): CellValue | undefined {
    const code = this.#context.numberFormats[cell.style] ?? 'General';
    const reading = readStoredNumber(stored, code, this.#context.dateSystem);
    if (reading.ok) return reading.value;
    const what = `${reading.expected}, got ${reading.got}`;
    if (reading.lost === undefined) return this.#fault(cell, what);
    return { kind: 'lost', text: reading.lost, fault: this.#faultOf(cell, what) };
  }

  #shared(cell: OpenCell, stored: string): CellValue | undefined {
    const text = /^\d{1,9}$/.test(stored.trim()) ? this.#context.sharedTexts[Number(stored)] : undefined;
    return text === undefined
      ? this.#fault(cell, `a shared text, got the number ${quoted(stored)}`)
      : { kind: 'text', text };
  }

  #isoDate(cell: OpenCell, stored: string): CellValue | undefined {
    const date = parseBusinessDate(stored) ?? readInstant(stored);
    return date === undefined ? this.#fault(cell, `a date, got ${quoted(stored)}`) : { kind: 'date', date };
  }

  #fault(cell: OpenCell, what: string): undefined {
    this.#sheet.fault(this.#faultOf(cell, what));
  }

  #faultOf(cell: OpenCell, what: string): string {
    return `cell ${cellName(cell.column, this.#row)}: expected ${what}`;
  }
}
