import type { Millime } from '../compose';
import { loadConfig } from '../config';
import { AppError, counted, formatInstant } from '../kernel';
import type { Role } from '../server';
import { EXIT, type RegisterCommands } from './command';
import { requireDatabaseFile } from './database-file';

const ROLES: readonly Role[] = ['http', 'jobs'];

export const registerServerCommands: RegisterCommands = (program, run) => {
  program
    .command('serve')
    .option('--role <roles>', 'roles of this process: http, jobs or both', 'http,jobs')
    .action(async ({ role }: { role: string }) => {
      const roles = parseRoles(role);
      const { serve } = await import('../server.js');
      await serve(loadConfig(), roles);
    });

  program
    .command('migrate')
    .option('--dry-run', 'check only; nothing is migrated')
    .option('--json', 'JSON output')
    .action(async (options: { dryRun?: true; json?: true }) => {
      await run.beforeMigration(async (millime, io) => {
        const names = options.dryRun === true ? await pendingMigrations(millime) : await millime.migrate();
        if (options.json === true) io.json({ migrations: names, dryRun: options.dryRun === true });
        else if (names.length === 0) io.line('the database is up to date');
        else for (const name of names) io.line(options.dryRun === true ? `Would run ${name} (dry run)` : `ran ${name}`);
      });
    });

  program
    .command('doctor')
    .option('--json', 'JSON output')
    .action(async (options: { json?: true }) => {
      await run.beforeMigration(async (given, io) => {
        const millime = { ...given }; // creates every room, so that a faulty setting is found
        const { config, database, clock } = millime;
        const problems: string[] = [];
        const pending = await pendingMigrations(millime).catch((error: unknown) => {
          problems.push(error instanceof Error ? error.message : 'DATABASE_URL: the database cannot be used');
          return undefined;
        });
        if (pending !== undefined && pending.length > 0) {
          problems.push(
            `DATABASE_URL: the database lacks ${counted(pending.length, 'migration')}; run "millime migrate"`,
          );
        }
        const tokens = await millime.serviceTokens.diagnose({ isDatabaseReady: pending?.length === 0 });
        problems.push(...tokens.problems);
        const facts = {
          ok: problems.length === 0,
          database: database.dialect,
          pendingMigrations: pending ?? null,
          businessTimeZone: config.businessTimeZone,
          businessNow: formatInstant(clock.now()),
          features: featuresOf(config),
          jobs: pending?.length === 0 ? await millime.jobWatermarks() : {},
          notes: pending?.length === 0 ? await keyNotes(millime) : [],
          tokenExpiresAt: tokens.expiresAt === undefined ? null : formatInstant(tokens.expiresAt),
          warnings: tokens.warnings,
          problems,
        };
        if (options.json === true) io.json(facts);
        else {
          for (const [name, value] of Object.entries(facts)) {
            if (!['problems', 'warnings', 'notes'].includes(name)) {
              io.line(`${name.padEnd(20)}${JSON.stringify(value)}`);
            }
          }
          for (const note of facts.notes) io.line(`note: ${note}`);
          for (const warning of facts.warnings) io.line(`warning: ${warning}`);
          for (const problem of problems) io.line(`problem: ${problem}`);
        }
        return problems.length === 0 ? EXIT.done : EXIT.fault;
      });
    });
};

/** Checks the file first, so that a diagnosis creates no database. */
async function pendingMigrations(millime: Millime): Promise<string[]> {
  requireDatabaseFile(millime.config.database);
  return millime.pendingMigrations();
}

const ON = 'on';

/** Returns the optional features, and for each that is off the variables that it lacks. */
function featuresOf(config: Millime['config']): Readonly<Record<string, string>> {
  const { gateway, gatewayLacks, webhooks, publicUrl } = config;
  const lacking = (...names: readonly string[]): string => `off: ${names.join(', ')} not set`;
  const incoming = { webhooks: publicUrl === undefined ? lacking('PUBLIC_URL') : ON };
  if (gateway === undefined) {
    const missing =
      gatewayLacks.length > 0 ? gatewayLacks : ['GATEWAY_BASE_URL, GATEWAY_PUBLIC_KEY, GATEWAY_PRIVATE_KEY'];
    return { takingMoney: lacking(...missing), ...(webhooks === undefined ? {} : incoming) };
  }
  return {
    takingMoney: gateway.isTest ? 'on, test money only' : ON,
    ...incoming,
    qrCodesAndWalletSessions: gateway.apiKey === undefined ? lacking('GATEWAY_API_KEY') : ON,
    qrHistory: gateway.merchantId === undefined ? lacking('GATEWAY_MERCHANT_ID') : ON,
  };
}

/** Notes a missing API key, which is not a fault: without one, the records do not name who decided. */
async function keyNotes({ identity }: Millime): Promise<string[]> {
  if ((await identity.listKeys()).some(({ state }) => state === 'active')) return [];
  return ['no active API key: decisions are recorded as "cli"; run "millime keys create"'];
}

function parseRoles(text: string): Role[] {
  const names = text.split(',').map((name) => name.trim());
  const roles = ROLES.filter((role) => names.includes(role));
  if (roles.length === 0 || names.some((name) => !ROLES.some((role) => role === name))) {
    throw new AppError('bad_input', { field: '--role', expected: 'http, jobs or http,jobs', got: text });
  }
  return roles;
}
