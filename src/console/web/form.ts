import type { IncomingMessage, ServerResponse } from 'node:http';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { allowLongBody, Pieces, readBody, streamedBody } from '../../http';

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
/** A part of a form has a name, a file name and a type. */
const PART_LIMITS = { headerPairs: 8, headerSize: 8 * 1024 };

/** A form cannot be read. `isTooLarge` tells why. */
export class FormRefused extends Error {
  readonly isTooLarge: boolean;

  constructor(message: string, isTooLarge = false) {
    super(message);
    this.isTooLarge = isTooLarge;
  }
}

/** Reads a form. Only a page that takes a file of a person may get one. @throws FormRefused; else as `streamedBody`. */
export async function readForm(
  request: IncomingMessage,
  response: ServerResponse,
  { fileOf: owner }: { readonly fileOf?: string | undefined } = {},
): Promise<Form> {
  const [type = ''] = (request.headers['content-type'] ?? '').split(';');
  const kind = type.trim().toLowerCase();
  if (kind === 'multipart/form-data' && owner !== undefined) {
    allowLongBody(request);
    return readMultipart(
      request.headers['content-type'] ?? '',
      streamedBody(request, response, FILE_BYTES_MAX + FORM_BYTES_MAX, { owner }),
    );
  }
  if (kind !== 'application/x-www-form-urlencoded') throw new FormRefused('not a form');
  const text = ((await readBody(request, response, FORM_BYTES_MAX)) ?? '').toString();
  // Counted before they are parsed.
  if (text.split('&', FIELDS_MAX + 1).length > FIELDS_MAX) throw new FormRefused('too many fields', true);
  return formOf([...new URLSearchParams(text)], undefined);
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

/** Takes a form apart as it arrives, and reads nothing behind the first fault. */
async function readMultipart(contentType: string, body: AsyncIterable<Buffer>): Promise<Form> {
  const fields: [string, string][] = [];
  let fieldBytes = 0;
  let file: FormFile | undefined;
  let fault: FormRefused | undefined;
  let goOn: () => void = () => undefined;
  const refuse = (what: string, isTooLarge = false): void => {
    fault ??= new FormRefused(what, isTooLarge);
    goOn();
  };
  /** Resolves after a step, or at the first fault, which the steps behind it would not survive. */
  const unlessRefused = async (step: (done: () => void) => void): Promise<void> => {
    await new Promise<void>((resolve) => step((goOn = resolve)));
    if (fault !== undefined) throw fault;
  };
  const reader = multipartReader(contentType);
  // A field or a file may have no name, whatever the types say. An exception here would end the process.
  reader.on('field', (name: string | undefined, value, isNameCut, isValueCut) => {
    if (name === undefined) return refuse('not a form');
    fieldBytes += name.length + value.length;
    if (isNameCut || isValueCut || fieldBytes > FORM_BYTES_MAX) return refuse('the fields are too large', true);
    fields.push([name, value]);
  });
  for (const limit of ['fieldsLimit', 'filesLimit', 'partsLimit'] as const) reader.on(limit, () => refuse(limit, true));
  reader.on('file', (_name, stream, fileName: string | undefined) => {
    const pieces = new Pieces();
    // Without a listener, a body that ends inside the file would end the process.
    stream.on('error', () => refuse('not a form'));
    stream.on('data', (piece: Buffer) => pieces.add(piece));
    stream.on('limit', () => refuse('the file is too large', true));
    stream.on('end', () => {
      const content = pieces.whole();
      // A browser sends an empty file without a name where none was chosen.
      if (content.length > 0 || fileName !== '') file = { name: fileName ?? '', content };
    });
  });
  reader.on('error', () => refuse('not a form'));
  for await (const piece of body) await unlessRefused((done) => reader.write(piece, done));
  await unlessRefused((done) => reader.once('finish', done).end());
  return formOf(fields, file);
}

function multipartReader(contentType: string): BusboyInstance {
  const limits = {
    ...{ fields: FIELDS_MAX, fieldSize: FIELD_BYTES_MAX, files: 1, fileSize: FILE_BYTES_MAX, parts: FIELDS_MAX + 1 },
    ...PART_LIMITS,
  };
  try {
    return Busboy({ headers: { 'content-type': contentType }, limits, preservePath: false });
  } catch {
    throw new FormRefused('not a form');
  }
}
