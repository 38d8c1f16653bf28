import { quoted } from '../../../kernel';

/** A column that says the same on each row. A row that says something else belongs to another statement. */
export class RepeatedCell {
  readonly #what: string;
  #value: string | undefined;
  #firstLine = 0;

  constructor(what: string) {
    this.#what = what;
  }

  /** What every row so far says. */
  get value(): string | undefined {
    return this.#value;
  }

  /** Takes the cell of the next row; gives what is wrong with it. */
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
