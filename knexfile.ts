import type { Knex } from 'knex';
import { loadConfig } from './src/config';
import { knexConfig, migratorConfig } from './src/db';
import { silentLogger } from './src/logging';

// For looking with knex's own command line: npx tsx node_modules/knex/bin/cli.js --knexfile knexfile.ts migrate:list
const { migrationDatabase } = loadConfig();

const config: Knex.Config = {
  ...knexConfig(migrationDatabase, silentLogger),
  migrations: migratorConfig(migrationDatabase.kind, silentLogger),
};

export default config;
