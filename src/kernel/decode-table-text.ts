// Bytes that windows-1252 would turn into text that no one wrote: three letters with accents in a row, which is Arabic
// in windows-1256, or a whole character in UTF-8, of which another part of the file is damaged.
const MISREAD = /[\xc0-\xff]{3}|[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}/;

/**
 * Decodes a table that a person exported: UTF-8 or UTF-16 with a byte order mark, UTF-8 without one, or windows-1252,
 * which a French spreadsheet writes. Bytes that fit none of them are a fault with its line.
 */
export function decodeTableText(bytes: Uint8Array): { text: string } | { line: number; fault: string } {
  const encoding = markedEncoding(bytes);
  try {
    return { text: new TextDecoder(encoding ?? 'utf-8', { fatal: true }).decode(bytes) };
  } catch {
    const latin1 = Buffer.from(bytes).toString('latin1');
    const misread = encoding === undefined ? MISREAD.exec(latin1) : { index: 0 };
    if (misread === null) return { text: new TextDecoder('windows-1252').decode(bytes) };
    const line = latin1.slice(0, misread.index).split('\n').length;
    const expected = encoding ?? 'utf-8 or windows-1252';
    return { line, fault: `expected ${expected}, got other bytes; save the file as UTF-8` };
  }
}

function markedEncoding([first, second, third]: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return first === 0xef && second === 0xbb && third === 0xbf ? 'utf-8' : undefined;
}
