import { isUtf8 } from 'node:buffer';
import iconv from 'iconv-lite';
import { quoted } from '../../../kernel';
import { lineAt } from '../line-at';
import { refusal } from '../refusal';

/** The headers and the XML declaration are within these bytes. */
const HEADER_BYTES_MAX = 4096;

// Some banks write the headers on one line, without separators.
const DECLARED = [
  /CHARSET\s*[:=]\s*([\w-]{1,40}?)(?=COMPRESSION|[^\w-]|$)/i,
  /ENCODING\s*:\s*([\w-]{1,40}?)(?=CHARSET|[^\w-]|$)/i,
  /<\?xml\s[^<>]{0,1000}?\bencoding\s*=\s*["']([\w-]{1,40})/i,
];

/** Names without information, or names that bytes outside UTF-8 disprove. A charset beside them still counts. */
const SAYS_NOTHING = new Set(['NONE', 'USASCII', 'US-ASCII', 'ASCII', 'UNICODE', 'UTF-8', 'UTF8']);
const UTF8_NAMES = new Set(['UTF-8', 'UTF8', 'UNICODE']);
const LATIN_1_NAMES = new Set(['ISO-8859-1', '8859-1', 'ISO8859-1', 'LATIN1']);
const OTHER_ENCODING = /^(?:WINDOWS-?|CP-?)?(125[0-8])$|^(?:ISO-?)?(8859-\d{1,2})$/;
const DEFAULT_ENCODING = 'windows-1252';

const UTF16_MARKS = [Buffer.from([0xff, 0xfe]), Buffer.from([0xfe, 0xff])];
/** Padding that some programs write after the last byte. */
const FILLERS = new Set([0x00, 0x1a]);
const NOT_UTF8 = '\ufffd';
const NOT_IN_ENCODING = /[\u0080-\u009f\ufffd]/;

/**
 * Decodes an OFX file. Valid UTF-8 is read as such, whatever the headers declare: most banks never adapt the headers,
 * and hardly any other text is UTF-8 by chance. Otherwise the declared charset counts.
 * @throws AppError `bad_input` for bytes that are not text in the encoding, naming the line.
 */
export function decodeOfx(file: Buffer): string {
  const bytes = withoutFillers(file);
  if (UTF16_MARKS.some((mark) => bytes.subarray(0, mark.length).equals(mark))) {
    throw refusal('line 1: expected UTF-8 or a charset of one byte for each character, got UTF-16');
  }
  const encoding = isUtf8(bytes) ? 'utf-8' : declaredEncoding(bytes);
  const text = iconv.decode(bytes, encoding);
  const zero = text.indexOf('\0');
  if (zero !== -1) throw refusal(`line ${lineAt(text, zero)}: expected text, got a NUL`);
  const wrong = encoding === 'utf-8' ? null : NOT_IN_ENCODING.exec(text);
  if (wrong !== null) {
    throw refusal(`line ${lineAt(text, wrong.index)}: expected text in ${encoding}, got a byte that it does not have`);
  }
  return text;
}

function declaredEncoding(bytes: Buffer): string {
  const head = bytes.toString('latin1', 0, HEADER_BYTES_MAX);
  const names = DECLARED.flatMap((pattern) => pattern.exec(head)?.[1]?.toUpperCase() ?? []);
  const name = names.find((candidate) => !SAYS_NOTHING.has(candidate));
  if (name === undefined) {
    if (!names.some((candidate) => UTF8_NAMES.has(candidate))) return DEFAULT_ENCODING;
    const text = bytes.toString('utf8');
    const line = lineAt(text, text.indexOf(NOT_UTF8));
    throw refusal(`line ${line}: expected UTF-8, as the header says, got a byte that is not`);
  }
  // As on the web: a declared Latin 1 is mostly windows-1252, which has the same letters at the same places.
  if (LATIN_1_NAMES.has(name)) return DEFAULT_ENCODING;
  const [, windows, iso] = OTHER_ENCODING.exec(name) ?? [];
  const encoding = windows !== undefined ? `windows-${windows}` : `iso-${iso ?? ''}`;
  if (iconv.encodingExists(encoding)) return encoding;
  throw refusal(`expected a charset such as 1252, ISO-8859-1 or UTF-8 in the header, got ${quoted(name)}`);
}

function withoutFillers(file: Buffer): Buffer {
  let end = file.length;
  while (end > 0 && FILLERS.has(file[end - 1] ?? -1)) end -= 1;
  return file.subarray(0, end);
}
