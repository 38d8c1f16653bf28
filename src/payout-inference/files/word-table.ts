import { ByteTable } from './byte-table';
import type { CsvRows } from './csv-rows';

/** The texts of a column with few distinct values. Each is created and checked once. */
export class WordTable<Word> {
  readonly #rows: CsvRows;
  readonly #column: number;
  readonly #table: ByteTable;
  readonly #decode: (text: string) => Word | undefined;
  readonly #words: (Word | undefined)[] = [];

  /** `decode` returns undefined for a text that the column does not allow. */
  constructor(rows: CsvRows, column: number, decode: (text: string) => Word | undefined) {
    this.#rows = rows;
    this.#column = column;
    this.#decode = decode;
    this.#table = new ByteTable(rows.bytes, { few: true });
  }

  /** Returns the decoded value of the current row. */
  read(): Word | undefined {
    const known = this.#table.size;
    const entry = this.#table.place(this.#rows.start(this.#column), this.#rows.end(this.#column));
    if (entry === known) this.#words.push(this.#decode(this.#rows.text(this.#column)));
    return this.#words[entry];
  }
}
