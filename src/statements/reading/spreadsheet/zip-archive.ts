import { crc32, inflateRawSync } from 'node:zlib';
import { ARCHIVE_PARTS_MAX, BYTES_PER_MIB, UNPACKED_BYTES_MAX } from '../limits';
import { fileFault } from '../refusal';

const END_SIGNATURE = 0x06054b50;
const END_BYTES = 22;
const COMMENT_BYTES_MAX = 0xffff;
const PART_SIGNATURE = 0x02014b50;
const PART_BYTES = 46;
const LOCAL_SIGNATURE = 0x04034b50;
const LOCAL_BYTES = 30;
const ENCRYPTED = 1;
const STORED = 0;
const DEFLATED = 8;
/** Stands for a size or an offset that only ZIP64 can express. No workbook within the limits needs it. */
const IN_ZIP64 = 0xffffffff;

interface Part {
  readonly name: string;
  readonly method: number;
  readonly encrypted: boolean;
  readonly checksum: number;
  readonly packedBytes: number;
  readonly unpackedBytes: number;
  readonly offset: number;
}

/**
 * Reads the parts of a ZIP archive by its directory. It inflates each part with a limit, and compares its length and
 * checksum, so that no changed byte becomes other content. `inflateRawSync` of Node stops at the limit; the directory is
 * read here, because libraries read it asynchronously or check neither limit nor checksum.
 */
export class ZipArchive {
  readonly #bytes: Buffer;
  readonly #parts = new Map<string, Part>();
  #unpackedBytes = 0;

  /** Opens an archive. @throws AppError `bad_input` if its directory cannot be read. */
  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    const end = endOf(bytes);
    const count = bytes.readUInt16LE(end + 10);
    let at = bytes.readUInt32LE(end + 16);
    if (count > ARCHIVE_PARTS_MAX) throw damaged(`expected at most ${ARCHIVE_PARTS_MAX} parts, got ${count}`);
    for (let index = 0; index < count; index += 1) {
      if (at + PART_BYTES > end || bytes.readUInt32LE(at) !== PART_SIGNATURE) {
        throw damaged('its directory is incomplete');
      }
      const nameBytes = bytes.readUInt16LE(at + 28);
      const part = partAt(bytes, at, nameBytes);
      if (this.#parts.has(keyOf(part.name))) throw damaged(`it has two parts ${part.name}`);
      this.#parts.set(keyOf(part.name), part);
      at += PART_BYTES + nameBytes + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
    }
  }

  names(): readonly string[] {
    return [...this.#parts.values()].map(({ name }) => name);
  }

  /**
   * Returns the content of a part; undefined without such a part.
   * @throws AppError `bad_input` if it is damaged, encrypted, or unpacks to more than the limit.
   */
  read(name: string): Buffer | undefined {
    const part = this.#parts.get(keyOf(name));
    if (part === undefined) return undefined;
    if (part.encrypted) {
      throw fileFault('expected a workbook without a password, got an encrypted one', WITHOUT_PASSWORD);
    }
    this.#unpackedBytes += part.unpackedBytes;
    if (this.#unpackedBytes > UNPACKED_BYTES_MAX) {
      throw fileFault(`expected a workbook of at most ${UNPACKED_BYTES_MAX / BYTES_PER_MIB} MiB unpacked, got more`);
    }
    const content = unpacked(this.#packed(part), part);
    if (content?.length !== part.unpackedBytes || crc32(content) !== part.checksum) {
      throw damaged(`its part ${part.name} does not fit its length and checksum`);
    }
    return content;
  }

  #packed({ name, offset, packedBytes }: Part): Buffer {
    const bytes = this.#bytes;
    if (offset + LOCAL_BYTES > bytes.length || bytes.readUInt32LE(offset) !== LOCAL_SIGNATURE) {
      throw damaged(`its part ${name} is not where the directory states`);
    }
    const start = offset + LOCAL_BYTES + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28);
    return bytes.subarray(start, start + packedBytes);
  }
}

export const WITHOUT_PASSWORD = { fix: 'remove its password and save it again as .xlsx' };

function keyOf(name: string): string {
  return name.replaceAll('\\', '/').replace(/^\/+/, '').toLowerCase();
}

function endOf(bytes: Buffer): number {
  const first = Math.max(bytes.length - END_BYTES - COMMENT_BYTES_MAX, 0);
  for (let at = bytes.length - END_BYTES; at >= first; at -= 1) {
    if (bytes.readUInt32LE(at) === END_SIGNATURE) return at;
  }
  throw damaged('its directory is missing');
}

function partAt(bytes: Buffer, at: number, nameBytes: number): Part {
  const part = {
    name: bytes.toString('utf8', at + PART_BYTES, at + PART_BYTES + nameBytes),
    encrypted: (bytes.readUInt16LE(at + 8) & ENCRYPTED) !== 0,
    method: bytes.readUInt16LE(at + 10),
    checksum: bytes.readUInt32LE(at + 16),
    packedBytes: bytes.readUInt32LE(at + 20),
    unpackedBytes: bytes.readUInt32LE(at + 24),
    offset: bytes.readUInt32LE(at + 42),
  };
  if ([part.packedBytes, part.unpackedBytes, part.offset].includes(IN_ZIP64)) throw damaged('it uses ZIP64');
  return part;
}

function unpacked(packed: Buffer, { method, unpackedBytes }: Part): Buffer | undefined {
  if (method === STORED) return packed;
  if (method !== DEFLATED) return undefined;
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(unpackedBytes, 1) });
  } catch {
    return undefined;
  }
}

function damaged(how: string): Error {
  return fileFault(`expected a workbook, got a damaged archive: ${how}`, {
    fix: 'open the workbook in a spreadsheet program and save it again as .xlsx',
  });
}
