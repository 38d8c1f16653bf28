// In which order test files run, and which of them run as one.
const { existsSync, mkdirSync, writeFileSync } = require('node:fs');
const { join, relative, sep } = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

const TESTS = join(__dirname, '..');

/** Started first, because the run cannot end before them. A clean clone knows no durations to tell them by. */
const LONGEST = [
  'e2e/simulated-month.test.ts',
  'e2e/crash-points.test.ts',
  'e2e/day-pack.test.ts',
  'e2e/rolling-restart.test.ts',
  'integration/reconciliation/interrupted-run.test.ts',
  'integration/reconciliation/generated-worlds.test.ts',
];

/**
 * A test file loads and compiles all its modules anew, which takes most of the time of a small one. So a run of
 * everything joins this many files of a kind into one. They are sorted by name, so most are of one room.
 */
const FILES_IN_ONE = { unit: 8, integration: 6, api: 3, e2e: 3 };

/** These register a clean-up when they are loaded, which is that of the whole joined file. */
const WITH_HOOKS = {
  integration: ['support/db.ts', 'support/server-process.ts'],
  api: ['support/db.ts'],
  e2e: ['support/db.ts', 'support/server-process.ts', 'e2e/support/installation.ts'],
};

module.exports = class LongestFirst extends Sequencer {
  #isOfEverything;

  constructor(options) {
    super(options);
    this.#isOfEverything = !options.globalConfig.testPathPatterns.isSet();
  }

  sort(tests) {
    const missing = LONGEST.find((name) => !existsSync(join(TESTS, name)));
    if (missing !== undefined) throw new Error(`sequencer: test/${missing} does not exist`);
    const runs = this.#isOfEverything ? joinSmall(tests) : tests;
    return super.sort(runs).sort((a, b) => rank(a) - rank(b));
  }
};

/** The longest, then those with processes of their own, then the others in the order of jest. */
function rank(test) {
  const place = LONGEST.indexOf(nameOf(test));
  if (place >= 0) return place;
  return LONGEST.length + (kindOf(test) === 'e2e' ? 0 : 1);
}

function joinSmall(tests) {
  const left = new Set(tests);
  const joined = Object.entries(FILES_IN_ONE).flatMap(([kind, count]) => {
    const small = tests.filter((test) => kindOf(test) === kind && !LONGEST.includes(nameOf(test)));
    for (const test of small) left.delete(test);
    small.sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
    return Array.from({ length: Math.ceil(small.length / count) }, (_, n) =>
      joinFiles(small.slice(n * count, (n + 1) * count)),
    );
  });
  return [...left, ...joined];
}

/** A test file that runs these, each in a suite of its name, which also bounds its hooks. */
function joinFiles(tests) {
  const [first] = tests;
  if (tests.length === 1) return first;
  const folder = join(first.context.config.cacheDirectory, 'joined');
  mkdirSync(folder, { recursive: true });
  const name = [tests.at(0), tests.at(-1)].map((test) => nameOf(test).replace('.test.ts', '').replaceAll('/', '.'));
  const path = join(folder, `${name.join('--')}.test.cjs`);
  const lines = tests.map(
    (test) => `describe('test/${nameOf(test)}', () => void require(${JSON.stringify(test.path)}));`,
  );
  const outer = WITH_HOOKS[kindOf(first)] ?? [];
  lines.unshift(...outer.map((name) => `require(${JSON.stringify(join(TESTS, name))});`));
  writeFileSync(path, `${lines.join('\n')}\n`);
  return { ...first, path };
}

function kindOf(test) {
  return test.context.config.displayName.name;
}

function nameOf(test) {
  return relative(TESTS, test.path).split(sep).join('/');
}
