import { crc32, deflateRawSync } from 'node:zlib';

/** A cell as its XML, without its place, or a text, a number or nothing. */
export type GivenCell = string | number | undefined | GivenXml;

export interface GivenXml {
  /** Attributes besides the place: ` t="b"`. */
  readonly attributes?: string;
  readonly content: string;
}

export interface GivenSheet {
  readonly name?: string;
  readonly state?: 'hidden' | 'veryHidden';
  readonly rows?: readonly (readonly GivenCell[])[];
  /** The whole part instead of the rows. */
  readonly xml?: string;
  /** Elements behind the rows, such as mergeCells, and before them, such as cols. */
  readonly after?: string;
  readonly before?: string;
  /** Rows of these numbers are hidden. */
  readonly hiddenRows?: readonly number[];
}

export interface GivenWorkbook {
  readonly sheets: readonly GivenSheet[];
  /** The number formats of the cell styles, each a code or the number of a built-in format. */
  readonly formats?: readonly (string | number)[];
  readonly date1904?: boolean;
  readonly texts?: 'shared' | 'inline';
  /** Without places of cells and rows, as some programs write. */
  readonly withoutPlaces?: boolean;
  /** The prefix of elements, as some programs write. */
  readonly prefix?: string;
  readonly withoutStyles?: boolean;
  readonly deflate?: boolean;
  /** Parts that replace or join those of the workbook. */
  readonly parts?: Readonly<Record<string, string>>;
}

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/relationships';
const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** Returns a number with the style `style` of `formats`. */
export function styled(value: number | string, style: number): GivenXml {
  return { attributes: ` s="${style}"`, content: `<v>${value}</v>` };
}

/** Writes a workbook as Excel does, or with the given odd forms. */
export function xlsxFile(given: GivenWorkbook): Buffer {
  const texts: string[] = [];
  const sheetParts = given.sheets.map((sheet, index) => [
    `xl/worksheets/sheet${index + 1}.xml`,
    sheet.xml ?? sheetXml(sheet, given, texts),
  ]);
  const sheetNames = given.sheets.map((sheet, index) => {
    const state = sheet.state === undefined ? '' : ` state="${sheet.state}"`;
    return `<sheet name="${escaped(sheet.name ?? `Feuil${index + 1}`)}" sheetId="${index + 1}"${state} r:id="rId${index + 1}"/>`;
  });
  const targets = [
    ...given.sheets.map((_, index) => relation(`rId${index + 1}`, 'worksheet', `worksheets/sheet${index + 1}.xml`)),
    relation('rId900', 'styles', 'styles.xml'),
    relation('rId901', 'sharedStrings', '/xl/sharedStrings.xml'),
  ];
  const pr = given.date1904 === true ? '<workbookPr date1904="1"/>' : '';
  return zipFile(
    {
      '[Content_Types].xml': `${DECLARATION}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
      '_rels/.rels': relations([relation('rId1', 'officeDocument', 'xl/workbook.xml')]),
      'xl/workbook.xml': `${DECLARATION}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}">${pr}<sheets>${sheetNames.join('')}</sheets></workbook>`,
      'xl/_rels/workbook.xml.rels': relations(targets),
      ...(given.withoutStyles === true ? {} : { 'xl/styles.xml': stylesXml(given.formats ?? []) }),
      ...(texts.length === 0 ? {} : { 'xl/sharedStrings.xml': sharedXml(texts) }),
      ...(Object.fromEntries(sheetParts) as Record<string, string>),
      ...given.parts,
    },
    { deflate: given.deflate ?? true },
  );
}

function relations(all: readonly string[]): string {
  return `${DECLARATION}<Relationships xmlns="${PACKAGE}">${all.join('')}</Relationships>`;
}

function relation(id: string, type: string, target: string): string {
  return `<Relationship Id="${id}" Type="${RELATIONS}/${type}" Target="${target}"/>`;
}

function stylesXml(formats: readonly (string | number)[]): string {
  const own = formats.flatMap((format, index) =>
    typeof format === 'string' ? `<numFmt numFmtId="${200 + index}" formatCode="${escaped(format)}"/>` : [],
  );
  const styles = formats.map(
    (format, index) => `<xf numFmtId="${typeof format === 'string' ? 200 + index : format}"/>`,
  );
  return (
    `${DECLARATION}<styleSheet xmlns="${MAIN}"><numFmts>${own.join('')}</numFmts>` +
    `<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs>${styles.join('')}</cellXfs></styleSheet>`
  );
}

function sharedXml(texts: readonly string[]): string {
  const items = texts.map((text) => `<si><t xml:space="preserve">${escaped(text)}</t></si>`);
  return `${DECLARATION}<sst xmlns="${MAIN}" count="${texts.length}">${items.join('')}</sst>`;
}

function sheetXml(sheet: GivenSheet, given: GivenWorkbook, texts: string[]): string {
  const p = given.prefix === undefined ? '' : `${given.prefix}:`;
  const rows = (sheet.rows ?? []).map((cells, index) => {
    const number = index + 1;
    const written = cells.map((cell, column) => {
      const place = given.withoutPlaces === true ? '' : ` r="${letter(column)}${number}"`;
      const { attributes = '', content } = cellXml(cell, given, texts);
      return content === '' && given.withoutPlaces !== true
        ? ''
        : `<${p}c${place}${attributes}>${content.replace(/<(\/?)(?=[a-z])/g, `<$1${p}`)}</${p}c>`;
    });
    const hidden = sheet.hiddenRows?.includes(number) === true ? ' hidden="1"' : '';
    const place = given.withoutPlaces === true ? '' : ` r="${number}"`;
    return `<${p}row${place}${hidden}>${written.join('')}</${p}row>`;
  });
  const xmlns = given.prefix === undefined ? 'xmlns' : `xmlns:${given.prefix}`;
  return `${DECLARATION}<${p}worksheet ${xmlns}="${MAIN}">${sheet.before ?? ''}<${p}sheetData>${rows.join('')}</${p}sheetData>${sheet.after ?? ''}</${p}worksheet>`;
}

function cellXml(cell: GivenCell, given: GivenWorkbook, texts: string[]): GivenXml {
  if (cell === undefined || cell === '') return { content: '' };
  if (typeof cell === 'number') return { content: `<v>${cell}</v>` };
  if (typeof cell !== 'string') return cell;
  if (given.texts === 'inline') return { attributes: ' t="inlineStr"', content: `<is><t>${escaped(cell)}</t></is>` };
  return { attributes: ' t="s"', content: `<v>${texts.push(cell) - 1}</v>` };
}

function letter(column: number): string {
  return String.fromCharCode(65 + column);
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

interface ZipOptions {
  readonly deflate?: boolean;
  /** The bits of each part: 1 for an encrypted one. */
  readonly flags?: number;
  /** The unpacked sizes that the archive states, by part. */
  readonly sizes?: Readonly<Record<string, number>>;
}

/** Writes a ZIP archive of texts. */
export function zipFile(parts: Readonly<Record<string, string>>, options: ZipOptions = {}): Buffer {
  const local: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(parts)) {
    const content = Buffer.from(text);
    const packed = options.deflate === false ? content : deflateRawSync(content);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(options.flags ?? 0, 2);
    common.writeUInt16LE(options.deflate === false ? 0 : 8, 4);
    common.writeUInt32LE(crc32(content), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(options.sizes?.[name] ?? content.length, 18);
    common.writeUInt16LE(Buffer.byteLength(name), 22);
    const header = Buffer.concat([Buffer.from('PK\u0003\u0004'), common, Buffer.from(name)]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    directory.push(Buffer.from('PK\u0001\u0002'), Buffer.from([20, 0]), common, place, Buffer.from(name));
    local.push(header, packed);
    offset += header.length + packed.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(Object.keys(parts).length, 4);
  end.writeUInt16LE(Object.keys(parts).length, 6);
  end.writeUInt32LE(listed.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...local, listed, Buffer.from('PK\u0005\u0006'), end]);
}
