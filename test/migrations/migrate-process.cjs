// One replica of killed-migration.test.ts, of the built program: migrates a database when it is told to, and prints the
// names of what ran. The first one that gets to the given statement of its migrations is killed there.
const { writeFileSync } = require('node:fs');
const { join } = require('node:path');

const DIST = join(__dirname, '..', '..', 'dist', 'src');
const { parseDatabaseUrl } = require(join(DIST, 'config', 'index.js'));
const { migrate, openDatabase } = require(join(DIST, 'db', 'index.js'));
const { silentLogger } = require(join(DIST, 'logging', 'index.js'));

function isFirst(markerFile) {
  try {
    writeFileSync(markerFile, String(process.pid), { flag: 'wx' });
    return true;
  } catch {
    return false;
  }
}

async function main({ databaseUrl, markerFile, statement, count }) {
  const database = openDatabase(parseDatabaseUrl(databaseUrl), silentLogger);
  let seen = 0;
  database.pool.on('query', ({ sql }) => {
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

void main(JSON.parse(process.argv[2]));
