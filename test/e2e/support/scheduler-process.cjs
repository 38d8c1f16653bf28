// One replica of two-schedulers.test.ts and clock-skew.test.ts, of the built program: runs one job, whose effect is a row
// of `effects`, and does each step of a window when it is told to on stdin: `write 5`, `end 5` and so on for a window,
// `write all`, or `pause`. It says on stdout what it did. Its task is a SchedulerTask of scheduler-replica.ts.
const { join } = require('node:path');
const { createInterface } = require('node:readline');

const DIST = join(__dirname, '..', '..', '..', 'dist', 'src');
const { parseDatabaseUrl } = require(join(DIST, 'config', 'index.js'));
const { openDatabase, rowsOf } = require(join(DIST, 'db', 'index.js'));
const { businessCalendar, fileClock, isAppError } = require(join(DIST, 'kernel', 'index.js'));
const { silentLogger } = require(join(DIST, 'logging', 'index.js'));
const { startScheduler } = require(join(DIST, 'scheduler', 'index.js'));

/** Counts what is under way, so that the process can be stopped where it holds no lock. */
class Gate {
  #underWay = 0;
  #pauses = false;

  through(work) {
    this.#underWay += 1;
    return work().finally(() => {
      this.#underWay -= 1;
      this.#look();
    });
  }

  pause() {
    this.#pauses = true;
    this.#look();
  }

  #look() {
    if (!this.#pauses || this.#underWay > 0) return;
    this.#pauses = false;
    process.kill(process.pid, 'SIGSTOP');
  }
}

const say = (text) => void process.stdout.write(`${text}\n`);

function main({ databaseUrl, clockFile, replica, leaseMs }) {
  const url = parseDatabaseUrl(databaseUrl);
  if (url === undefined) throw new Error('not a DATABASE_URL');
  const opened = openDatabase(url, silentLogger);
  const gate = new Gate();
  const database = {
    ...opened,
    transact: (work, options) => gate.through(() => opened.transact(work, options)),
    read: (work, options) => gate.through(() => opened.read(work, options)),
  };

  const told = new Set();
  const waiting = new Map();
  const tell = (word) => {
    if (word === 'pause') return gate.pause();
    told.add(word);
    const [step = '', which] = word.split(' ');
    for (const [key, go] of waiting) if (key === word || (which === 'all' && key.startsWith(`${step} `))) go();
  };
  const untilTold = async (step, window) => {
    if (told.has(`${step} ${window}`) || told.has(`${step} all`)) return;
    await new Promise((resolve) => waiting.set(`${step} ${window}`, resolve));
  };

  const job = {
    name: 'rounds',
    cron: '* * * * *',
    leaseMs,
    // Deaf to its signal on purpose: what it writes too late must be refused.
    async run(window, _signal, lease) {
      say(`begun ${window}`);
      await untilTold('write', window);
      try {
        const isNew = await database.transact(async (session) => {
          await lease.requireHeld(session);
          const done = await rowsOf(session('effects as e').select('e.replica').where('e.window_at', window));
          if (done.length === 0) await session('effects').insert({ window_at: window, replica });
          return done.length === 0;
        });
        say(`${isNew ? 'wrote' : 'found'} ${window}`);
      } catch (error) {
        say(`${isAppError(error, 'interrupted') ? 'refused' : String(error)} ${window}`);
      }
      await untilTold('end', window);
    },
  };
  const deps = { database, clock: fileClock(clockFile), calendar: businessCalendar('Africa/Tunis') };
  startScheduler({ ...deps, logger: silentLogger, clockJumps: true }, [job]);
  createInterface({ input: process.stdin }).on('line', tell);
  say('ready');
}

main(JSON.parse(process.argv[2]));
