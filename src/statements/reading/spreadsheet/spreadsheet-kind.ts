import { fileFault } from '../refusal';

export type SpreadsheetKind = 'xlsx' | 'html';

const ZIP = 'PK\u0003\u0004';
const EMPTY_ZIP = 'PK\u0005\u0006';
const UTF16_MARKS = ['\u00ff\u00fe', '\u00fe\u00ff'];
const UTF8_MARK = '\u00ef\u00bb\u00bf';
const HTML =
  /^(?:\s|<\?xml[^<>]{0,500}\?>|<!--(?:(?!-->)[\s\S]){0,5000}-->|<!doctype html[^<>]{0,500}>)*<(?:html|head|meta|body|table|style|div|center|font|title)[\s>/]/i;

/** Returns the kind of a spreadsheet by its first bytes, read as Latin 1; undefined for another file. */
export function spreadsheetKind(head: string): SpreadsheetKind | undefined {
  if (head.startsWith(ZIP) || head.startsWith(EMPTY_ZIP)) return 'xlsx';
  return HTML.test(textOf(head)) ? 'html' : undefined;
}

function textOf(head: string): string {
  if (UTF16_MARKS.some((mark) => head.startsWith(mark))) return head.slice(2).replaceAll('\0', '');
  return head.startsWith(UTF8_MARK) ? head.slice(UTF8_MARK.length) : head;
}

const EXPORT = { fix: 'export the account from the bank as MT940, camt.053, OFX, CSV or .xlsx' };
const SAVE_AS_XLSX = { fix: 'open it in a spreadsheet program and save it as .xlsx' };
const UNPACK = { fix: 'unpack it and import the files inside' };

const OLE = '\u00d0\u00cf\u0011\u00e0\u00a1\u00b1\u001a\u00e1';
/** The name of a part of an encrypted workbook, in UTF-16. */
const ENCRYPTED = Buffer.from('EncryptedPackage', 'utf16le');
const XML_WORKBOOK =
  /<\?mso-application\s+progid="Excel\.Sheet"|urn:schemas-microsoft-com:office:spreadsheet|urn:oasis:names:tc:opendocument:xmlns:office/;

interface OtherKind {
  readonly begins: RegExp;
  readonly got: string;
  readonly todo: { readonly fix: string };
}

const OTHER_KINDS: readonly OtherKind[] = [
  { begins: /^[\s\S]{0,1024}?%PDF-\d/, got: 'a PDF', todo: EXPORT },
  {
    begins: /^\u0009[\u0000\u0002\u0004\u0008][\u0004-\u0010]\u0000/,
    got: 'a binary workbook (.xls)',
    todo: SAVE_AS_XLSX,
  },
  {
    begins: /^\u0089PNG|^\u00ff\u00d8\u00ff|^GIF8[79]a|^II\*\u0000|^MM\u0000\*|^RIFF....WEBP/s,
    got: 'a picture',
    todo: EXPORT,
  },
  { begins: /^\u001f\u008b|^BZh\d|^7z\u00bc\u00af|^Rar!|^\u00fd7zXZ/, got: 'an archive', todo: UNPACK },
  { begins: /^\{\\rtf/, got: 'a text document (.rtf)', todo: EXPORT },
];

/**
 * Refuses a file of a kind that is never read, with a sentence about what to import instead. `bytes` returns the whole
 * file.
 * @throws AppError `bad_input`
 */
export function refuseOtherKinds(head: string, bytes: () => Buffer): void {
  if (head.startsWith(OLE)) {
    if (bytes().includes(ENCRYPTED)) {
      throw fileFault('expected a workbook without a password, got an encrypted one', {
        fix: 'remove its password and save it again as .xlsx',
      });
    }
    throw fileFault('expected a bank file, got a binary workbook (.xls) or another binary document', SAVE_AS_XLSX);
  }
  if (XML_WORKBOOK.test(textOf(head).slice(0, 4096))) {
    throw fileFault('expected a bank file, got a workbook in XML', SAVE_AS_XLSX);
  }
  const other = OTHER_KINDS.find(({ begins }) => begins.test(head));
  if (other !== undefined) throw fileFault(`expected a bank file, got ${other.got}`, other.todo);
}
