import { quoted } from '../../../kernel';

/** The supported encodings of XML. */
export type XmlEncoding =
  'utf-8' | 'utf-16le' | 'utf-16be' | 'us-ascii' | 'iso-8859-1' | 'iso-8859-15' | 'windows-1252';

export type EncodingFound =
  | { readonly kind: 'found'; readonly encoding: XmlEncoding; readonly markBytes: number }
  | { readonly kind: 'refused'; readonly problem: string }
  /** More bytes are needed. */
  | { readonly kind: 'more' };

/** An XML declaration has about fifty characters. A longer text is none. */
const DECLARATION_BYTES_MAX = 1024;
const MARK_BYTES_MAX = 4;

const DECLARED: Readonly<Record<string, XmlEncoding>> = {
  'utf-8': 'utf-8',
  utf8: 'utf-8',
  'us-ascii': 'us-ascii',
  ascii: 'us-ascii',
  'iso-8859-1': 'iso-8859-1',
  'iso_8859-1': 'iso-8859-1',
  latin1: 'iso-8859-1',
  'iso-8859-15': 'iso-8859-15',
  'windows-1252': 'windows-1252',
  cp1252: 'windows-1252',
};
const DECLARED_16 = new Set(['utf-16', 'utf-16le', 'utf-16be']);

/**
 * Finds the encoding of a file by its mark, by the zeros of UTF-16, or by its XML declaration. The default is UTF-8.
 */
export function findXmlEncoding(head: Buffer, atEnd: boolean): EncodingFound {
  if (head.length < MARK_BYTES_MAX && !atEnd) return { kind: 'more' };
  if (head[0] === 0xff && head[1] === 0xfe) return { kind: 'found', encoding: 'utf-16le', markBytes: 2 };
  if (head[0] === 0xfe && head[1] === 0xff) return { kind: 'found', encoding: 'utf-16be', markBytes: 2 };
  if (head[0] === 0x3c && head[1] === 0) return { kind: 'found', encoding: 'utf-16le', markBytes: 0 };
  if (head[0] === 0 && head[1] === 0x3c) return { kind: 'found', encoding: 'utf-16be', markBytes: 0 };
  const markBytes = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? 3 : 0;
  const text = head.toString('latin1', markBytes, markBytes + DECLARATION_BYTES_MAX).trimStart();
  if (!text.startsWith('<?xml')) {
    const undecided = '<?xml'.startsWith(text) && !atEnd;
    return undecided ? { kind: 'more' } : { kind: 'found', encoding: 'utf-8', markBytes };
  }
  const end = text.indexOf('?>');
  if (end === -1 && text.length < DECLARATION_BYTES_MAX && !atEnd) return { kind: 'more' };
  return declaredEncoding(text.slice(0, end === -1 ? text.length : end), markBytes);
}

function declaredEncoding(declaration: string, markBytes: number): EncodingFound {
  const name = /\sencoding\s*=\s*["']([^"']*)["']/.exec(declaration)?.[1]?.trim().toLowerCase();
  if (name === undefined) return { kind: 'found', encoding: 'utf-8', markBytes };
  if (DECLARED_16.has(name)) {
    return { kind: 'refused', problem: `expected ${name}, as the file declares, got one byte for each character` };
  }
  const encoding = Object.hasOwn(DECLARED, name) ? DECLARED[name] : undefined;
  if (encoding === undefined) {
    return { kind: 'refused', problem: `expected an encoding such as utf-8, got ${quoted(name)}` };
  }
  if (markBytes > 0 && encoding !== 'utf-8' && encoding !== 'us-ascii') {
    return { kind: 'refused', problem: `expected ${encoding}, as the file declares, got the mark of utf-8` };
  }
  return { kind: 'found', encoding: markBytes > 0 ? 'utf-8' : encoding, markBytes };
}
