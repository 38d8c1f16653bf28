// In which order test files run, and which of them run as one.
const { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } = require('node:fs');
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
const FILES_IN_ONE = { unit: 8, integration: 6, api: 3, console: 3, e2e: 3 };

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
    const helpers = helpersWithHooks(kind);
    small.sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
    return Array.from({ length: Math.ceil(small.length / count) }, (_, n) =>
      joinFiles(small.slice(n * count, (n + 1) * count), helpers),
    );
  });
  return [...left, ...joined];
}

/** A test file that runs these, each in a suite of its name, which also bounds its hooks. */
function joinFiles(tests, helpers) {
  const [first] = tests;
  if (tests.length === 1) return first;
  const { cacheDirectory, id } = first.context.config;
  const folder = join(cacheDirectory, 'joined', id); // checkouts share the cache and may run at once
  mkdirSync(folder, { recursive: true });
  const name = [tests.at(0), tests.at(-1)].map((test) => nameOf(test).replace('.test.ts', '').replaceAll('/', '.'));
  const path = join(folder, `${name.join('--')}.test.cjs`);
  const lines = tests.map(
    (test) => `describe('test/${nameOf(test)}', () => void require(${JSON.stringify(test.path)}));`,
  );
  lines.unshift(...helpers.map((helper) => `require(${JSON.stringify(helper)});`));
  writeFileSync(path, `${lines.join('\n')}\n`);
  return { ...first, path };
}

/** Helpers that register a hook when they are loaded: it is one of the whole file, not of the suite that loads first. */
function helpersWithHooks(kind) {
  const folders = kind === 'unit' ? [kind] : [kind, 'support']; // unit tests use no database and no server
  return folders
    .map((folder) => join(TESTS, folder))
    .flatMap((folder) => readdirSync(folder, { recursive: true }).map((name) => join(folder, name)))
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .filter((path) => /^(before|after)(All|Each)\(/m.test(readFileSync(path, 'utf8')));
}

function kindOf(test) {
  return test.context.config.displayName.name;
}

function nameOf(test) {
  return relative(TESTS, test.path).split(sep).join('/');
}
