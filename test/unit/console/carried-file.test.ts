import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { carriedFile, readCarriedFile } from '../../../src/console/pages/imports/carried-file';

const MIB = 1024 * 1024;

describe('a carried file', () => {
  test('is read as it was', () => {
    const content = Buffer.from('agent_id,full_name\n1,é\n\u0000'.repeat(1_000));
    expect(readCarriedFile(carriedFile(content) ?? '')).toEqual(content);
  });

  test('does not exist if its form would be too large', () => {
    expect(carriedFile(randomBytes(MIB))).toBeUndefined();
    expect(carriedFile(Buffer.alloc(20 * MIB))?.length).toBeLessThan(MIB);
  });

  test.each([
    ['nothing', ''],
    ['no file', 'H4sIbroken'],
    ['a file that unpacks to more than an import takes', gzipSync(Buffer.alloc(33 * MIB)).toString('base64url')],
  ])('is not read from %s', (_name, text) => {
    expect(readCarriedFile(text)).toBeUndefined();
  });
});
