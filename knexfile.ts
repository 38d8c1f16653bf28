// For knex's own command line: npm run knex -- migrate:list (or migrate:status, migrate:latest, seed:run).
import { parseArgs } from 'node:util';
import type { Knex } from 'knex';
import { compose } from './src/compose';
import { loadConfig } from './src/config';
import { knexConfig, migratorConfig } from './src/db';
import { silentLogger } from './src/logging';

const COMMANDS = ['migrate:list', 'migrate:status', 'migrate:currentVersion', 'migrate:latest', 'seed:run'];

// What knex calls the environment is NODE_ENV here, so that seeds refuse `--env production` too.
const { env } = parseArgs({ options: { env: { type: 'string' } }, strict: false }).values;
if (typeof env === 'string') process.env['NODE_ENV'] = env;

const { migrationDatabase, ...settings } = loadConfig();

/**
 * Returns what knex's command line reads. `migrate:latest` migrates here, under the lock of `millime migrate`, which
 * knex's own lock is not; knex then finds nothing left to do. Commands that undo one are refused.
 */
export default async function config(): Promise<Knex.Config> {
  const command = process.argv.find((each) => /^(?:migrate|seed):/.test(each)) ?? '';
  if (!COMMANDS.includes(command)) refuse(command);
  if (command === 'migrate:latest') await migrate();
  return {
    ...knexConfig(migrationDatabase, silentLogger),
    migrations: migratorConfig(migrationDatabase.kind, silentLogger),
    seeds: { directory: `${__dirname}/seeds`, loadExtensions: ['.ts'] },
  };
}

async function migrate(): Promise<void> {
  const millime = compose({ ...settings, migrationDatabase }, silentLogger);
  try {
    for (const name of await millime.migrate()) process.stdout.write(`ran ${name}\n`);
  } finally {
    await millime.close();
  }
}

function refuse(command: string): never {
  const wayBack = /:(?:rollback|down|unlock)$/.test(command)
    ? '. A migration is not undone, because that would drop rows of the ledger: restore the backup of before it ' +
      '(docs/OPERATIONS.md, "Back up, restore, upgrade"). A lock ends with the process that holds it'
    : '';
  process.stderr.write(`${command}: expected ${COMMANDS.join(', ')}${wayBack}\n`);
  process.exit(2);
}
