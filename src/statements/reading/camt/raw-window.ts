import { RAW_CHARACTERS_MAX } from '../limits';
import type { RawXml } from './xml-element';

/**
 * Keeps enough of a text stream to return an element that just ended as it was written. Positions count characters from
 * the start of the stream.
 */
export class RawWindow {
  #chunk = '';
  #chunkAt = 0;
  /** The needed part of earlier chunks. It starts at `#keptAt` and may lack its end if it is very long. */
  #kept = '';
  #keptAt = 0;
  #start: number | undefined;

  /** Adds the next chunk, before it is parsed. */
  take(chunk: string): void {
    this.#keep();
    this.#chunkAt += this.#chunk.length;
    this.#chunk = chunk;
  }

  /** Starts to keep text at the tag that ends before `place`. */
  open(place: number): void {
    const at = this.#chunk.lastIndexOf('<', place - this.#chunkAt - 1);
    // If it is not in this chunk, it is the last tag of the earlier ones, with which `#kept` starts.
    this.#start = at === -1 ? this.#keptAt : this.#chunkAt + at;
  }

  /** Returns the text from the start up to `place`. */
  close(place: number): RawXml {
    const start = this.#start ?? place;
    const length = place - start;
    const within = place - this.#chunkAt;
    const text =
      start >= this.#chunkAt
        ? this.#chunk.slice(start - this.#chunkAt, within)
        : this.#kept + this.#chunk.slice(0, within);
    this.#start = undefined;
    this.#kept = '';
    return { text: text.slice(0, RAW_CHARACTERS_MAX), cut: length > RAW_CHARACTERS_MAX };
  }

  #keep(): void {
    const from = this.#start === undefined ? this.#chunk.lastIndexOf('<') : this.#start - this.#chunkAt;
    if (from >= 0) {
      this.#kept = this.#chunk.slice(from);
      this.#keptAt = this.#chunkAt + from;
    } else if (this.#kept.length < RAW_CHARACTERS_MAX) {
      this.#kept += this.#chunk;
    }
  }
}
