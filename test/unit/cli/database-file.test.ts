import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { requireDatabaseFile } from '../../../src/cli/database-file';

// Goal: a mistyped path of the embedded database is said, and nothing else is. Method: files that are there and are not.

const folder = mkdtempSync(join(tmpdir(), 'millime-database-file-'));
afterAll(() => rmSync(folder, { recursive: true }));

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
