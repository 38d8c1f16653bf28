// A clean clone knows no durations, and jest then goes by the size of files, which puts small and slow ones last.
const { existsSync } = require('node:fs');
const { join, sep } = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

const E2E = join(__dirname, '..', 'e2e');
const LONGEST = ['simulated-month.test.ts', 'crash-points.test.ts', 'day-pack.test.ts', 'rolling-restart.test.ts'].map(
  (name) => join(E2E, name),
);

/** Starts the longest tests first, then those with processes of their own, then the others in the order of jest. */
module.exports = class LongestFirst extends Sequencer {
  sort(tests) {
    const missing = LONGEST.find((path) => !existsSync(path));
    if (missing !== undefined) throw new Error(`longest-first: ${missing} does not exist`);
    return super.sort(tests).sort((a, b) => rank(a) - rank(b));
  }
};

function rank({ path }) {
  const place = LONGEST.indexOf(path);
  if (place >= 0) return place;
  return LONGEST.length + (path.startsWith(E2E + sep) ? 0 : 1);
}
