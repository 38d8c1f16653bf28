import { RAW_CHARACTERS_MAX } from '../limits';
import { refuse } from './refuse';

/** A line of the file, without its line break. */
export interface PhysicalLine {
  /** The first line of the file is 1. */
  readonly number: number;
  readonly text: string;
  /** False for a last line without a line break, which may be incomplete. */
  readonly ended: boolean;
}

const LINE_BREAK = /\r\n|\n|\r/;
/** Of three signs the first belongs to the text. */
const LINE_BREAK_OR_SIGNS = /\r\n|\n|\r|@@(?!@)/;
/** Two tags of a file that its bank writes as one line. */
const SIGNS_BEFORE_TAG = /@@:\d{2}[A-Z]?:/;
const SIGNS_BEFORE_TAG_CHARACTERS = 7;
const BEGINS_WITH_TAG = /^(?:.*\{4:)?[ \t]*:\d{2}[A-Z]?:/;

/**
 * Splits text into lines at CR LF, LF or CR. If the first line with a tag contains `@@` before another tag, `@@` ends a
 * line, too; otherwise it is text. A line break may span two pieces.
 */
export class PhysicalLines {
  #number = 1;
  #rest = '';
  #afterReturn = false;
  /** Undefined until the first line with a tag shows it. */
  #signsEndLines: boolean | undefined;
  /** The last characters, while that is unknown. */
  #tail = '';

  push(piece: string): PhysicalLine[] {
    if (piece === '') return [];
    // The CR of the previous piece has ended its line, so the LF after it ends no other.
    const text = this.#afterReturn && piece.startsWith('\n') ? piece.slice(1) : piece;
    this.#afterReturn = piece.endsWith('\r');
    this.#signsEndLines ??= this.#showsSigns(text);
    if (this.#signsEndLines === true) return this.#splitAtSigns(text);
    const parts = text.split(LINE_BREAK);
    const last = parts.pop() ?? '';
    const lines = parts.map((part) => this.#line(part, true));
    this.#rest += last;
    this.#checkLength(this.#rest);
    return lines;
  }

  /** Returns the last lines if the file does not end with a line break. */
  end(): PhysicalLine[] {
    if (this.#rest === '') return [];
    if (this.#signsEndLines !== true) return [this.#line('', false)];
    const parts = this.#takeRest().split(LINE_BREAK_OR_SIGNS);
    const last = parts.pop() ?? '';
    const lines = parts.map((part) => this.#line(part, true));
    return last === '' ? lines : [...lines, this.#line(last, false)];
  }

  /** The number of lines so far, for faults at the end of the file. */
  get number(): number {
    return this.#number;
  }

  /** Returns whether `@@` ends lines, as soon as a line or its beginning shows that. */
  #showsSigns(text: string): boolean | undefined {
    const [first = '', ...others] = text.split(LINE_BREAK);
    const inSight = [this.#tail + first, ...others];
    this.#tail = (inSight.at(-1) ?? '').slice(-SIGNS_BEFORE_TAG_CHARACTERS);
    const signs = inSight.findIndex((part) => SIGNS_BEFORE_TAG.test(part));
    const whole = [this.#rest + first, ...others.slice(0, -1)];
    const tagged = others.length === 0 ? -1 : whole.findIndex((line) => BEGINS_WITH_TAG.test(line));
    if (signs !== -1 && (tagged === -1 || signs <= tagged)) return true;
    return tagged === -1 ? undefined : false;
  }

  #splitAtSigns(piece: string): PhysicalLine[] {
    const text = this.#takeRest() + piece;
    // More signs may follow those at the end.
    let end = text.length;
    while (text[end - 1] === '@') end -= 1;
    const parts = text.slice(0, end).split(LINE_BREAK_OR_SIGNS);
    const last = parts.pop() ?? '';
    const lines = parts.map((part) => this.#line(part, true));
    this.#rest = last + text.slice(end);
    this.#checkLength(this.#rest);
    return lines;
  }

  #takeRest(): string {
    const rest = this.#rest;
    this.#rest = '';
    return rest;
  }

  #line(part: string, ended: boolean): PhysicalLine {
    const text = this.#rest + part;
    this.#checkLength(text);
    if (text.includes('\0')) refuse({ fileLine: this.#number, expected: 'text', found: text });
    this.#rest = '';
    const line = { number: this.#number, text, ended };
    if (ended) this.#number += 1;
    return line;
  }

  #checkLength(text: string): void {
    if (text.length <= RAW_CHARACTERS_MAX) return;
    refuse({ fileLine: this.#number, expected: `a line of at most ${RAW_CHARACTERS_MAX} characters`, found: text });
  }
}
