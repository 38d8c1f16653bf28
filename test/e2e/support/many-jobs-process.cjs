// Runs the scheduler of the built program with many jobs at once, for many-jobs.test.ts. Each job ends when all of them
// have begun. It says on stdout which warnings Node gave meanwhile. Its argument is the address of a database.
const { join } = require('node:path');

const DIST = join(__dirname, '..', '..', '..', 'dist', 'src');
const { parseDatabaseUrl } = require(join(DIST, 'config', 'index.js'));
const { openDatabase } = require(join(DIST, 'db', 'index.js'));
const { businessCalendar, systemClock, MINUTE_MS } = require(join(DIST, 'kernel', 'index.js'));
const { silentLogger } = require(join(DIST, 'logging', 'index.js'));
const { startScheduler } = require(join(DIST, 'scheduler', 'index.js'));

const JOBS = 12;

async function main(url) {
  const warnings = [];
  process.on('warning', ({ name }) => warnings.push(name));
  const database = openDatabase(parseDatabaseUrl(url), silentLogger);
  let begun = 0;
  let all;
  const allBegun = new Promise((resolve) => (all = resolve));
  const jobs = Array.from({ length: JOBS }, (_, number) => ({
    ...{ name: `job-${number}`, cron: '* * * * *', leaseMs: MINUTE_MS, catchUpMax: 1 },
    async run() {
      begun += 1;
      if (begun === JOBS) all();
      await allBegun;
    },
  }));
  // The windows of a clock that moves a minute with each reading are due at once.
  let minutes = 0;
  const clock = { now: () => systemClock.now() + (minutes += 1) * MINUTE_MS };
  const deps = { database, clock, calendar: businessCalendar('Africa/Tunis'), logger: silentLogger, clockJumps: true };
  const scheduler = startScheduler(deps, jobs, [{ name: 'worker', run: () => allBegun.then(() => 0) }]);
  await allBegun;
  await scheduler.stop();
  await database.close();
  process.stdout.write(JSON.stringify({ begun: begun >= JOBS, warnings }));
}

void main(process.argv[2]);
