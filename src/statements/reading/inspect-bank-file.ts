import { createHash } from 'node:crypto';
import type { BankFile } from './bank-file';
import { looksLikeXml } from './camt/looks-like-xml';
import { fileFault, namedError } from './refusal';

/** The facts of a file before its statements are read. */
export interface FileFacts {
  readonly sha256: string;
  readonly sizeBytes: number;
  /** The first bytes as ISO 8859-1, enough to recognize the format. */
  readonly head: string;
  /** Whether every byte of the file is UTF-8. Not checked in XML, which declares its encoding. */
  readonly utf8: boolean;
}

const HEAD_BYTES = 64 * 1024;

/** Reads a file once. @throws AppError `bad_input` for an empty file. */
export function inspectBankFile(file: BankFile): FileFacts {
  const hash = createHash('sha256');
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let sizeBytes = 0;
  let head = '';
  let utf8 = true;
  let blank = true;
  for (const piece of file.pieces()) {
    hash.update(piece);
    sizeBytes += piece.length;
    if (head === '') {
      head = piece.toString('latin1', 0, HEAD_BYTES);
      utf8 = !looksLikeXml(head);
    }
    utf8 = utf8 && decodes(decoder, piece);
    blank = blank && piece.every(isBlank);
  }
  utf8 = utf8 && decodes(decoder, undefined);
  if (blank) throw namedError(file.name, fileFault('the file is empty'));
  return { sha256: hash.digest('hex'), sizeBytes, head, utf8 };
}

/**
 * Returns whether a piece is valid. A character may continue in the next piece; without a piece the text must be
 * complete.
 */
function decodes(decoder: InstanceType<typeof TextDecoder>, piece: Buffer | undefined): boolean {
  try {
    decoder.decode(piece, { stream: piece !== undefined });
    return true;
  } catch {
    return false;
  }
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0 || (byte >= 0x09 && byte <= 0x0d);
}
