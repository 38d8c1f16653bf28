// Preloaded into a command of the built program (NODE_OPTIONS=--require): sends the process a signal when it comes to a
// point that it was told. Each transaction has three points: before it begins, before its COMMIT, and after it.
// SIGNAL_AT="7:SIGKILL" names the point; how many there were is said on stderr in the end.
const { join } = require('node:path');

const databaseFile = join(__dirname, '..', '..', '..', 'dist', 'src', 'db', 'database.js');
const { openDatabase, ...others } = require(databaseFile);
const [signalAt, signal] = (process.env.SIGNAL_AT ?? '0:SIGKILL').split(':');
let points = 0;

function passPoint() {
  points += 1;
  if (points === Number(signalAt)) process.kill(process.pid, signal);
}

function openWatched(...args) {
  const database = openDatabase(...args);
  const { transact } = database;
  database.transact = async (work, options) => {
    passPoint();
    const result = await transact(async (session) => {
      const done = await work(session);
      passPoint();
      return done;
    }, options);
    passPoint();
    return result;
  };
  return database;
}

// The exports of a module cannot be assigned, so later ones get others.
require.cache[databaseFile].exports = { ...others, openDatabase: openWatched };

process.on('exit', () => process.stderr.write(`points: ${points}\n`));
