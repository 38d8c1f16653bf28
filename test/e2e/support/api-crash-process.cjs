// One process of killed-api-requests.test.ts: serves the API with the built program, sends itself one request, and kills
// itself at the boundary of a transaction that it was told, counted from the arrival of the request: an odd number is
// before one begins, an even one after it was committed.
const { fetch, process } = globalThis;
const { join } = require('node:path');

const DIST = join(__dirname, '..', '..', '..', 'dist', 'src');
const { createApp } = require(join(DIST, 'app.js'));
const { compose } = require(join(DIST, 'compose.js'));
const { loadConfig } = require(join(DIST, 'config', 'index.js'));
const { answerRequests, createHttpServer } = require(join(DIST, 'http', 'index.js'));
const { silentLogger } = require(join(DIST, 'logging', 'index.js'));

async function main({ killAt, call }) {
  const millime = { ...compose(loadConfig(process.env), silentLogger) };
  const { database } = millime;
  const { transact } = database;
  let boundary = 0;
  const passBoundary = () => {
    boundary += 1;
    if (boundary === killAt) process.kill(process.pid, 'SIGKILL');
  };
  database.transact = async (work, options) => {
    passBoundary();
    const result = await transact(work, options);
    passBoundary();
    return result;
  };
  const server = createHttpServer(millime);
  answerRequests(server, createApp(millime));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { method, path, headers, body } = call;
  const answer = await fetch(`http://127.0.0.1:${server.address().port}${path}`, { method, headers, body });
  process.stdout.write(JSON.stringify({ status: answer.status, body: await answer.json() }));
  process.exit();
}

void main(JSON.parse(process.argv[2]));
