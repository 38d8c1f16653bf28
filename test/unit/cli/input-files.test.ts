// Goal: a file of a user is read whole or refused by name, whatever kind of file it is.
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { requireDatabaseFile } from '../../../src/cli/database-file';
import { readInputFile } from '../../../src/cli/testing';

const MIB = 1024 * 1024;
const folder = mkdtempSync(join(tmpdir(), 'millime-input-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function aFile(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

describe('a file that is given', () => {
  test('is read whole, also an empty one and one of many pieces', () => {
    expect(readInputFile(aFile('empty', ''))).toHaveLength(0);
    const long = 'abcdefg'.repeat(MIB);
    expect(readInputFile(aFile('long', long)).toString()).toBe(long);
  });

  test('is refused when it is larger than anything that is meant, before it is read', () => {
    const path = aFile('large', '');
    truncateSync(path, 257 * MIB);
    expect(() => readInputFile(path)).toThrow(`${path}: expected a file of at most 256 MiB`);
  });

  test('is refused when it is none', () => {
    expect(() => readInputFile(folder)).toThrow(`${folder}: cannot be read (EISDIR)`);
    expect(() => readInputFile(join(folder, 'gone'))).toThrow('cannot be read (ENOENT)');
  });
});

test.each(['none.sqlite3', 'no-folder/none.sqlite3'])('%s is not there', (name) => {
  const file = join(folder, name);
  expect(() => requireDatabaseFile({ kind: 'sqlite', file })).toThrow(
    expect.objectContaining({
      code: 'misconfigured',
      message: `DATABASE_URL: file not found: ${file}; check the path, or run "millime migrate" to create it`,
    }),
  );
});

test('a file that is there passes, and a server, which says itself what it lacks', () => {
  const file = join(folder, 'books.sqlite3');
  writeFileSync(file, '');
  requireDatabaseFile({ kind: 'sqlite', file });
  requireDatabaseFile({ kind: 'mariadb', hosts: [], user: 'u', password: '', database: 'd' });
});
