import type { Command } from 'commander';
import { loadConfig } from '../config';
import { AppError, MINUTE_MS } from '../kernel';
import type { Role } from '../server';
import type { RegisterCommands, RunCommand } from './command';
import { t } from './language';
import { countOption } from './option-values';
import { pendingMigrations } from './pending-migrations';

/** A week. */
const LIMIT_MINUTES_MAX = 10_080;

const ROLES: readonly Role[] = ['http', 'jobs'];

export const registerServerCommands: RegisterCommands = (program, run) => {
  registerServe(program);
  registerMigrate(program, run);
};

function registerServe(program: Command): void {
  program
    .command('serve')
    .option('--role <roles>', undefined, 'http,jobs')
    .action(async ({ role }: { role: string }) => {
      const roles = parseRoles(role);
      const { serve } = await import('../server.js');
      await serve(loadConfig(), roles);
    });
}

function registerMigrate(program: Command, run: RunCommand): void {
  program
    .command('migrate')
    .option('--dry-run')
    .option('--limit-minutes <count>')
    .option('--json')
    .action(async (options: { dryRun?: true; limitMinutes?: string; json?: true }) => {
      const limitMs = limitFrom(options.limitMinutes);
      await run.beforeMigration(async (millime, io) => {
        const names = options.dryRun === true ? await pendingMigrations(millime) : await millime.migrate(limitMs);
        if (options.json === true) io.json({ migrations: names, dryRun: options.dryRun === true });
        else if (names.length === 0) io.line(t('cli:migrate.upToDate'));
        else {
          const ran = options.dryRun === true ? 'cli:migrate.wouldRun' : 'cli:migrate.ran';
          for (const name of names) io.line(t(ran, { name }));
        }
      });
    });
}

function limitFrom(minutes: string | undefined): number | undefined {
  return minutes === undefined ? undefined : countOption('--limit-minutes', minutes, LIMIT_MINUTES_MAX) * MINUTE_MS;
}

function parseRoles(text: string): Role[] {
  const names = text.split(',').map((name) => name.trim());
  const roles = ROLES.filter((role) => names.includes(role));
  if (roles.length === 0 || names.some((name) => !ROLES.some((role) => role === name))) {
    throw new AppError('bad_input', { field: '--role', expected: 'http, jobs or http,jobs', got: text });
  }
  return roles;
}
