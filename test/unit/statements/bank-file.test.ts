import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { sha256Hex } from '../../../src/kernel';
import { type BankFile, bankFileAt, bankFileOfBytes } from '../../../src/statements';
import { inspectBankFile } from '../../../src/statements/reading/inspect-bank-file';
import { FILE_BYTES_MAX } from '../../../src/statements/testing';

/** A power of two that pieces of any size up to 1 MiB fit into. */
const MIB = 1024 * 1024;

const folder = mkdtempSync(join(tmpdir(), 'bank-file-'));
const path = join(folder, 'bank.csv');
afterAll(() => rmSync(folder, { recursive: true }));

const onDisk = (bytes: Uint8Array): BankFile => {
  writeFileSync(path, bytes);
  return bankFileAt(path);
};
const inMemory = (bytes: Uint8Array): BankFile => bankFileOfBytes('bank.csv', bytes);

describe.each([
  ['on the disk', onDisk],
  ['in memory', inMemory],
])('a bank file %s', (_where, open) => {
  test.each([0, 1, MIB - 1, MIB, MIB + 1])('reads %i bytes in pieces, any number of times', (length) => {
    const bytes = Buffer.from(Uint8Array.from({ length }, (_, index) => index % 251));
    const file = open(bytes);
    expect(file.sizeBytes).toBe(length);
    const first = [...file.pieces()];
    // A reader may keep a piece: the next reading does not write over it.
    const second = [...file.pieces()];
    for (const pieces of [first, second]) {
      expect(Buffer.concat(pieces).equals(bytes)).toBe(true);
      expect(pieces.every((piece) => piece.length > 0 && piece.length <= MIB)).toBe(true);
    }
  });

  test('has a digest, a size and its first bytes', () => {
    const bytes = Buffer.from(`RIB :;é\n${'x'.repeat(100_000)}`);
    expect(inspectBankFile(open(bytes))).toEqual({
      sha256: sha256Hex(bytes),
      sizeBytes: bytes.length,
      head: bytes.toString('latin1', 0, 64 * 1024),
      utf8: true,
    });
  });

  test('is UTF-8 if two pieces share a character, but not if the file ends inside one', () => {
    const cut = Buffer.from(`${'x'.repeat(MIB - 1)}é`);
    expect(inspectBankFile(open(cut)).utf8).toBe(true);
    expect(inspectBankFile(open(cut.subarray(0, -1))).utf8).toBe(false);
    expect(inspectBankFile(open(Buffer.from('caf\u00e9', 'latin1'))).utf8).toBe(false);
  });

  test.each([
    ['no byte', ''],
    ['white space', ' \t\r\n\v\f'],
    ['zeros', '\0'.repeat(MIB + 5)],
  ])('is refused as empty if it contains only %s', (_what, text) => {
    const file = open(Buffer.from(text));
    expect(() => inspectBankFile(file)).toThrow(
      expect.objectContaining({ code: 'bad_input', message: `${file.name}: the file is empty; nothing was stored` }),
    );
  });
});

describe('bankFileAt', () => {
  test.each([
    ['that leads nowhere', (): string => join(folder, 'none'), 'ENOENT'],
    ['of a folder', (): string => folder, 'expected a plain file'],
  ])('refuses %s', (_what, at, reason) => {
    expect(() => bankFileAt(at())).toThrow(
      expect.objectContaining({ code: 'bad_input', message: expect.stringContaining(reason) }),
    );
  });

  test('refuses a file over the size limit before reading it', () => {
    writeFileSync(path, '');
    truncateSync(path, FILE_BYTES_MAX + 1); // takes no room on the disk
    expect(() => bankFileAt(path)).toThrow(
      expect.objectContaining({
        code: 'bad_input',
        message: `${path}: expected at most 1024 MiB, got ${FILE_BYTES_MAX + 1} bytes; nothing was stored`,
      }),
    );
    truncateSync(path, FILE_BYTES_MAX);
    expect(bankFileAt(path).sizeBytes).toBe(FILE_BYTES_MAX);
  });

  test('refuses a file that is removed before it is read', () => {
    writeFileSync(path, 'x');
    const file = bankFileAt(path);
    rmSync(path);
    expect(() => [...file.pieces()]).toThrow(expect.objectContaining({ code: 'bad_input' }));
  });
});
