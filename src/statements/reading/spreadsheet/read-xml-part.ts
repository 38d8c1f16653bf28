import { SaxesParser } from 'saxes';
import { DEPTH_MAX } from '../limits';
import { fileFault } from '../refusal';

export type XmlAttributes = Readonly<Record<string, string>>;

/** Receives the elements of a part, by their names without prefix. */
export interface XmlListener {
  open(name: string, attributes: XmlAttributes): void;
  close(name: string): void;
  text?(text: string): void;
}

const PIECE_BYTES = 64 * 1024;

/**
 * Parses a part of a workbook.
 * @throws AppError `bad_input` unless it is well-formed UTF-8 without a document type. Only XML's five entities exist.
 */
export function readXmlPart(part: string, bytes: Buffer, listener: XmlListener): void {
  const refuse = (problem: string): never => {
    throw fileFault(`expected a workbook, got a part ${part} that cannot be read: ${problem}`, {
      fix: 'open the workbook in a spreadsheet program and save it again as .xlsx',
    });
  };
  const parser = new SaxesParser({ xmlns: false, position: false });
  let depth = 0;
  parser.on('error', (error) => refuse(error.message));
  parser.on('doctype', () => refuse('it has a document type'));
  parser.on('opentag', ({ name, attributes }) => {
    depth += 1;
    if (depth > DEPTH_MAX) refuse(`it has more than ${DEPTH_MAX} elements inside each other`);
    listener.open(withoutPrefix(name), attributes);
  });
  parser.on('closetag', ({ name }) => {
    depth -= 1;
    listener.close(withoutPrefix(name));
  });
  const text = listener.text?.bind(listener);
  if (text !== undefined) {
    parser.on('text', text);
    parser.on('cdata', text);
  }
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = (piece?: Buffer): string => {
    try {
      return decoder.decode(piece, { stream: piece !== undefined });
    } catch {
      return refuse('it is not UTF-8');
    }
  };
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) parser.write(decode(bytes.subarray(at, at + PIECE_BYTES)));
  parser.write(decode());
  parser.close();
}

function withoutPrefix(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** Returns an attribute, whatever its prefix. */
export function attributeOf(attributes: XmlAttributes, name: string): string | undefined {
  return Object.entries(attributes).find(([key]) => withoutPrefix(key) === name)?.[1];
}

export function isTrue(text: string | undefined): boolean {
  return text === '1' || text === 'true';
}
