// One replica of killed-migration.test.ts: migrates a database when it is told to, and prints the names of what ran. The
// first one that gets to the given statement of its migrations is killed there.
import { writeFileSync } from 'node:fs';
import { parseDatabaseUrl } from '../../src/config';
import { migrate, openDatabase } from '../../src/db';
import { silentLogger } from '../../src/logging';

export interface MigrateTask {
  readonly databaseUrl: string;
  /** Made by the one that dies; once it is there, nobody does. */
  readonly markerFile: string;
  readonly statement: 'create table' | 'insert into';
  /** Which of these statements it is killed before, from 1. */
  readonly count: number;
}

function isFirst(markerFile: string): boolean {
  try {
    writeFileSync(markerFile, String(process.pid), { flag: 'wx' });
    return true;
  } catch {
    return false;
  }
}

async function main({ databaseUrl, markerFile, statement, count }: MigrateTask): Promise<void> {
  const url = parseDatabaseUrl(databaseUrl);
  if (url === undefined) throw new Error('not a DATABASE_URL');
  const database = openDatabase(url, silentLogger);
  let seen = 0;
  database.pool.on('query', ({ sql }: { sql: string }) => {
    if (!sql.startsWith(statement)) return;
    seen += 1;
    if (seen === count && isFirst(markerFile)) process.kill(process.pid, 'SIGKILL');
  });
  process.stdout.write('ready\n');
  await new Promise((resolve) => process.stdin.once('data', resolve));
  const ran = await migrate(database, silentLogger);
  process.stdout.write(`${JSON.stringify(ran)}\n`);
  await database.close();
  process.stdin.destroy();
}

void main(JSON.parse(process.argv[2] ?? '') as MigrateTask);
