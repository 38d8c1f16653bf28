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

/** Splits text into lines at CR LF, LF or CR. A line break may span two pieces. */
export class PhysicalLines {
  #number = 1;
  #rest = '';
  #afterReturn = false;

  push(piece: string): PhysicalLine[] {
    if (piece === '') return [];
    // The CR of the previous piece has ended its line, so the LF after it ends no other.
    const text = this.#afterReturn && piece.startsWith('\n') ? piece.slice(1) : piece;
    this.#afterReturn = piece.endsWith('\r');
    const parts = text.split(/\r\n|\n|\r/);
    const last = parts.pop() ?? '';
    const lines = parts.map((part) => this.#line(part, true));
    this.#rest += last;
    this.#checkLength(this.#rest);
    return lines;
  }

  /** Returns the last line if the file does not end with a line break. */
  end(): PhysicalLine[] {
    return this.#rest === '' ? [] : [this.#line('', false)];
  }

  /** The number of lines so far, for faults at the end of the file. */
  get number(): number {
    return this.#number;
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
