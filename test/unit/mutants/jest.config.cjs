// The tests of one room with one mutant in one file of src/, on SQLite.
const { join } = require('node:path');
const base = require('../../../jest.config.cjs');

const mutating = join(__dirname, 'mutating-transform.cjs');

module.exports = {
  ...base,
  rootDir: base.projects[0].rootDir,
  bail: 1,
  projects: base.projects.map(({ transform, ...project }) => ({
    ...project,
    transform: Object.fromEntries(
      Object.entries(transform).map(([files, [, options]]) => [files, [mutating, options]]),
    ),
    ...(project.globalSetup === undefined ? {} : { globalSetup: join(__dirname, 'set-up.ts') }),
  })),
};
