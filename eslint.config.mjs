import js from '@eslint/js';
import * as regexp from 'eslint-plugin-regexp';
import importSort from 'eslint-plugin-simple-import-sort';
import tseslint from 'typescript-eslint';

// Every rule is an error or off. What a rule forbids, and why, stands in its message.

const forbid = (selector, message) => ({ selector, message });

const EVERYWHERE = [
  forbid(
    'CallExpression[callee.property.name="transaction"]',
    'Use database.transact(): knex does not roll back after a failed COMMIT.',
  ),
  forbid(
    'CallExpression[callee.property.name="onConflict"]',
    'onConflict is INSERT IGNORE on MariaDB, which changes values: insert, and let transact() run again on a duplicate.',
  ),
  forbid(
    'CallExpression[callee.property.name=/^(raw|fragment)$/] > TemplateLiteral.arguments:first-child[expressions.length>0]',
    'Values go into bindings, never into the text of SQL.',
  ),
  forbid(
    'CallExpression[callee.property.name=/^(raw|fragment)$/] > BinaryExpression.arguments:first-child TemplateLiteral[expressions.length>0]',
    'Values go into bindings, never into the text of SQL.',
  ),
];

const NO_WALL_CLOCK = [
  forbid('NewExpression[callee.name="Date"]', 'Time is an argument: use the Clock that the room is given.'),
  forbid(
    'CallExpression[callee.object.name="Date"][callee.property.name="now"]',
    'Time is an argument: use the Clock that the room is given.',
  ),
];

const NO_ENVIRONMENT = [
  forbid(
    'MemberExpression[object.name="process"][property.name="env"]',
    'Only src/config reads the environment: take what you need from Config.',
  ),
];

const MIGRATION_COLUMNS = [
  forbid(
    'CallExpression[callee.property.name=/^(timestamp|timestamps|json|jsonb)$/]',
    'Columns are made by the helpers of src/db/columns.ts: instant() and longText().',
  ),
];

const PAGES = [
  forbid('JSXText[value=/\\p{L}/u]', 'People read texts in three languages: they are in assets/texts.'),
  forbid(
    'JSXAttribute[name.name=/^(title|alt|placeholder|label|aria-label|aria-description)$/] > Literal[value=/\\p{L}/u]',
    'People read texts in three languages: they are in assets/texts.',
  ),
  forbid(
    'JSXAttribute[name.name=/^(dangerouslySetInnerHTML|style|on[A-Z].*)$/]',
    'The policy of the pages forbids it.',
  ),
];

/** The types of the templates bring those of the browser, whose globals do not exist in Node. */
const BROWSER_GLOBALS =
  'window document location history screen name status length parent top self origin event close closed open print stop find focus blur alert confirm prompt scroll external localStorage sessionStorage'.split(
    ' ',
  );

const restricted = (...groups) => ({ 'no-restricted-syntax': ['error', ...EVERYWHERE, ...groups.flat()] });

export default tseslint.config(
  { ignores: ['dist/', 'data/', 'coverage/', 'node_modules/', '.ci/'] },
  js.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.strictTypeChecked],
    plugins: { 'simple-import-sort': importSort },
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      // `return next(error)` ends a handler in one line.
      '@typescript-eslint/no-confusing-void-expression': 'off',
      // A room promises to be asynchronous before every branch of it needs to be.
      '@typescript-eslint/require-await': 'off',
      // `Promise<ExitCode | void>` is how a command says that it may end without a code.
      '@typescript-eslint/no-invalid-void-type': 'off',
      '@typescript-eslint/no-unnecessary-condition': ['error', { allowConstantLoopConditions: true }],
      // A type parameter that stands once still names what the caller gets: `run<T>(work: () => T)`.
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
      // Rows of the database are read through casts in stores; the kernel brands what it has checked.
      '@typescript-eslint/no-unsafe-type-assertion': 'off',
      // The compiler allows no enum (erasableSyntaxOnly), and this is the most expensive rule.
      '@typescript-eslint/no-unsafe-enum-assignment': 'off',
      '@typescript-eslint/no-empty-function': 'off',
      '@typescript-eslint/no-empty-object-type': ['error', { allowInterfaces: 'with-single-extends' }],
      // Dependencies are objects of functions that need no `this`, taken apart where they are used.
      '@typescript-eslint/unbound-method': 'off',
      // Refuses the minus of a branded number such as Millimes.
      '@typescript-eslint/no-unsafe-unary-minus': 'off',
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      // What identifiers must not hold can only be written with its control characters.
      'no-control-regex': 'off',
      // `${value}` of `unknown` is refused; `String(value)` says that any text will do.
      '@typescript-eslint/no-base-to-string': 'error',
      // A query that nobody awaits would run after its transaction.
      '@typescript-eslint/no-floating-promises': ['error', { checkThenables: true }],
      eqeqeq: 'error',
      'no-console': 'error',
      curly: ['error', 'multi-line'],
      'simple-import-sort/imports': ['error', { groups: [['^node:', '^@?\\w', '^', '^\\.']] }],
    },
  },
  {
    files: ['src/**/*.{ts,tsx}', 'scripts/**/*.ts', 'test/**/*.ts'],
    rules: { 'no-restricted-globals': ['error', ...BROWSER_GLOBALS] },
  },
  {
    files: ['src/**/*.{ts,tsx}', 'scripts/**/*.ts'],
    rules: { 'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }] },
  },
  {
    files: ['src/**/*.{ts,tsx}'],
    rules: restricted(NO_WALL_CLOCK, NO_ENVIRONMENT),
  },
  { files: ['src/**/*.tsx'], rules: restricted(NO_WALL_CLOCK, NO_ENVIRONMENT, PAGES) },
  {
    // Texts of strangers meet patterns: none may take more than time by character.
    files: ['src/**/*.{ts,tsx}'],
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential', ignorePartial: false }],
    },
  },
  { files: ['src/kernel/**/*.ts'], rules: restricted(NO_ENVIRONMENT) },
  // The language of the command line is known before the configuration is read.
  { files: ['src/config/**/*.ts', 'src/cli/language.ts'], rules: restricted(NO_WALL_CLOCK) },
  { files: ['migrations/**/*.ts'], rules: restricted(NO_WALL_CLOCK, NO_ENVIRONMENT, MIGRATION_COLUMNS) },
  { files: ['scripts/**/*.ts', 'src/cli/**/*.ts'], rules: { 'no-console': 'off' } },
  {
    // A constant of ours beside a column name, both fixed in the source; triggers take no bindings.
    files: ['src/db/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', ...EVERYWHERE.slice(0, 2), ...NO_WALL_CLOCK, ...NO_ENVIRONMENT] },
  },
  {
    files: ['test/**/*.ts'],
    rules: {
      // Tests look at bodies of unknown shape and hand over wrong values on purpose.
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-dynamic-delete': 'off',
    },
  },
  {
    files: ['assets/**/*.js'],
    languageOptions: {
      globals: Object.fromEntries(
        ['document', 'setTimeout', 'addEventListener', 'fetch', 'location', 'localStorage'].map((name) => [
          name,
          'readonly',
        ]),
      ),
    },
  },
  {
    files: ['**/*.cjs', '**/*.mjs', '**/*.js'],
    languageOptions: {
      globals: {
        require: 'readonly',
        module: 'writable',
        process: 'readonly',
        __dirname: 'readonly',
        console: 'readonly',
      },
    },
  },
);
