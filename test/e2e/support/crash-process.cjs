// One process of crash-points.test.ts: does one thing with the built program, and kills itself at the boundary of a
// transaction that it was told: an odd number is before one begins, an even one after it was committed.
const { Buffer } = require('node:buffer');
const { join } = require('node:path');

const DIST = join(__dirname, '..', '..', '..', 'dist', 'src');
const { compose } = require(join(DIST, 'compose.js'));
const { loadConfig } = require(join(DIST, 'config', 'index.js'));
const { OPERATOR } = require(join(DIST, 'identity', 'index.js'));
const { silentLogger } = require(join(DIST, 'logging', 'index.js'));
const { atBoundaries } = require('./transaction-boundaries.cjs');

const ACT = { actor: OPERATOR, dryRun: false };

const FLOWS = {
  async webhook({ webhooks }, { incoming }) {
    await webhooks.receive({ ...incoming, rawBody: Buffer.from(incoming.body, 'utf8') });
    process.stdout.write('acknowledged\n');
    await webhooks.processInbox();
  },
  create: ({ payments }, { request }) => payments.create(request, ACT),
  queue: ({ payments }) => payments.sendRequested(),
  refund: ({ payments }, { trackingId }) => payments.refund(trackingId, ACT),
  capture: ({ payments }, { trackingId }) => payments.capture(trackingId, undefined, ACT),
  subscription: ({ subscriptions }, { trackingId }) => subscriptions.checkStatus(trackingId),
};

async function main({ flow, killAt, ...task }) {
  const millime = compose(loadConfig(process.env), silentLogger);
  let boundary = 0;
  atBoundaries(millime.database, () => {
    boundary += 1;
    if (boundary === killAt) process.kill(process.pid, 'SIGKILL');
  });
  await FLOWS[flow](millime, task);
  await millime.close();
  process.stdout.write('done\n');
}

void main(JSON.parse(process.argv[2]));
