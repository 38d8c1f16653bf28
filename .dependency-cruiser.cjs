// The rooms of src/ in the order in which they may see each other: each only those before it (docs/ARCHITECTURE.md).
const ROOMS = [
  'kernel',
  'config',
  'logging',
  'db',
  'http',
  'scheduler',
  'gateway',
  'gateway-budget',
  'simulator',
  'identity',
  'texts',
  'service-tokens',
  'agents',
  'ledger',
  'breaks',
  'dues',
  'agent-settlement',
  'attempts',
  'gateway-items',
  'payments',
  'payment-channels',
  'subscriptions',
  'erasures',
  'webhooks',
  'notifications',
  'statements',
  'payout-inference',
  'reconciliation',
  'reporting',
  'backups',
  'metrics',
  'shapes',
  'api',
  'console',
  'demo',
];

const roomPath = (room) => `^src/${room}/`;
const ROOT_FILES = '^src/[^/]+[.]ts$';
const KNEX_FOLDERS = '^(src/db/|migrations/|scripts/(bench|upgrade)/|knexfile[.]ts$|src/.*-(store|read-model)[.]ts$)';
/** Each file of the shapes is public, so that a command loads those that it prints and no others (ADR 23). */
const SHAPES = '^src/shapes/[^/]+[.]ts$';
const PUBLIC_TO_TESTS = '^src/[^/]+/(index|testing)[.]ts$';
const EXPRESS_PLACES =
  '^src/http/|^src/.*-routes[.]tsx?$|^src/console/(answer|page)/|^src/app[.]ts$|^scripts/bench/service/plain-app[.]ts$';

const looksUpOnly = ROOMS.map((room, index) => ({
  name: `${room}-sees-only-earlier-rooms`,
  comment: 'A room knows the rooms before it in the list, never those after it, nor the files that wire them.',
  severity: 'error',
  from: { path: roomPath(room) },
  to: { path: [...ROOMS.slice(index + 1).map(roomPath), '^src/cli/', ROOT_FILES] },
}));

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    ...looksUpOnly,
    {
      name: 'every-room-is-in-the-list',
      comment: 'A new folder of src/ must take its place in ROOMS above.',
      severity: 'error',
      from: { path: '^(src|scripts|test)/' },
      to: { path: '^src/[^/]+/', pathNot: [`^src/(${[...ROOMS, 'cli'].join('|')})/`] },
    },
    {
      name: 'rooms-use-public-files',
      comment: "Import another room's index.ts, never a file behind it.",
      severity: 'error',
      from: { path: '^src/([^/]+)/' },
      to: { path: '^src/[^/]+/.+', pathNot: ['^src/$1/', '^src/[^/]+/index[.]ts$', SHAPES] },
    },
    {
      name: 'root-files-and-scripts-use-public-files',
      severity: 'error',
      from: { path: `${ROOT_FILES}|^scripts/|^knexfile[.]ts$` },
      to: { path: '^src/[^/]+/.+', pathNot: ['^src/[^/]+/index[.]ts$', '^src/cli/', SHAPES] },
    },
    {
      name: 'tests-use-public-files',
      comment: "A test uses a room's index.ts or testing.ts.",
      severity: 'error',
      from: { path: '^test/', pathNot: ['^test/unit/'] },
      to: { path: '^src/[^/]+/.+', pathNot: [PUBLIC_TO_TESTS, SHAPES] },
    },
    {
      name: 'unit-tests-use-public-files-of-other-rooms',
      comment: 'A unit test may import the file that it tests, in its own room. One passes long texts to every reader.',
      severity: 'error',
      from: { path: '^test/unit/([^/]+)', pathNot: '^test/unit/linear-time[.]test[.]ts$' },
      to: { path: '^src/[^/]+/.+', pathNot: [PUBLIC_TO_TESTS, '^src/$1/', SHAPES] },
    },
    {
      name: 'testing-files-are-for-tests',
      severity: 'error',
      from: { pathNot: '^test/' },
      to: { path: '^src/[^/]+/testing[.]ts$' },
    },
    {
      name: 'only-scripts-see-the-cli',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/cli/'] },
      to: { path: '^src/cli/' },
    },
    {
      name: 'reporting-knows-no-room',
      comment: 'It reads tables: SELECTs in *-read-model.ts files.',
      severity: 'error',
      from: { path: '^src/reporting/' },
      to: { path: '^src/', pathNot: ['^src/(reporting|kernel|db)/'] },
    },
    {
      name: 'payout-inference-is-pure',
      comment: 'It is given everything it may know: no database, no files, no other room.',
      severity: 'error',
      from: { path: '^src/payout-inference/' },
      to: { path: '^src/', pathNot: ['^src/(payout-inference|kernel)/'] },
    },
    {
      name: 'knex-only-in-stores',
      severity: 'error',
      from: { path: '^(src|scripts|migrations)/', pathNot: [KNEX_FOLDERS] },
      to: { path: '(^|node_modules/)(knex|better-sqlite3|mysql2)(/|$)' },
    },
    {
      name: 'express-only-at-the-edge',
      severity: 'error',
      from: { path: '^(src|scripts|migrations)/', pathNot: [EXPRESS_PLACES] },
      to: { path: '(^|node_modules/)(@types/)?express(-serve-static-core)?(/|$)' },
    },
    {
      name: 'jose-only-in-service-tokens',
      severity: 'error',
      from: { path: '^(src|scripts|migrations)/', pathNot: ['^src/service-tokens/'] },
      to: { path: '(^|node_modules/)jose(/|$)' },
    },
    {
      name: 'cron-only-in-the-scheduler',
      severity: 'error',
      from: { path: '^(src|scripts|migrations)/', pathNot: ['^src/scheduler/'] },
      to: { path: '(^|node_modules/)node-cron(/|$)' },
    },
    {
      name: 'winston-only-in-logging',
      severity: 'error',
      from: { path: '^(src|scripts|migrations)/', pathNot: ['^src/logging/'] },
      to: { path: '(^|node_modules/)winston(-transport)?(/|$)' },
    },
    {
      name: 'nodemailer-only-in-notifications',
      severity: 'error',
      from: { path: '^(src|scripts|migrations)/', pathNot: ['^src/notifications/'] },
      to: { path: '(^|node_modules/)nodemailer(/|$)' },
    },
    {
      name: 'axios-only-in-the-gateway',
      comment: 'One sender knows the limits of a call: no redirect, no foreign host, a deadline, a size.',
      severity: 'error',
      from: { path: '^(src|scripts|migrations)/', pathNot: ['^src/gateway/'] },
      to: { path: '(^|node_modules/)axios(/|$)' },
    },
    {
      name: 'the-client-knows-no-room',
      comment: 'It is published by itself: the ground it stands on is kernel/ and the type of a logger.',
      severity: 'error',
      from: { path: '^src/gateway/' },
      to: { path: '^src/', pathNot: ['^src/(gateway|kernel|logging)/'] },
    },
    {
      name: 'nothing-in-production-knows-the-simulator',
      severity: 'error',
      from: { path: '^(src|scripts)/', pathNot: ['^src/(simulator|cli|demo)/', '^scripts/evaluate/generate/'] },
      to: { path: '^src/simulator/' },
    },
    {
      name: 'winston-only-in-logging',
      severity: 'error',
      from: { path: '^(src|scripts|migrations)/', pathNot: ['^src/logging/'] },
      to: { path: '(^|node_modules/)winston(/|$)' },
    },
    {
      name: 'migrations-import-types-only',
      comment: 'A migration must go on doing what it did when it was written, whatever the program becomes.',
      severity: 'error',
      from: { path: '^migrations/' },
      to: { path: '^(src|scripts|test)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'src-knows-no-tests-and-no-scripts',
      severity: 'error',
      from: { path: '^(src|migrations)/' },
      to: { path: '^(test|scripts|dist)/' },
    },
    {
      name: 'development-packages-stay-out',
      comment:
        'Development alone needs them: checks read sources, the document of the API is written, the client is bundled.',
      severity: 'error',
      from: {
        path: '^(src|scripts|migrations)/',
        pathNot: ['^scripts/(language/|faults/|folders/|openapi/|write-api-document[.]ts$|pack-client[.]ts$)'],
      },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'not-resolvable',
      comment: 'Node 20 installs version 12 of the driver, under its own name; the types come from another package.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^better-sqlite3$' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^dist/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['require', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.json'],
    },
  },
};
