// The simulation with one mutant in one file of src/, on SQLite.
const base = require('../../../unit/mutants/jest.config.cjs');

module.exports = {
  ...base,
  projects: base.projects
    .filter(({ displayName }) => displayName === 'integration')
    .map((project) => ({ ...project, testMatch: ['<rootDir>/test/integration/simulation/mutants/hunt-mutant.ts'] })),
};
