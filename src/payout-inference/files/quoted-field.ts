const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const QUOTE = 0x22;
const COMMA = 0x2c;

/** A field in quotation marks. Its content begins right after the first mark. */
export interface QuotedField {
  /** The end of its content, after doubled quotation marks became one. */
  readonly end: number;
  /** The position of the comma, the end of the line or the end of the file after it. */
  readonly next: number;
  readonly lineBreaks: number;
  readonly fault: string | undefined;
}

/** Reads the field whose first quotation mark is at `from`, and closes the gaps in its content within `bytes`. */
export function readQuotedField(bytes: Buffer, from: number): QuotedField {
  let lineBreaks = 0;
  let end = from + 1;
  let position = from + 1;
  let closed = false;
  for (; position < bytes.length; position += 1) {
    const byte = bytes[position] ?? 0;
    if (byte === QUOTE) {
      if (bytes[position + 1] !== QUOTE) {
        closed = true;
        position += 1;
        break;
      }
      position += 1;
    } else if (byte === LINE_FEED) lineBreaks += 1;
    // Bytes already in place are not written: the buffer of a file without doubled quotes stays unchanged.
    if (end !== position) bytes[end] = byte;
    end += 1;
  }
  if (!closed) return { end, next: position, lineBreaks, fault: 'a quoted field is not closed' };
  if (isEndOfField(bytes, position)) return { end, next: position, lineBreaks, fault: undefined };
  while (position < bytes.length && bytes[position] !== LINE_FEED) position += 1;
  return { end, next: position, lineBreaks, fault: 'text stands behind a quoted field' };
}

function isEndOfField(bytes: Buffer, position: number): boolean {
  const byte = bytes[position];
  if (byte === CARRIAGE_RETURN) return bytes[position + 1] === LINE_FEED;
  return byte === undefined || byte === COMMA || byte === LINE_FEED;
}
