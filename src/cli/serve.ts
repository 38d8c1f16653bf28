import { existsSync } from 'node:fs';
import { loadConfig } from '../config';
import { AppError, formatInstant } from '../kernel';
import { serve, type Role } from '../server';
import { EXIT, type RegisterCommands } from './command';

const ROLES: readonly Role[] = ['http', 'jobs'];

export const registerServerCommands: RegisterCommands = (program, run) => {
  program
    .command('serve')
    .description('answer the gateway and run the jobs, until stopped')
    .option('--role <roles>', 'what this process does: http, jobs or both', 'http,jobs')
    .action((options: { role: string }) => serve(loadConfig(), parseRoles(options.role)));

  program
    .command('migrate')
    .description('bring the database up to date')
    .option('--dry-run', 'say which migrations would run')
    .option('--json', 'print JSON')
    .action(async (options: { dryRun?: true; json?: true }) => {
      await run.beforeMigration(async (millime, io) => {
        const names = options.dryRun === true ? await millime.pendingMigrations() : await millime.migrate();
        if (options.json === true) io.json({ migrations: names, dryRun: options.dryRun === true });
        else if (names.length === 0) io.line('the database is up to date');
        else for (const name of names) io.line(`${options.dryRun === true ? 'would run' : 'ran'} ${name}`);
      });
    });

  program
    .command('doctor')
    .description('say whether this installation can work, and what is missing')
    .option('--json', 'print JSON')
    .action(async (options: { json?: true }) => {
      await run.beforeMigration(async (millime, io) => {
        const { config, database, clock } = millime;
        const problems: string[] = [];
        const pending = await millime.pendingMigrations().catch((error: unknown) => {
          problems.push(error instanceof Error ? error.message : 'DATABASE_URL: the database cannot be used');
          return undefined;
        });
        if (pending !== undefined && pending.length > 0) {
          problems.push(`DATABASE_URL: the database lacks ${pending.length} migrations; run "millime migrate"`);
        }
        const { keysFile, secret } = config.serviceTokens;
        if (!existsSync(keysFile) && secret === undefined) {
          problems.push(`SERVICE_JWT_KEYS_FILE: ${keysFile} is not there yet; "millime serve" makes it`);
        } else {
          await millime.serviceTokens.start().catch((error: unknown) => {
            problems.push(error instanceof Error ? error.message : 'SERVICE_JWT_KEYS_FILE: cannot be used');
          });
        }
        const facts = {
          ok: problems.length === 0,
          database: database.dialect,
          pendingMigrations: pending ?? null,
          businessTimeZone: config.businessTimeZone,
          businessNow: formatInstant(clock.now()),
          jobs: pending?.length === 0 ? await millime.jobWatermarks() : {},
          problems,
        };
        if (options.json === true) io.json(facts);
        else {
          for (const [name, value] of Object.entries(facts)) {
            if (name !== 'problems') io.line(`${name.padEnd(20)}${JSON.stringify(value)}`);
          }
          for (const problem of problems) io.line(`problem: ${problem}`);
        }
        return problems.length === 0 ? EXIT.done : EXIT.fault;
      });
    });
};

function parseRoles(text: string): Role[] {
  const names = text.split(',').map((name) => name.trim());
  const roles = ROLES.filter((role) => names.includes(role));
  if (roles.length === 0 || names.some((name) => !ROLES.some((role) => role === name))) {
    throw new AppError('bad_input', `--role must be one of ${ROLES.join(', ')}, or both with a comma`);
  }
  return roles;
}
