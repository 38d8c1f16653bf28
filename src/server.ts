import { join } from 'node:path';
import { longOperations, performInThreads } from './api';
import { createApp } from './app';
import { compose, type Millime, type Readiness } from './compose';
import { type Config, unsafeSettings } from './config';
import { judgeServers } from './db';
import { createDrain, type Drain } from './drain';
import { answerRequests, connectionLimit, createHttpServer } from './http';
import { startJobs } from './jobs';
import { monotonicClock, stopSignal } from './kernel';
import { listenOn } from './listen';
import { createServiceLog, type Logger } from './logging';
import { serveMetrics } from './serve-metrics';

export type Role = 'http' | 'jobs';

// The process ends within 10 s of the signal, because an operator's tools kill it then.
/** Running requests end at this time. The rest of the 10 s is for closing the database. */
const CUT_MS = 9_000;
const END_MS = 9_800;
/** Long operations are answered this much before, because their connections need time for the answer. */
const LONG_ANSWER_MS = 1_000;
/** The time for remaining work that keeps the event loop busy after everything else has ended. */
const LEFTOVERS_MS = 100;

/** Runs until SIGTERM or SIGINT, and resolves when everything has ended. */
export async function serve(config: Config, roles: readonly Role[]): Promise<void> {
  const log = createServiceLog({ level: config.logLevel });
  try {
    await run(config, roles, log.logger);
  } finally {
    await log.close();
  }
  endWithin(LEFTOVERS_MS);
}

async function run(config: Config, roles: readonly Role[], logger: Logger): Promise<void> {
  // From now on, a stop during the start also ends in order.
  const stop = stopSignal();
  void stop.then(() => endWithin(END_MS));
  // Creates every room now. No first call waits for one, and a faulty setting is reported at the start.
  const millime = { ...compose(config, logger) };
  if (config.gatewayLacks.length > 0) {
    const variables = config.gatewayLacks;
    logger.warn(`taking money is off: ${variables.join(', ')} not set`, { event: 'config.gateway_off', variables });
  }
  const warnOf = (detail: string): void => logger.warn('setting unsafe', { event: 'config.unsafe', detail });
  unsafeSettings(config).forEach(warnOf);
  const leaving = new AbortController();
  let metrics: Awaited<ReturnType<typeof serveMetrics>>;
  try {
    await prepare(millime);
    // Not awaited: a server that does not answer keeps no process from starting.
    void judgeServers(millime.database).then(({ warnings }) => warnings.forEach(warnOf));
    metrics = await serveMetrics(millime);
    const listener = roles.includes('http') ? await listen(millime) : undefined;
    const jobs = roles.includes('jobs') ? startJobs(millime) : undefined;
    // Last, because supervisors take this line as the sign that everything has started.
    listener?.announce();
    const recovered = recoverImports(millime, leaving.signal);
    await stop;
    leaving.abort();
    const cutAt = monotonicClock.now() + CUT_MS;
    const ended = Promise.all([recovered, jobs?.stop(), listener?.drain({ delayMs: config.drainDelayMs, cutAt })]);
    logger.info('stopping', { event: 'server.stopping' });
    await ended;
  } finally {
    await metrics?.close();
    await millime.close();
  }
  logger.info('stopped', { event: 'server.stopped' });
}

/** Ends the process after the limit, even if something still keeps it alive. */
function endWithin(limitMs: number): void {
  setTimeout(() => process.exit(), limitMs).unref();
}

/** Reports faults of the installation at the start instead of at the first call that meets them. */
async function prepare(millime: Millime): Promise<void> {
  millime.statements.profiles();
  await millime.prepareDatabase();
  await millime.serviceTokens.start();
  await millime.serviceTokens.warnOfExpiry();
}

/**
 * Recovers interrupted imports while the server already answers: they may have left many rows, and payments must not
 * wait.
 */
async function recoverImports({ statements, logger }: Millime, signal: AbortSignal): Promise<void> {
  try {
    await statements.recover(signal);
  } catch (error) {
    // The next import or reconciliation repeats it.
    if (!signal.aborted) {
      logger.warn('interrupted imports not recovered', { event: 'statements.recovery_failed', error });
    }
  }
}

async function listen(millime: Millime): Promise<Drain & { announce(): void }> {
  const { host, port } = millime.config.listen;
  const { connectionsMax, warning } = connectionLimit();
  if (warning !== undefined) {
    millime.logger.warn('connections limited', { event: 'http.connections_limited', connectionsMax, detail: warning });
  }
  const operations = longOperations(performInThreads(join(__dirname, 'api-thread.js'), millime.logger));
  const app = createApp({ ...millime, readiness: () => readinessOf(millime, drain) }, operations);
  const server = createHttpServer({ logger: millime.logger, connectionsMax, app });
  const drain = createDrain(server);
  answerRequests(server, app);
  const address = await listenOn(server, { host, port, variables: 'HOST, PORT' });
  return {
    ...drain,
    async drain(options) {
      operations.refuseWaiting();
      const leftMs = options.cutAt - LONG_ANSWER_MS - monotonicClock.now();
      const answering = setTimeout(() => operations.answerRunning(), Math.max(leftMs, 0));
      await drain.drain(options);
      clearTimeout(answering);
    },
    announce() {
      millime.logger.info(`listening on ${address}`, {
        event: 'server.listening',
        database: millime.database.dialect,
      });
    },
  };
}

async function readinessOf(millime: Millime, drain: Drain): Promise<Readiness> {
  const found = drain.isDraining() ? 'draining' : await millime.readiness();
  return drain.isDraining() ? 'draining' : found; // the signal may have arrived during the read
}
