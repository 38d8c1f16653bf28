// One project per kind of test; the folder states the kind. Databases are started once for a whole run, and only when
// a project that needs them has tests to run.
const transform = { '^.+\\.[cm]?[jt]sx?$': ['@swc/jest', { sourceMaps: 'inline' }] }; // .swcrc says the rest

// A test file runs in a context of its own, in which each look at a global is slow: what computes takes three times as
// long. As parameters of its module they are fast. Left out are those that fake timers replace, as Date, and names that
// a package declares again, as Buffer and Error.
const globals = [
  'Array',
  'BigInt',
  'Boolean',
  'Float64Array',
  'Int32Array',
  'JSON',
  'Map',
  'Math',
  'Number',
  'Object',
  'Set',
  'String',
  'Uint8Array',
];

const project = (kind, more = {}) => ({
  displayName: kind,
  rootDir: __dirname,
  testEnvironment: 'node',
  sandboxInjectedGlobals: globals,
  testMatch: [`<rootDir>/test/${kind}/**/*.test.ts`],
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/data/'],
  transform,
  transformIgnorePatterns: ['/node_modules/(?!(jose|qr)/)'], // published as ES modules only
  ...more,
});

const databases = {
  setupFiles: ['<rootDir>/test/support/detect-nesting.ts'],
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
};

module.exports = {
  maxWorkers: 3, // two cores: a worker waits for databases and processes half of the time
  testSequencer: '<rootDir>/test/support/sequencer.cjs',
  testTimeout: 120_000,
  projects: [
    project('unit'),
    project('integration', databases),
    project('api', databases),
    project('console', databases),
    project('e2e', databases),
    project('migrations', databases),
  ],
};
