/** Where in the files something stands. */
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
 * What the files of one run say that can hardly be meant, but that their format allows: it is taken as it stands. One
 * text for each kind, with its first place and how many there are, so that a million such lines are said at once.
 */
export class WarningList {
  readonly #kinds = new Map<string, Kind>();

  /** The reason is the kind: it belongs to one column of one file, and names nothing that a line has. */
  add({ file, line, column }: Place, reason: string): void {
    const kind = this.#kinds.get(reason);
    if (kind !== undefined) kind.count += 1;
    else this.#kinds.set(reason, { first: `${file}, line ${line}, ${column}: ${reason}`, count: 1 });
  }

  /** In the order in which their first places were found. */
  texts(): string[] {
    return [...this.#kinds.values()].map(({ first, count }) =>
      count === 1 ? first : `${first} (and ${count - 1} more)`,
    );
  }
}
