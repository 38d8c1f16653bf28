import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compose } from '../src/compose';
import { loadConfig } from '../src/config';
import { OPERATOR } from '../src/identity';
import { AppError, counted, isAppError } from '../src/kernel';
import { silentLogger } from '../src/logging';

const file = (name: string): Buffer => readFileSync(join(__dirname, 'demo', name));

/**
 * Enrolls the demo's agents and posts their dues through the use cases, so that a fresh database has something to show.
 * Running it again changes nothing.
 *
 * @throws AppError `misconfigured` in production and on a database with other agents; then nothing was stored.
 */
export function seed(): Promise<void> {
  return enroll().catch((error: unknown) => {
    if (isAppError(error)) error.stack = ''; // knex prints it behind the message
    throw error;
  });
}

async function enroll(): Promise<void> {
  const config = loadConfig();
  if (config.production) {
    throw new AppError('misconfigured', {
      field: 'NODE_ENV',
      fault: 'expected no production, where no agents are invented',
    });
  }
  const millime = compose(config, silentLogger);
  try {
    await millime.prepareDatabase();
    const { agents, dues } = millime;
    const options = { actor: OPERATOR, dryRun: false };
    const demo = await agents.importCsv(file('agents.csv'), { ...options, dryRun: true });
    const limit = demo.added + demo.updated + demo.unchanged + 1;
    const known = (await dues.agents({ owing: false, limit })).rows.length;
    const others = known - demo.unchanged;
    if (others > 0) {
      const fault = `expected no agents but those of the demo, got ${counted(others, 'other agent')}`;
      throw new AppError('misconfigured', { field: 'DATABASE_URL', fault });
    }
    await agents.importCsv(file('agents.csv'), options);
    await dues.importCsv(file('dues.csv'), options);
  } finally {
    await millime.close();
  }
}
