import { Option } from 'commander';
import { GRANT_PURPOSES, type GrantPurpose, grantStatements } from '../db';
import { AppError } from '../kernel';
import type { RegisterCommands } from './command';

interface GrantOptions {
  readonly user: string;
  readonly host: string;
  readonly for: GrantPurpose;
  readonly json?: true;
}

export const registerGrantsCommand: RegisterCommands = (program, run) => {
  program
    .command('grants')
    .requiredOption('--user <name>')
    .option('--host <host>', undefined, '%')
    .addOption(new Option('--for <purpose>').choices(GRANT_PURPOSES).default('runtime'))
    .option('--json')
    .action((options: GrantOptions) =>
      run.beforeMigration(async ({ config: { database } }, io) => {
        if (database.kind === 'sqlite') {
          throw new AppError('misconfigured', {
            field: 'DATABASE_URL',
            fault: 'expected a MariaDB server, got a SQLite file, which has no users',
            fix: 'protect the file and its folder instead',
          });
        }
        const { user, host, for: purpose } = options;
        const statements = grantStatements({ purpose, database: database.database, user, host });
        if (options.json === true) io.json({ purpose, user, host, statements });
        else for (const statement of statements) io.line(`${statement};`);
      }),
    );
};
