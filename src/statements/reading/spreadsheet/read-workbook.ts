import { posix } from 'node:path';
import { PART_NAME_CHARACTERS_MAX, SHEETS_MAX } from '../limits';
import { fileFault } from '../refusal';
import { readNumberFormats } from './number-formats';
import { type CellContext, readWorksheet } from './read-worksheet';
import { attributeOf, isTrue, readXmlPart } from './read-xml-part';
import { readSharedTexts } from './shared-texts';
import type { Sheet, Workbook } from './sheet';
import type { DateSystem } from './stored-number';
import { ZipArchive } from './zip-archive';

interface Relation {
  readonly type: string;
  readonly target: string;
}

interface NamedSheet {
  readonly name: string;
  readonly relation: string;
  readonly hidden: boolean;
}

/** Other files that are ZIP archives, by a part of each. */
const OTHER_KINDS: readonly (readonly [part: RegExp, got: string])[] = [
  [/^xl\/workbook\.bin$/i, 'a binary workbook (.xlsb)'],
  [/^content\.xml$/i, 'an OpenDocument file (.ods)'],
  [/^index\/.*\.iwa$|^index\.zip$/i, 'a workbook of Numbers'],
  [/^word\/document\.xml$/i, 'a text document (.docx)'],
  [/^ppt\/presentation\.xml$/i, 'a presentation (.pptx)'],
];
const SAVE_AS = { fix: 'open it in a spreadsheet program and save it as .xlsx' };

/**
 * Reads an .xlsx workbook (ECMA-376), from Excel and from other programs.
 * @throws AppError `bad_input` for another kind of archive, and for a part that cannot be read.
 */
export function readWorkbook(bytes: Buffer): Workbook {
  const archive = new ZipArchive(bytes);
  const main = targetOf(relationsOf(archive, ''), 'officeDocument') ?? 'xl/workbook.xml';
  const other = OTHER_KINDS.find(([part]) => archive.names().some((name) => part.test(name)));
  if (other !== undefined) throw fileFault(`expected a bank file, got ${other[1]}`, SAVE_AS);
  const content = archive.read(main);
  if (content === undefined) {
    throw fileFault('expected a bank file, got an archive', { fix: 'unpack it and import the files inside' });
  }
  const relations = relationsOf(archive, main);
  const { sheets, dateSystem } = sheetsOf(main, content);
  const formats = partOf(archive, targetOf(relations, 'styles'));
  const texts = partOf(archive, targetOf(relations, 'sharedStrings'));
  const context: CellContext = {
    numberFormats: formats === undefined ? [] : readNumberFormats(...formats),
    sharedTexts: texts === undefined ? [] : readSharedTexts(...texts),
    dateSystem,
  };
  const read = sheets.flatMap(({ name, relation, hidden }): Sheet[] => {
    const found = relations.get(relation);
    const part = found?.type === 'worksheet' ? partOf(archive, found.target) : undefined;
    return hidden || part === undefined ? [] : [readWorksheet(...part, name, context)];
  });
  return { sheets: read, hidden: sheets.filter(({ hidden }) => hidden).map(({ name }) => name) };
}

function partOf(archive: ZipArchive, name: string | undefined): [name: string, bytes: Buffer] | undefined {
  const bytes = name === undefined ? undefined : archive.read(name);
  return name === undefined || bytes === undefined ? undefined : [name, bytes];
}

/** Returns the relations of a part to others, by their ids. The types are those of the last part of their names. */
function relationsOf(archive: ZipArchive, part: string): ReadonlyMap<string, Relation> {
  const folder = posix.dirname(part);
  const name = posix.join(folder, '_rels', `${posix.basename(part)}.rels`);
  const relations = new Map<string, Relation>();
  const bytes = archive.read(name);
  if (bytes === undefined) return relations;
  readXmlPart(name, bytes, {
    open(element, attributes) {
      if (element !== 'Relationship' || attributes['TargetMode'] === 'External') return;
      const target = attributes['Target'] ?? '';
      // `posix.join` is slow on many dots.
      if (target.length > PART_NAME_CHARACTERS_MAX) return;
      relations.set(attributes['Id'] ?? '', {
        type: posix.basename(attributes['Type'] ?? ''),
        target: target.startsWith('/') ? target.slice(1) : posix.join(folder, target),
      });
    },
    close: () => undefined,
  });
  return relations;
}

function targetOf(relations: ReadonlyMap<string, Relation>, type: string): string | undefined {
  return [...relations.values()].find((relation) => relation.type === type)?.target;
}

function sheetsOf(part: string, bytes: Buffer): { sheets: readonly NamedSheet[]; dateSystem: DateSystem } {
  const sheets: NamedSheet[] = [];
  let dateSystem: DateSystem = 1900;
  readXmlPart(part, bytes, {
    open(name, attributes) {
      if (name === 'workbookPr' && isTrue(attributes['date1904'])) dateSystem = 1904;
      if (name !== 'sheet') return;
      const state = attributes['state'] ?? 'visible';
      sheets.push({
        name: attributes['name'] ?? '',
        relation: attributeOf(attributes, 'id') ?? '',
        hidden: state !== 'visible',
      });
      if (sheets.length > SHEETS_MAX) throw fileFault(`expected at most ${SHEETS_MAX} sheets, got more`);
    },
    close: () => undefined,
  });
  return { sheets, dateSystem };
}
