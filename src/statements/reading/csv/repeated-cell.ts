import { quoted } from '../../../kernel';

/** A column with the same value in each row. A row with another value belongs to another statement. */
export class RepeatedCell {
  readonly #what: string;
  #value: string | undefined;
  #firstLine = 0;

  constructor(what: string) {
    this.#what = what;
  }

  /** The value of every row so far. */
  get value(): string | undefined {
    return this.#value;
  }

  /** Checks the cell of the next row; returns its fault. */
  faultOf(text: string, line: number): string | undefined {
    if (text === '') return `expected the ${this.#what}, got nothing`;
    if (this.#value === undefined) {
      this.#value = text;
      this.#firstLine = line;
      return undefined;
    }
    if (text === this.#value) return undefined;
    return `expected the ${this.#what} ${quoted(this.#value)}, as on line ${this.#firstLine}, got ${quoted(text)}`;
  }
}
