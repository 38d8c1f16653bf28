import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { Busboy } from '@fastify/busboy';
import { allowLongBody, readBody } from '../../http';
import { AppError } from '../../kernel';

/** A file that a form sent. */
export interface FormFile {
  readonly name: string;
  readonly content: Buffer;
}

/** What a form sent: each field with all of its values, and at most one file. */
export interface Form {
  /** Returns the first value of a field; an empty text if there is none. */
  value(name: string): string;
  /** Returns all values of a field, such as of boxes. */
  values(name: string): readonly string[];
  readonly fields: readonly (readonly [string, string])[];
  readonly file: FormFile | undefined;
}

const FIELD_BYTES_MAX = 64 * 1024;
const FIELDS_MAX = 2_000;
const FILE_BYTES_MAX = 64 * 1024 * 1024;
const FORM_BYTES_MAX = 1024 * 1024;

/** A file is in memory, and as often again while it is taken apart. */
const FILES_AT_ONCE = 4;
let filesReading = 0;

/** A form cannot be read. `isTooLarge` tells why. */
export class FormRefused extends Error {
  readonly isTooLarge: boolean;

  constructor(message: string, isTooLarge = false) {
    super(message);
    this.isTooLarge = isTooLarge;
  }
}

/** Reads a form. Only a page that takes a file may get one. @throws FormRefused. */
export async function readForm(
  request: IncomingMessage,
  response: ServerResponse,
  { takesFile }: { readonly takesFile: boolean },
): Promise<Form> {
  const [type = ''] = (request.headers['content-type'] ?? '').split(';');
  const kind = type.trim().toLowerCase();
  if (kind === 'multipart/form-data' && takesFile) {
    if (filesReading >= FILES_AT_ONCE) throw new AppError('unavailable', 'too many files are received at this moment');
    filesReading += 1;
    try {
      allowLongBody(request);
      const bytes = await readBody(request, response, FILE_BYTES_MAX + FORM_BYTES_MAX);
      return await readMultipart(request.headers['content-type'] ?? '', bytes ?? Buffer.alloc(0));
    } finally {
      filesReading -= 1;
    }
  }
  if (kind !== 'application/x-www-form-urlencoded') throw new FormRefused('not a form');
  const bytes = await readBody(request, response, FORM_BYTES_MAX);
  const fields = [...new URLSearchParams((bytes ?? Buffer.alloc(0)).toString('utf8'))];
  if (fields.length > FIELDS_MAX) throw new FormRefused('too many fields', true);
  return formOf(fields, undefined);
}

/** Creates a form of fields, each a name and a value. */
export function formOf(fields: readonly (readonly [string, string])[], file: FormFile | undefined): Form {
  return {
    value: (name) => fields.find(([each]) => each === name)?.[1] ?? '',
    values: (name) => fields.filter(([each]) => each === name).map(([, value]) => value),
    fields,
    file,
  };
}

function readMultipart(contentType: string, bytes: Buffer): Promise<Form> {
  return new Promise((resolve, reject) => {
    const fields: [string, string][] = [];
    let file: FormFile | undefined;
    const limits = { fields: FIELDS_MAX, fieldSize: FIELD_BYTES_MAX, files: 1, fileSize: FILE_BYTES_MAX };
    const headers = { 'content-type': contentType };
    let reader;
    try {
      reader = Busboy({ headers, limits, preservePath: false });
    } catch {
      return reject(new FormRefused('not a form'));
    }
    const tooLarge = (what: string): void => reject(new FormRefused(what, true));
    reader.on('field', (name, value, isNameCut, isValueCut) => {
      if (isNameCut || isValueCut) return tooLarge('a field is too large');
      fields.push([name, value]);
    });
    for (const limit of ['fieldsLimit', 'filesLimit', 'partsLimit'] as const) reader.on(limit, () => tooLarge(limit));
    reader.on('file', (_name, stream, fileName) => {
      const pieces: Buffer[] = [];
      // Without a listener, a body that ends inside the file would end the process.
      stream.on('error', () => reject(new FormRefused('not a form')));
      stream.on('data', (piece: Buffer) => void pieces.push(piece));
      stream.on('limit', () => tooLarge('the file is too large'));
      stream.on('end', () => {
        const content = Buffer.concat(pieces);
        // A browser sends an empty file without a name where none was chosen.
        if (content.length > 0 || fileName !== '') file = { name: fileName, content };
      });
    });
    reader.on('error', () => reject(new FormRefused('not a form')));
    reader.on('finish', () => resolve(formOf(fields, file)));
    Readable.from([bytes]).pipe(reader);
  });
}
