import { createRequire } from 'node:module';
import type { AgentSettlement } from './agent-settlement';
import type { Agents } from './agents';
import type { PaymentSettings } from './attempts';
import type { Breaks, BreakWorkflow } from './breaks';
import { type Config, loadHolidays } from './config';
import {
  createReadiness,
  type Database,
  type DatabaseReadiness,
  migrate,
  openDatabase,
  pendingMigrations,
  requireUpToDate,
  tlsFault,
} from './db';
import type { Dues } from './dues';
import type { Erasures } from './erasures';
import type { GatewayClient } from './gateway';
import { createIdentity, type Identity } from './identity';
import {
  AppError,
  type BusinessCalendar,
  businessCalendar,
  type Clock,
  fileClock,
  type Instant,
  isAppError,
  systemClock,
  WorkingDays,
} from './kernel';
import { lazyProperties } from './lazy-properties';
import type { Logger } from './logging';
import type { Metrics } from './metrics';
import type { Notifications } from './notifications';
import type { PaymentChannels } from './payment-channels';
import type { Payments, PaymentsDeps } from './payments';
import type { DayClosing, Reconciliation } from './reconciliation';
import type { Reporting } from './reporting';
import type { ServiceTokens } from './service-tokens';
import type { Statements } from './statements';
import type { Subscriptions } from './subscriptions';
import type { Webhooks } from './webhooks';

/** The rooms that load at their first read, because each command needs few of them (ADR 23). */
interface LateRooms {
  './agents': typeof import('./agents');
  './agent-settlement': typeof import('./agent-settlement');
  './breaks': typeof import('./breaks');
  './dues': typeof import('./dues');
  './erasures': typeof import('./erasures');
  './gateway': typeof import('./gateway');
  './gateway-budget': typeof import('./gateway-budget');
  './metrics': typeof import('./metrics');
  './notifications': typeof import('./notifications');
  './payment-channels': typeof import('./payment-channels');
  './payments': typeof import('./payments');
  './reconciliation': typeof import('./reconciliation');
  './reporting': typeof import('./reporting');
  './scheduler': typeof import('./scheduler');
  './service-tokens': typeof import('./service-tokens');
  './statements': typeof import('./statements');
  './subscriptions': typeof import('./subscriptions');
  './webhooks': typeof import('./webhooks');
}

const requireHere = createRequire(__filename);

/** Loads a room by `require`, because a property cannot be awaited. */
function room<Path extends keyof LateRooms>(path: Path): LateRooms[Path] {
  return requireHere(path) as LateRooms[Path];
}

/** Whether Millime answers calls now, and if not, why. */
export type Readiness = DatabaseReadiness | 'draining';

/** Every room, wired in this one place. A room is loaded and created at its first read. */
export interface Millime {
  readonly config: Config;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly calendar: BusinessCalendar;
  readonly database: Database;
  readonly identity: Identity;
  readonly serviceTokens: ServiceTokens;
  readonly agents: Agents;
  readonly dues: Dues;
  readonly breaks: Breaks;
  readonly breakWorkflow: BreakWorkflow;
  readonly agentSettlement: AgentSettlement;
  readonly payments: Payments;
  readonly paymentChannels: PaymentChannels;
  readonly subscriptions: Subscriptions;
  readonly erasures: Erasures;
  readonly webhooks: Webhooks;
  readonly notifications: Notifications;
  readonly statements: Statements;
  readonly reconciliation: Reconciliation;
  readonly dayClosing: DayClosing;
  readonly reporting: Reporting;
  /** Undefined without METRICS_PORT: then nothing is counted. */
  readonly metrics: Metrics | undefined;
  /**
   * Prepares the database: upgrades SQLite, and refuses a MariaDB database that is behind, because other processes use
   * it.
   * @throws AppError `misconfigured`, one line that names DATABASE_URL.
   */
  prepareDatabase(): Promise<void>;
  /**
   * Applies pending migrations with the rights of MIGRATION_DATABASE_URL, on MariaDB for at most `limitMs`. Returns their
   * names.
   */
  migrate(limitMs?: number): Promise<string[]>;
  /** Returns the migrations that `migrate` would apply. */
  pendingMigrations(): Promise<string[]>;
  /** Returns whether Millime can answer the gateway now. Frequent calls are cheap. */
  readiness(): Promise<Readiness>;
  /** Returns the last completed window of each job. */
  jobWatermarks(): Promise<ReadonlyMap<string, Instant>>;
  close(): Promise<void>;
}

/** What only tests choose. `passwordCost`: as `createIdentity` takes it. */
export interface ComposeOptions {
  readonly passwordCost?: number;
}

/** Builds Millime from the configuration. Opens no socket and reads no table. */
export function compose(config: Config, logger: Logger, options: ComposeOptions = {}): Millime {
  const clock = config.clockFile === undefined ? systemClock : fileClock(config.clockFile);
  const calendar = businessCalendar(config.businessTimeZone);
  const workingDays = new WorkingDays(loadHolidays(config.holidaysFile));
  const database = openDatabase(config.database, logger);
  const basics = { database, clock, calendar, workingDays, logger };
  const collecting = lazyProperties<{ deps: PaymentsDeps }>({ deps: () => collectingDeps(config, basics) });
  const millime: Millime = lazyProperties<Millime>({
    config: () => config,
    logger: () => logger,
    clock: () => clock,
    calendar: () => calendar,
    database: () => database,
    identity: () => createIdentity({ database, clock, logger, ...options }),
    serviceTokens: () =>
      room('./service-tokens').createServiceTokens({ database, clock, logger, settings: config.serviceTokens }),
    agents: () => room('./agents').createAgents({ database, clock }),
    dues: () => room('./dues').createDues({ database, clock }),
    breaks: () => room('./breaks').createBreaks({ database }),
    breakWorkflow: () => breakWorkflowOf(config, basics, millime),
    agentSettlement: () =>
      room('./agent-settlement').createAgentSettlement({
        database,
        clock,
        calendar,
        amountMax: config.confirmMaxMillimes,
        observe: millime.metrics,
      }),
    payments: () => room('./payments').createPayments(collecting.deps),
    paymentChannels: () => room('./payment-channels').createPaymentChannels(collecting.deps),
    subscriptions: () => room('./subscriptions').createSubscriptions(collecting.deps),
    erasures: () => room('./erasures').createErasures({ database, clock }),
    webhooks: () => webhooksOf(config, basics, millime),
    notifications: () => notificationsOf(config, basics, millime),
    statements: () =>
      room('./statements').createStatements({
        database,
        clock,
        calendar,
        logger,
        ...config.statementProfiles,
        uploadLimits: config.uploads,
        linesInUse: (...of) => room('./reconciliation').linesInUse(...of),
      }),
    reconciliation: () => reconciliationOf(basics, millime),
    dayClosing: () => room('./reconciliation').createDayClosing(basics),
    reporting: () =>
      room('./reporting').createReporting({ database, clock, calendar, workingDays, urgency: config.breakUrgency }),
    metrics: () => metricsOf(config, basics, millime),
    prepareDatabase: () => () => prepareDatabase(database, logger),
    migrate: () => (limitMs) => migrateWith(config, logger, limitMs),
    pendingMigrations: () => () => namingDatabaseUrl('DATABASE_URL', () => pendingMigrations(database, logger)),
    readiness: () => createReadiness(database, logger),
    jobWatermarks: () => () => room('./scheduler').jobWatermarks(database),
    close: () => () => database.close(),
  });
  return millime;
}

/** The parts that the rooms share. */
type Basics = Pick<Millime, 'database' | 'clock' | 'calendar' | 'logger'> & { readonly workingDays: WorkingDays };

/** Returns the dependencies of the rooms that collect money, created when the first of these rooms is read. */
function collectingDeps(config: Config, basics: Basics): PaymentsDeps {
  return {
    ...basics,
    gateway: gatewayOf(config, basics),
    settings: paymentSettings(config),
    observeChannel: (question) => room('./payment-channels').observeChannel(question),
  };
}

function breakWorkflowOf(config: Config, basics: Basics, millime: Pick<Millime, 'reporting'>): BreakWorkflow {
  const { forceMatchHandler, knownThrough, restOfMatch, unmatchByTwo } = room('./reconciliation');
  return room('./breaks').createBreakWorkflow({
    ...basics,
    settings: config.breakUrgency,
    handlers: { force_match: forceMatchHandler(basics.calendar), unmatch: unmatchByTwo },
    knownThrough,
    restOfMatch,
    afterApproval: () => refreshLastFigures(basics, millime),
  });
}

function reconciliationOf(basics: Basics, millime: Pick<Millime, 'reporting'>): Reconciliation {
  return room('./reconciliation').createReconciliation({
    ...basics,
    afterRun: (run) => millime.reporting.refreshFigures(run),
    afterDecision: () => refreshLastFigures(basics, millime),
  });
}

/** The decision is stored: figures that could not be derived are derived after the next one. */
async function refreshLastFigures({ logger }: Basics, { reporting }: Pick<Millime, 'reporting'>): Promise<void> {
  try {
    await reporting.refreshLastFigures();
  } catch (error) {
    logger.warn('the figures were not derived', { event: 'reporting.refresh_failed', error });
  }
}

function webhooksOf(
  { webhooks, gateway, businessTimeZone }: Config,
  { database, clock, logger }: Basics,
  { payments, subscriptions }: Pick<Millime, 'payments' | 'subscriptions'>,
): Webhooks {
  return room('./webhooks').createWebhooks({
    database,
    clock,
    logger,
    payments,
    subscriptions,
    keys: webhooks?.keys,
    publicKey: gateway?.publicKey,
    hintToken: webhooks?.hintToken,
    timeZone: businessTimeZone,
  });
}

function notificationsOf(
  { notifications: settings, businessTimeZone: timeZone }: Config,
  { database, clock, calendar, logger }: Basics,
  millime: Pick<Millime, 'breakWorkflow' | 'serviceTokens'>,
): Notifications {
  return room('./notifications').createNotifications({
    ...{ database, clock, calendar, logger, settings, timeZone },
    highBreaks: () => millime.breakWorkflow.high(),
    tokenExpiry: () => millime.serviceTokens.expiry(),
  });
}

function metricsOf(
  { metrics, gateway, breakUrgency: urgency }: Config,
  basics: Basics,
  { serviceTokens }: Pick<Millime, 'serviceTokens'>,
): Metrics | undefined {
  if (metrics === undefined) return undefined;
  return room('./metrics').createMetrics({ ...basics, gateway, urgency, tokenExpiry: () => serviceTokens.expiry() });
}

/**
 * Creates the gateway's client, with one call budget for all processes on the database. Returns undefined if the
 * gateway is not configured.
 */
function gatewayOf(
  { gateway, businessTimeZone }: Config,
  { database, clock, logger }: Basics,
): GatewayClient | undefined {
  if (gateway === undefined) return undefined;
  const { baseUrl, publicKey, privateKey, apiKey, posFamily } = gateway;
  const store = room('./gateway-budget').createSharedBudgetStore(database, clock);
  const credential = { baseUrl, publicKey, privateKey, apiKey, posFamily };
  return room('./gateway').createGatewayClient({
    ...credential,
    clock,
    logger,
    timeZone: businessTimeZone,
    budget: { store },
  });
}

function paymentSettings({ gateway, webhooks, publicUrl, successLink, failLink }: Config): PaymentSettings {
  return {
    publicUrl,
    hintToken: webhooks?.hintToken,
    successLink,
    failLink,
    isTest: gateway?.isTest ?? false,
    merchantId: gateway?.merchantId,
  };
}

async function prepareDatabase(database: Database, logger: Logger): Promise<void> {
  await namingDatabaseUrl('DATABASE_URL', async () => {
    if (database.dialect === 'mariadb') await requireUpToDate(database, logger);
    else if ((await pendingMigrations(database, logger)).length > 0) await migrate(database, logger);
  });
}

async function migrateWith(config: Config, logger: Logger, limitMs?: number): Promise<string[]> {
  const variable = config.migrationDatabase === config.database ? 'DATABASE_URL' : 'MIGRATION_DATABASE_URL';
  const database = openDatabase(config.migrationDatabase, logger, variable);
  try {
    return await namingDatabaseUrl(variable, async () =>
      (await pendingMigrations(database, logger)).length === 0 ? [] : migrate(database, logger, limitMs),
    );
  } finally {
    await database.close();
  }
}

/** Names the variable and the driver's code when a database cannot be used. */
async function namingDatabaseUrl<T>(variable: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isAppError(error)) throw error;
    const { code } = error as { code?: unknown };
    const reason = tlsFault(error) ?? (typeof code === 'string' ? code : 'unknown reason');
    const fault = `the database cannot be used (${reason})`;
    throw new AppError('misconfigured', { field: variable, fault }, { cause: error });
  }
}
