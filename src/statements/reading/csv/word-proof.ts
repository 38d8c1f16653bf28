import { quoted } from '../../../kernel';
import { comparable } from './known-columns';

/** The limit on stored spellings; a bank uses only a few. */
const SPELLINGS_MAX = 20;

/** Sorts the cells of a column into two kinds of known words, and remembers the first unknown one. */
export class WordProof<K extends string> {
  readonly #known: Readonly<Record<K, readonly string[]>>;
  readonly #kinds: readonly K[];
  readonly #spellings = new Map<string, K>();
  #stranger: string | undefined;

  constructor(known: Readonly<Record<K, readonly string[]>>, kinds: readonly K[]) {
    this.#known = known;
    this.#kinds = kinds;
  }

  /** Returns the kind of the cell; undefined for an unknown word. */
  see(text: string, place: string): K | undefined {
    const seen = this.#spellings.get(text);
    if (seen !== undefined) return seen;
    const word = comparable(text);
    const kind = this.#kinds.find((candidate) => this.#known[candidate].includes(word));
    if (kind === undefined || this.#spellings.size >= SPELLINGS_MAX) {
      this.#stranger ??= `${place}: ${quoted(text)} is not a known word`;
      return undefined;
    }
    this.#spellings.set(text, kind);
    return kind;
  }

  /** The first cell of no kind, with its place. */
  get stranger(): string | undefined {
    return this.#stranger;
  }

  get anyKnown(): boolean {
    return this.#spellings.size > 0;
  }

  /** Returns whether the file has a word of a kind. */
  has(kind: K): boolean {
    return [...this.#spellings.values()].includes(kind);
  }

  /** Returns the words of a kind as the file writes them; the known words if it has none of the kind. */
  wordsOf(kind: K): string[] {
    const written = [...this.#spellings].filter(([, found]) => found === kind).map(([text]) => text);
    return written.length > 0 ? written : [...this.#known[kind]];
  }
}
