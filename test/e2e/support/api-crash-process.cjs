// One process of killed-api-requests.test.ts: serves the API with the built program and sends itself all requests at
// once. Each request stops at the boundary of a transaction that the process was told, counted from the arrival of the
// request. When each one has stopped or has its answer, the process kills itself; it ends if none stopped.
const { fetch, process, Promise } = globalThis;
const { AsyncLocalStorage } = require('node:async_hooks');
const { writeSync } = require('node:fs');
const { join } = require('node:path');

const DIST = join(__dirname, '..', '..', '..', 'dist', 'src');
const { createApp } = require(join(DIST, 'app.js'));
const { compose } = require(join(DIST, 'compose.js'));
const { loadConfig } = require(join(DIST, 'config', 'index.js'));
const { answerRequests, createHttpServer } = require(join(DIST, 'http', 'index.js'));
const { silentLogger } = require(join(DIST, 'logging', 'index.js'));
const { atBoundaries } = require('./transaction-boundaries.cjs');

async function main({ killAt, calls }) {
  const millime = compose(loadConfig(process.env), silentLogger);
  const requests = new AsyncLocalStorage();
  let running = Object.keys(calls).length;
  const stopped = [];
  const noteRest = () => {
    running -= 1;
    if (running > 0) return;
    if (stopped.length > 0) process.kill(process.pid, 'SIGKILL');
    process.exit();
  };
  atBoundaries(millime.database, () => {
    const request = requests.getStore();
    if (request === undefined) throw new Error('a transaction belongs to no request');
    request.boundary += 1;
    if (request.boundary !== killAt) return undefined;
    stopped.push(request);
    noteRest();
    return new Promise(() => undefined);
  });
  const app = createApp(millime);
  const server = createHttpServer({ ...millime, app });
  answerRequests(server, (request, response) => requests.run({ boundary: 0 }, () => app(request, response)));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  for (const [name, { method, path, headers, body }] of Object.entries(calls)) {
    void fetch(`http://127.0.0.1:${server.address().port}${path}`, { method, headers, body }).then(async (answer) => {
      writeSync(1, `${JSON.stringify({ name, status: answer.status, body: await answer.json() })}\n`);
      noteRest();
    });
  }
}

void main(JSON.parse(process.argv[2]));
