import { at } from '../at';

/** About the length of a row. A table that starts too small grows; one that starts too large costs a little memory. */
const BYTES_PER_ENTRY = 64;
const SIZE_MIN = 16;
/** At most half of the slots are occupied, so that a search reads few slots. */
const SLOTS_PER_ENTRY = 2;
const NUMBERS_PER_ENTRY = 3;
const START = 1;
const END = 2;
/**
 * The author of a file could choose identifiers that all hash to one slot. After this number of probes a Map holds the
 * rest.
 */
const PROBES_MAX = 16;
// FNV-1a with a final mixing step, because the low bits select the slot.
const HASH_START = 0x811c9dc5;
const HASH_FACTOR = 0x01000193;
const MIX_FACTOR = 0x85ebca6b;
const MIX_SHIFT_FIRST = 15;
const MIX_SHIFT_LAST = 13;

/**
 * Numbers the byte sequences of one file from 0 in the order of their first appearance; equal sequences get the same
 * number. It stores only offsets into the bytes, because a Map of texts would take most of the reading time.
 */
export class ByteTable {
  readonly #bytes: Buffer;
  readonly #overflow = new Map<string, number>();
  #slots: Int32Array<ArrayBuffer>;
  /** Hash, start and end of each entry, stored side by side for locality. */
  #entries: Int32Array<ArrayBuffer>;
  #size = 0;
  #lastFound = -1;

  /** `bytes` must not change where entries are. `few`: only a small share of the rows has a new entry. */
  constructor(bytes: Buffer, { few = false }: { readonly few?: boolean } = {}) {
    this.#bytes = bytes;
    const expected = few ? SIZE_MIN : Math.max(SIZE_MIN, bytes.length / BYTES_PER_ENTRY);
    const size = 2 ** Math.ceil(Math.log2(expected));
    this.#slots = new Int32Array(size * SLOTS_PER_ENTRY);
    this.#entries = new Int32Array(size * NUMBERS_PER_ENTRY);
  }

  get size(): number {
    return this.#size;
  }

  /** Returns the number of the table's own bytes from `start` to `end`. New bytes get the next number, `size`. */
  place(start: number, end: number): number {
    const hash = hashOf(this.#bytes, start, end);
    const found = this.#find(hash, this.#bytes, start, end);
    if (found !== -1) return found;
    const entry = this.#size;
    const at = entry * NUMBERS_PER_ENTRY;
    if (at === this.#entries.length) this.#grow();
    this.#size += 1;
    this.#entries[at] = hash;
    this.#entries[at + START] = start;
    this.#entries[at + END] = end;
    this.#insert(entry);
    return entry;
  }

  /**
   * Returns the number of bytes of any file; -1 if the table does not have them. Files mostly list names in one order,
   * each once or several times in a row. So the entry after the last found one is tried first, then the last one
   * itself.
   */
  indexOf(bytes: Buffer, start: number, end: number): number {
    const last = this.#lastFound;
    if (last + 1 < this.#size && this.#hasBytes(last + 1, bytes, start, end)) this.#lastFound = last + 1;
    else if (last === -1 || !this.#hasBytes(last, bytes, start, end)) {
      const found = this.#find(hashOf(bytes, start, end), bytes, start, end);
      if (found !== -1) this.#lastFound = found;
      return found;
    }
    return this.#lastFound;
  }

  #find(hash: number, bytes: Buffer, start: number, end: number): number {
    const mask = this.#slots.length - 1;
    for (let probe = 0; probe < PROBES_MAX; probe += 1) {
      const entry = at(this.#slots, (hash + probe) & mask) - 1;
      if (entry === -1) return -1;
      if (this.#isEntry(entry, hash, bytes, start, end)) return entry;
    }
    if (this.#overflow.size === 0) return -1;
    return this.#overflow.get(bytes.toString('latin1', start, end)) ?? -1;
  }

  #isEntry(entry: number, hash: number, bytes: Buffer, start: number, end: number): boolean {
    return this.#entries[entry * NUMBERS_PER_ENTRY] === hash && this.#hasBytes(entry, bytes, start, end);
  }

  #hasBytes(entry: number, bytes: Buffer, start: number, end: number): boolean {
    const from = entry * NUMBERS_PER_ENTRY;
    const own = at(this.#entries, from + START);
    if (at(this.#entries, from + END) - own !== end - start) return false;
    for (let offset = end - start - 1; offset >= 0; offset -= 1) {
      if (this.#bytes[own + offset] !== bytes[start + offset]) return false;
    }
    return true;
  }

  #insert(entry: number): void {
    const mask = this.#slots.length - 1;
    const from = entry * NUMBERS_PER_ENTRY;
    const hash = at(this.#entries, from);
    for (let probe = 0; probe < PROBES_MAX; probe += 1) {
      const slot = (hash + probe) & mask;
      if (this.#slots[slot] !== 0) continue;
      this.#slots[slot] = entry + 1;
      return;
    }
    this.#overflow.set(this.#bytes.toString('latin1', this.#entries[from + START], this.#entries[from + END]), entry);
  }

  #grow(): void {
    const grown = new Int32Array(this.#entries.length * 2);
    grown.set(this.#entries);
    this.#entries = grown;
    this.#slots = new Int32Array(this.#slots.length * 2);
    this.#overflow.clear();
    for (let entry = 0; entry < this.#size; entry += 1) this.#insert(entry);
  }
}

function hashOf(bytes: Buffer, start: number, end: number): number {
  let hash = HASH_START;
  for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ (bytes[at] ?? 0), HASH_FACTOR);
  hash = Math.imul(hash ^ (hash >>> MIX_SHIFT_FIRST), MIX_FACTOR);
  return (hash ^ (hash >>> MIX_SHIFT_LAST)) | 0;
}
