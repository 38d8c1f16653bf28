// Goal: a hostile or damaged workbook is refused within the limits, and no changed byte gives other money.
// Method: archives that lie about their sizes or hide parts, parts with entities or endless nesting, and each bit flipped.
import { describe, expect, test } from '@jest/globals';
import { isAppError } from '../../../../src/kernel';
import {
  DEPTH_MAX,
  NUMBER_FORMATS_MAX,
  SHARED_TEXTS_MAX,
  SHEET_CHARACTERS_MAX,
  SHEETS_MAX,
  UNPACKED_BYTES_MAX,
  WHOLE_FILE_BYTES_MAX,
} from '../../../../src/statements/reading/limits';
import { xlsxFile, zipFile } from '../../../support/xlsx-file';
import { faultOf, LINES, readSheet, statementRows, workbook } from './a-sheet';

const SHEET = 'xl/worksheets/sheet1.xml';
/** Prime, so that the bits of a byte and the fields of the archive alternate. */
const STEP = 7;
const DAMAGED = 'got a damaged archive';

function sheetOf(xml: string): Buffer {
  return workbook({ sheets: [{ xml }] });
}

describe('a workbook', () => {
  test('is refused above the size of a file that is read whole', () => {
    const large = Buffer.concat([workbook(), Buffer.alloc(WHOLE_FILE_BYTES_MAX)]);
    expect(faultOf(large)).toContain('expected at most 16 MiB of a spreadsheet, got more');
  });

  test('is refused if its parts unpack to more than the limit', () => {
    const bomb = sheetOf(' '.repeat(UNPACKED_BYTES_MAX));
    expect(bomb.length).toBeLessThan(1024 * 1024);
    expect(faultOf(bomb)).toContain('expected a workbook of at most 128 MiB unpacked, got more');
  });

  test('is refused if a part unpacks to more than the archive states', () => {
    const parts = { 'xl/workbook.xml': ' '.repeat(1024 * 1024) };
    expect(faultOf(zipFile(parts, { sizes: { 'xl/workbook.xml': 100 } }))).toContain(DAMAGED);
    expect(faultOf(zipFile(parts, { sizes: { 'xl/workbook.xml': 0 } }))).toContain(DAMAGED);
  });

  const rowsOfText = (count: number, text: string): Buffer => {
    const rows = Array.from({ length: count }, (_, row) => `<row r="${row + 1}"><c t="s"><v>0</v></c></row>`);
    return workbook({
      sheets: [{ xml: `<worksheet><sheetData>${rows.join('')}</sheetData></worksheet>` }],
      parts: { 'xl/sharedStrings.xml': `<sst><si><t>${text}</t></si></sst>` },
    });
  };

  test.each([
    [
      'characters',
      'x',
      SHEET_CHARACTERS_MAX,
      `expected at most ${SHEET_CHARACTERS_MAX} characters in all cells, got more`,
    ],
    ['bytes', '€', WHOLE_FILE_BYTES_MAX / 3, 'expected at most 16 MiB of CSV, got more'],
  ])('is refused if a short text in many cells has too many %s together', (_what, character, max, fault) => {
    expect(faultOf(rowsOfText(Math.ceil(max / 30_000) + 1, character.repeat(30_000)))).toContain(fault);
  });

  test('is refused with too many empty rows, or too much text in a row', () => {
    const gap = Array.from({ length: 100_001 }, () => []);
    expect(faultOf(workbook({ sheets: [{ rows: [...statementRows(), ...gap, ['x']] }] }))).toContain(
      'row 100010: expected at most 100000 empty lines, got more',
    );
    const [first = [], ...others] = LINES;
    const rows = statementRows([[...first.slice(0, 4), 'x'.repeat(70_000)], ...others]);
    expect(faultOf(workbook({ sheets: [{ rows }] }))).toContain('row 6: expected at most 65536 characters, got more');
  });

  test('is refused with too many shared texts, number formats or sheets', () => {
    const parts = { 'xl/sharedStrings.xml': `<sst>${'<si/>'.repeat(SHARED_TEXTS_MAX + 1)}</sst>` };
    expect(faultOf(workbook({ parts }))).toContain(`expected at most ${SHARED_TEXTS_MAX} shared texts, got more`);
    const formats = Array.from({ length: NUMBER_FORMATS_MAX + 1 }, (_, index) => `0"${index}"`);
    expect(faultOf(workbook({ formats }))).toContain(`expected at most ${NUMBER_FORMATS_MAX} number formats`);
    const sheets = Array.from({ length: SHEETS_MAX + 1 }, () => ({}));
    expect(faultOf(xlsxFile({ sheets }))).toContain(`expected at most ${SHEETS_MAX} sheets, got more`);
  });

  test.each([
    ['a document type', '<!DOCTYPE a [<!ENTITY b "c">]><worksheet>&b;</worksheet>', 'it has a document type'],
    ['an entity', '<worksheet>&b;</worksheet>', 'undefined entity'],
    ['elements without end', '<a>'.repeat(DEPTH_MAX + 1), `more than ${DEPTH_MAX} elements inside each other`],
    ['a cut end', '<worksheet><sheetData>', 'unclosed tag'],
    ['nothing', '', 'document must contain a root element'],
  ])('is refused with %s in a part', (_what, xml, fault) => {
    expect(faultOf(sheetOf(xml))).toContain(fault);
  });

  test('is refused with a part that is not UTF-8', () => {
    const bytes = workbook({ deflate: false });
    const at = bytes.indexOf('VIREMENT');
    expect(at).toBeGreaterThan(0);
    bytes[at] = 0xff;
    expect(faultOf(bytes)).toContain('does not fit its length and checksum');
  });

  test.each([
    ['without its end', workbook().subarray(0, -30)],
    ['cut in the middle', workbook().subarray(0, 1_000)],
    ['with an encrypted part', zipFile({ 'xl/workbook.xml': '<workbook/>' }, { flags: 1 })],
    ['without parts', zipFile({})],
    ['without sheets', xlsxFile({ sheets: [] })],
    ['with a relation to itself', workbook({ parts: { 'xl/_rels/workbook.xml.rels': '<a/>' } })],
    [
      'whose sheet is missing',
      zipFile({ 'xl/workbook.xml': '<workbook><sheets><sheet name="a" id="b"/></sheets></workbook>' }),
    ],
  ])('is refused %s', (_how, bytes) => {
    expect(faultOf(bytes)).toMatch(/expected a (?:workbook|bank file|sheet)/);
  });

  test('is refused with two parts of one name, whatever their case', () => {
    expect(faultOf(zipFile({ [SHEET]: 'a', [SHEET.toUpperCase()]: 'b' }))).toContain('it has two parts');
  });

  test('never proves other money with a flipped bit', () => {
    const bytes = workbook({ deflate: false });
    const original = JSON.stringify(readSheet(bytes).shapes);
    const wrong: string[] = [];
    let refused = 0;
    for (let at = 0; at < bytes.length; at += STEP) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ (1 << (at % 8));
      try {
        const { verdict, shapes } = readSheet(changed);
        if (verdict === 'ok' && JSON.stringify(shapes) !== original) wrong.push(`byte ${at}`);
      } catch (error) {
        if (!isAppError(error, 'bad_input')) throw error;
        refused += 1;
      }
    }
    expect(wrong).toEqual([]);
    expect(refused).toBeGreaterThan(bytes.length / STEP / 2);
  });
});

describe('a file of another kind', () => {
  const ole = (content: string): Buffer =>
    Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(70_000), Buffer.from(content, 'utf16le')]);
  const EXPORT = 'export the account from the bank as MT940, camt.053, OFX, CSV or .xlsx';
  const SAVE = 'open it in a spreadsheet program and save it as .xlsx';

  test.each([
    ['a PDF', Buffer.from('%PDF-1.7\n%\u00e2\u00e3'), 'a PDF', EXPORT],
    ['a PDF after other bytes', Buffer.from(`\n${' '.repeat(500)}%PDF-1.4\n`), 'a PDF', EXPORT],
    ['a binary workbook', ole('Workbook'), 'a binary workbook (.xls) or another binary document', SAVE],
    ['an old binary workbook', Buffer.from('0908100000060500', 'hex'), 'a binary workbook (.xls)', SAVE],
    [
      'a workbook with a password',
      ole('EncryptedPackage'),
      'an encrypted one',
      'remove its password and save it again as .xlsx',
    ],
    [
      'an .ods',
      zipFile({ mimetype: 'application/vnd.oasis', 'content.xml': '<a/>' }),
      'an OpenDocument file (.ods)',
      SAVE,
    ],
    ['an .xlsb', zipFile({ 'xl/workbook.bin': 'x' }), 'a binary workbook (.xlsb)', SAVE],
    ['a workbook of Numbers', zipFile({ 'Index/Document.iwa': 'x' }), 'a workbook of Numbers', SAVE],
    ['a .docx', zipFile({ 'word/document.xml': 'x' }), 'a text document (.docx)', SAVE],
    ['a ZIP archive', zipFile({ 'releve.csv': 'a;b' }), 'an archive', 'unpack it and import the files inside'],
    ['a gzip archive', Buffer.from('1f8b0800', 'hex'), 'an archive', 'unpack it and import the files inside'],
    ['a picture', Buffer.from('89504e470d0a1a0a', 'hex'), 'a picture', EXPORT],
    ['a photograph', Buffer.from('ffd8ffe0', 'hex'), 'a picture', EXPORT],
    ['an RTF document', Buffer.from('{\\rtf1 x}'), 'a text document (.rtf)', EXPORT],
    [
      'a workbook in XML',
      Buffer.from('<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>\n<Workbook/>'),
      'a workbook in XML',
      SAVE,
    ],
  ])('is refused with what to do: %s', (_what, bytes, got, todo) => {
    const [fault] = faultOf(bytes).split('\n');
    expect(fault).toContain(`got ${got}`);
    expect(fault?.endsWith(todo)).toBe(true);
  });
});
