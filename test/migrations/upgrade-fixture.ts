import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { createConnection } from 'mysql2/promise';
import type { Dialect } from '../../src/db';
import { sqliteDriver } from '../../src/db';
import { parsedUrl, unmigratedDatabaseUrl } from '../support/db';

const FOLDER = join(__dirname, '..', 'fixtures', 'upgrade');

/** The versions whose databases are kept, the oldest first. */
export const UPGRADE_FIXTURES: readonly string[] = readdirSync(FOLDER, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .sort();

/** The business time at which the play of a fixture ended. */
export function fixtureTime(name: string): string {
  return (JSON.parse(readFileSync(join(FOLDER, name, 'fixture.json'), 'utf8')) as { now: string }).now;
}

/** Loads the database of an older version as it was, for this file alone, and returns its DATABASE_URL. */
export async function loadFixture(name: string, dialect: Dialect): Promise<string> {
  const sql = gunzipSync(readFileSync(join(FOLDER, name, `${dialect}.sql.gz`))).toString('utf8');
  const url = await unmigratedDatabaseUrl(dialect);
  const parsed = parsedUrl(url);
  if (parsed.kind === 'sqlite') {
    const db = new (sqliteDriver())(parsed.file);
    db.pragma('foreign_keys = OFF');
    db.exec(`begin;\n${sql}commit;`);
    db.close();
  } else {
    const { user, password, database } = parsed;
    const into = { ...parsed.hosts[0], user, password, database };
    const connection = await createConnection({ ...into, charset: 'utf8mb4', multipleStatements: true });
    try {
      await connection.query(sql);
    } finally {
      await connection.end();
    }
  }
  return url;
}
