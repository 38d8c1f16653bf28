// Goal: a user's file is read whole or refused by name, whatever its kind.
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

describe('readInputFile', () => {
  test('reads an empty file, and a file of several pieces', () => {
    expect(readInputFile(aFile('empty', ''))).toHaveLength(0);
    const long = 'abcdefg'.repeat(MIB);
    expect(readInputFile(aFile('long', long)).toString()).toBe(long);
  });

  test('refuses a file over 256 MiB before reading it', () => {
    const path = aFile('large', '');
    truncateSync(path, 257 * MIB);
    expect(() => readInputFile(path)).toThrow(`${path}: expected a file of at most 256 MiB`);
  });

  test('refuses a folder and a missing file', () => {
    expect(() => readInputFile(folder)).toThrow(`${folder}: cannot be read (EISDIR)`);
    expect(() => readInputFile(join(folder, 'gone'))).toThrow('cannot be read (ENOENT)');
  });
});

test.each(['none.sqlite3', 'no-folder/none.sqlite3'])('refuses a SQLite file that does not exist: %s', (name) => {
  const file = join(folder, name);
  expect(() => requireDatabaseFile({ kind: 'sqlite', file })).toThrow(
    expect.objectContaining({
      code: 'misconfigured',
      message: `DATABASE_URL: file not found: ${file}; check the path, or run "millime migrate" to create it`,
    }),
  );
});

test('accepts an existing SQLite file, and a server, which reports its own faults', () => {
  const file = join(folder, 'books.sqlite3');
  writeFileSync(file, '');
  requireDatabaseFile({ kind: 'sqlite', file });
  requireDatabaseFile({ kind: 'mariadb', hosts: [], user: 'u', password: '', database: 'd', tls: undefined });
});
