import iconv from 'iconv-lite';

const MARK_BYTES = 2;
const BYTE_ORDER_MARK = '\ufeff';

/** Decodes the bytes of a file piece by piece. A character may span two pieces. */
export class StreamingDecoder {
  readonly #utf8: boolean;
  #head: Buffer = Buffer.alloc(0);
  #decoder: iconv.DecoderStream | undefined;
  #started = false;

  constructor({ utf8 }: { readonly utf8: boolean }) {
    this.#utf8 = utf8;
  }

  push(bytes: Buffer): string {
    if (this.#decoder !== undefined) return this.#text(this.#decoder.write(bytes));
    this.#head = Buffer.concat([this.#head, bytes]);
    if (this.#head.length < MARK_BYTES) return '';
    return this.#begin();
  }

  end(): string {
    const text = this.#decoder === undefined ? this.#begin() : '';
    return text + this.#text(this.#decoder?.end() ?? '');
  }

  #begin(): string {
    const decoder = iconv.getDecoder(encodingOf(this.#head, this.#utf8), { stripBOM: false });
    this.#decoder = decoder;
    return this.#text(decoder.write(this.#head));
  }

  #text(decoded: string | undefined): string {
    const text = decoded ?? '';
    if (this.#started || text === '') return text;
    this.#started = true;
    return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
  }
}

function encodingOf(head: Buffer, utf8: boolean): string {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  return utf8 ? 'utf-8' : 'windows-1252';
}
