import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fastFolder } from '../../support/fast-folder';
import { testRun } from '../../support/test-run';

/** A folder for SQLite files, and no server: a slip in the program is the same slip on each database. */
export default function setUp(): void {
  const folder = mkdtempSync(join(fastFolder(), 'millime-mutant-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  testRun.start(folder, undefined);
}
