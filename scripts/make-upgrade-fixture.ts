// npm run fixture:upgrade -- --commit 07272bf [--out test/fixtures/upgrade/0.1.0-07272bf] [--url mysql://…]
// Builds the given commit in a temporary folder, plays a few days with its own command line, and keeps both databases.
// Progress goes to stderr; the exit code is 2 for bad arguments.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { benchServer, withDatabase } from './bench/bench-server';
import { buildCommit } from './upgrade/build-commit';
import { dumpMariaDb } from './upgrade/dump-mariadb';
import { dumpSqlite } from './upgrade/dump-sqlite';
import { playDays } from './upgrade/play-days';

const ROOT = resolve(__dirname, '..');
const SHORT_ID = 7;
const HELP = `npm run fixture:upgrade -- --commit <id> [options]
  --commit <id>  the version that writes the databases
  --out <path>   where the fixture is written (default: test/fixtures/upgrade/<version>-<commit>)
  --url <url>    a MariaDB server, mysql://user:password@host:port/database (default: a private one)`;

void main();

async function main(): Promise<void> {
  const options = readArguments();
  if (typeof options === 'string') {
    console.error(options);
    process.exitCode = options === HELP ? 0 : 2;
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), 'millime-fixture-'));
  try {
    await makeFixture(folder, options);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface FixtureOptions {
  readonly commit: string;
  readonly out?: string | undefined;
  readonly url?: string | undefined;
}

function readArguments(): FixtureOptions | string {
  try {
    const text = { type: 'string' } as const;
    const { values } = parseArgs({ options: { commit: text, out: text, url: text, help: { type: 'boolean' } } });
    const { commit, out, url } = values;
    return commit === undefined ? HELP : { commit, out, url };
  } catch (error) {
    return `fixture:upgrade: ${error instanceof Error ? error.message : String(error)}`;
  }
}

async function makeFixture(folder: string, { commit, out, url }: FixtureOptions): Promise<void> {
  const built = buildCommit(ROOT, commit, join(folder, 'program'));
  const name = `${built.version}-${built.commit.slice(0, SHORT_ID)}`;
  const target = resolve(out ?? join(ROOT, 'test', 'fixtures', 'upgrade', name));
  mkdirSync(target, { recursive: true });

  const file = join(folder, 'millime.sqlite3');
  const played = await playDays({
    main: built.main,
    folder: join(folder, 'sqlite'),
    databaseUrl: `sqlite:${file}`,
    print,
  });
  keep(target, 'sqlite', dumpSqlite(file), played.secrets);

  const server = await benchServer(url);
  try {
    await withDatabase(server, async (databaseUrl) => {
      const { secrets } = await playDays({ main: built.main, folder: join(folder, 'mariadb'), databaseUrl, print });
      keep(target, 'mariadb', await dumpMariaDb(databaseUrl), secrets);
    });
  } finally {
    await server.remove();
  }
  const { version } = built;
  writeFileSync(
    join(target, 'fixture.json'),
    `${JSON.stringify({ version, commit: built.commit, now: played.now }, undefined, 2)}\n`,
  );
  print(`${target}: written`);
}

/** Writes a dump, after checking that it contains no secret of the play. */
function keep(target: string, dialect: string, sql: string, secrets: readonly string[]): void {
  for (const secret of secrets) {
    if (sql.includes(secret)) throw new Error(`the dump of ${dialect} contains a key or a token of the play`);
  }
  const bytes = gzipSync(sql, { level: 9 });
  writeFileSync(join(target, `${dialect}.sql.gz`), bytes);
  print(`${dialect}: ${bytes.length} bytes`);
}

function print(line: string): void {
  process.stderr.write(`${line}\n`);
}
