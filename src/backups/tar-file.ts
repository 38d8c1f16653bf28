import type { FileHandle } from 'node:fs/promises';
import { assert, SECOND_MS, systemClock } from '../kernel';

const BLOCK = 512;
const FIELDS = { name: [0, 100], mode: [100, 8], size: [124, 12], mtime: [136, 12], checksum: [148, 8] } as const;
const TYPE_AT = 156;
const MAGIC_AT = 257;
const MAGIC = 'ustar\u000000';
const FILE_TYPE = '0';
const OCTAL_DIGITS = 11;
/** From this size on, GNU tar writes the size as a binary number whose first byte is 0x80. */
const BINARY_FROM = 8 ** OCTAL_DIGITS;
const CHUNK_BYTES = 1024 * 1024;

/** One file inside a tar file. */
export interface TarEntry {
  readonly name: string;
  readonly size: number;
  /** The position of its first byte in the tar file. */
  readonly offset: number;
}

/**
 * Appends one file to a tar file.
 *
 * @throws AssertionError when the chunks have another size than stated.
 */
export async function appendTarEntry(
  file: FileHandle,
  name: string,
  size: number,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<void> {
  await file.appendFile(tarHeader(name, size));
  let written = 0;
  for await (const chunk of chunks) {
    await file.appendFile(chunk);
    written += chunk.length;
  }
  assert(written === size, 'a file changed while it was packed');
  await file.appendFile(Buffer.alloc((BLOCK - (size % BLOCK)) % BLOCK));
}

/** Appends the two empty blocks that end a tar file. */
export async function endTar(file: FileHandle): Promise<void> {
  await file.appendFile(Buffer.alloc(2 * BLOCK));
}

/** Lists the files of a tar file, at most `most` of them; undefined when it is not a whole tar file of plain files. */
export async function listTarEntries(file: FileHandle, most: number): Promise<TarEntry[] | undefined> {
  const { size: fileSize } = await file.stat();
  const entries: TarEntry[] = [];
  for (let offset = 0; entries.length <= most;) {
    const header = Buffer.alloc(BLOCK);
    if ((await file.read(header, 0, BLOCK, offset)).bytesRead !== BLOCK) return undefined;
    if (header.every((byte) => byte === 0)) return entries;
    const entry = readHeader(header, offset + BLOCK);
    if (entry === undefined || entry.offset + entry.size > fileSize) return undefined;
    entries.push(entry);
    offset = entry.offset + Math.ceil(entry.size / BLOCK) * BLOCK;
  }
  return undefined;
}

/** Reads one file of a tar file in pages. */
export async function* readTarEntry(file: FileHandle, { offset, size }: TarEntry): AsyncGenerator<Buffer> {
  for (let done = 0; done < size;) {
    const chunk = Buffer.alloc(Math.min(CHUNK_BYTES, size - done));
    const { bytesRead } = await file.read(chunk, 0, chunk.length, offset + done);
    if (bytesRead === 0) return; // the file became shorter; its digest shows that
    done += bytesRead;
    yield chunk.subarray(0, bytesRead);
  }
}

/** Returns the header of one file in a tar file (ustar). */
export function tarHeader(name: string, size: number): Buffer {
  assert(Buffer.byteLength(name) < FIELDS.name[1], 'the name is short');
  const header = Buffer.alloc(BLOCK);
  const put = (field: keyof typeof FIELDS, text: string): number => header.write(text, FIELDS[field][0], 'latin1');
  const octal = (value: number): string => value.toString(8).padStart(OCTAL_DIGITS, '0');
  put('name', name);
  put('mode', '0000600');
  if (size < BINARY_FROM) put('size', octal(size));
  else {
    header.writeUInt8(0x80, FIELDS.size[0]);
    header.writeBigUInt64BE(BigInt(size), FIELDS.size[0] + FIELDS.size[1] - 8);
  }
  put('mtime', octal(Math.floor(systemClock.now() / SECOND_MS)));
  header.write(FILE_TYPE, TYPE_AT, 'latin1');
  header.write(MAGIC, MAGIC_AT, 'latin1');
  put('checksum', `${checksumOf(header).toString(8).padStart(6, '0')}\0 `);
  return header;
}

function readHeader(header: Buffer, offset: number): TarEntry | undefined {
  const text = (field: keyof typeof FIELDS): string =>
    header.toString('latin1', FIELDS[field][0], FIELDS[field][0] + FIELDS[field][1]).split('\0', 1)[0] ?? '';
  if (Number.parseInt(text('checksum').trim(), 8) !== checksumOf(header)) return undefined;
  if (String.fromCharCode(header[TYPE_AT] ?? 0) !== FILE_TYPE) return undefined;
  const isBinary = header[FIELDS.size[0]] === 0x80;
  const size = isBinary
    ? Number(header.readBigUInt64BE(FIELDS.size[0] + FIELDS.size[1] - 8))
    : Number.parseInt(text('size').trim(), 8);
  return Number.isSafeInteger(size) && size >= 0 ? { name: text('name'), size, offset } : undefined;
}

/** The sum of the bytes of a header, in which the checksum itself counts as spaces. */
function checksumOf(header: Buffer): number {
  const [at, length] = FIELDS.checksum;
  return header.reduce((sum, byte, index) => sum + (index >= at && index < at + length ? 0x20 : byte), 0);
}
