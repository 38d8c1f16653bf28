/** A position in the files. */
interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: string;
}

interface Kind {
  readonly first: string;
  count: number;
}

/**
 * Warnings about unlikely values that the format allows, which Millime accepts as they are. There is one text for each
 * kind, with its first position and its count, so that a million such lines are one warning.
 */
export class WarningList {
  readonly #kinds = new Map<string, Kind>();

  /** Counts a warning. The reason is its kind: it belongs to one column of one file and contains no value of a line. */
  add({ file, line, column }: Place, reason: string): void {
    const kind = this.#kinds.get(reason);
    if (kind !== undefined) kind.count += 1;
    else this.#kinds.set(reason, { first: `${file}, line ${line}, ${column}: ${reason}`, count: 1 });
  }

  /** Returns the warnings in the order of their first positions. */
  texts(): string[] {
    return [...this.#kinds.values()].map(({ first, count }) =>
      count === 1 ? first : `${first} (and ${count - 1} more)`,
    );
  }
}
