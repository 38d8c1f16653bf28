import type { Millime } from './compose';
import { unsafeSettings } from './config';
import { judgeServers, unprotectedFiles } from './db';
import { connectionLimit } from './http';
import { counted, type Instant, isAppError, type Notice } from './kernel';
import type { Diagnosis } from './shapes/operations';

export interface DiagnoseOptions {
  /** People and scripts read instants in different forms. */
  readonly instantText: (instant: Instant) => string;
  /** Only a person on the command line can run a command. */
  readonly noticeText: (notice: Notice) => string;
  /** Returns the migrations that the database lacks (default: those that `migrate` would apply). */
  readonly pendingMigrations?: () => Promise<string[]>;
  /** Returns the faults that only a process meets that does not serve yet. */
  readonly startFaults?: () => Promise<readonly Notice[]>;
}

/**
 * Checks the installation and changes nothing. It reports every fault that it finds instead of the first one: each fault
 * with which `serve` refuses to start is among them.
 */
export async function diagnose(
  millime: Millime,
  {
    instantText,
    noticeText,
    pendingMigrations = () => millime.pendingMigrations(),
    startFaults = () => Promise.resolve([]),
  }: DiagnoseOptions,
): Promise<Diagnosis> {
  const { config, database, clock } = millime;
  const problems: Notice[] = [...(await startFaults())];
  const note = (error: unknown): void => {
    problems.push(isAppError(error) ? error.notice : { text: messageOf(error) });
  };
  try {
    millime.statements.profiles();
  } catch (error) {
    note(error);
  }
  const pending = await pendingMigrations().catch(note);
  if (pending !== undefined && pending.length > 0) {
    const text = `DATABASE_URL: the database lacks ${counted(pending.length, 'migration')}`;
    problems.push({ text, command: 'run "millime migrate"' });
  }
  const isDatabaseReady = pending?.length === 0;
  const tokens = await millime.serviceTokens.diagnose({ isDatabaseReady, instantText });
  problems.push(...tokens.problems);
  const { connectionsMax, warning } = connectionLimit();
  const servers = await judgeServers(database);
  const jobs = isDatabaseReady ? [...(await millime.jobWatermarks())] : [];
  return {
    ok: problems.length === 0,
    database: database.dialect,
    databaseTls: tlsWords(config),
    pendingMigrations: pending ?? null,
    businessTimeZone: config.businessTimeZone,
    businessNow: instantText(clock.now()),
    connectionsMax,
    features: featuresOf(config),
    jobs: Object.fromEntries(jobs.map(([name, until]) => [name, instantText(until)])),
    notes: [...(isDatabaseReady ? (await keyNotes(millime)).map(noticeText) : []), ...servers.notes],
    tokenExpiresAt: tokens.expiresAt === undefined ? null : instantText(tokens.expiresAt),
    warnings: [
      ...unsafeSettings(config),
      ...unprotectedFiles(config.database),
      ...servers.warnings,
      ...tokens.warnings.map(noticeText),
      ...(warning === undefined ? [] : [warning]),
    ],
    problems: problems.map(noticeText),
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'DATABASE_URL: the database cannot be used';
}

const ON = 'on';

function tlsWords({ database }: Millime['config']): string {
  if (database.kind === 'sqlite') return 'not needed';
  return database.tls === undefined ? 'off' : 'required';
}

/** Returns the optional features, and for each disabled one the missing variables. */
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

/** Returns a note if no API key exists. That is not a fault, but the records then do not name who decided. */
async function keyNotes({ identity }: Millime): Promise<Notice[]> {
  if (await identity.hasActiveKey()) return [];
  return [{ text: 'no active API key: decisions are recorded as "cli"', command: 'run "millime keys create"' }];
}
