import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createApp } from './app';
import { compose, type Millime } from './compose';
import type { Config } from './config';
import { SERVER_LIMITS } from './http';
import { startJobs } from './jobs';
import { AppError } from './kernel';
import { createLogger } from './logging';

export type Role = 'http' | 'jobs';

/** How long running requests may take once we are told to stop. */
const DRAIN_MS = 10_000;

/** Runs until SIGTERM or SIGINT, and resolves when everything has ended. */
export async function serve(config: Config, roles: readonly Role[]): Promise<void> {
  const logger = createLogger({ level: config.logLevel, stream: 'stdout' });
  const millime = compose(config, logger);
  if (config.notReadYet.length > 0) {
    logger.warn('variables of a later version are set: their features are off', {
      event: 'config.not_read',
      variables: config.notReadYet,
    });
  }
  try {
    await prepare(millime);
    const listener = roles.includes('http') ? await listen(millime) : undefined;
    const jobs = roles.includes('jobs') ? startJobs(millime) : undefined;
    await stopSignal();
    logger.info('stopping', { event: 'server.stopping' });
    await Promise.all([jobs?.stop(), listener?.drain()]);
  } finally {
    await millime.close();
  }
  logger.info('stopped', { event: 'server.stopped' });
}

/** What is wrong with the installation is said now, not at the first call that meets it. */
async function prepare(millime: Millime): Promise<void> {
  millime.statements.profiles();
  await millime.prepareDatabase();
  await millime.serviceTokens.start();
}

async function listen(millime: Millime): Promise<{ drain(): Promise<void> }> {
  const { host, port } = millime.config.listen;
  const server = createServer(SERVER_LIMITS);
  const running = new Set<ServerResponse>();
  server.on('request', (_request, response) => {
    running.add(response);
    response.once('close', () => running.delete(response));
  });
  const answer = createApp(millime);
  server.on('request', answer);
  // An Expect that nobody knows changes nothing; Node's own answer to it would come before the token is looked at.
  server.on('checkExpectation', answer);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(new AppError('misconfigured', `HOST, PORT: cannot listen (${error.code ?? 'unknown reason'})`)),
    );
    server.listen(port, host, resolve);
  });
  const { port: listening } = server.address() as AddressInfo;
  millime.logger.info(`listening on http://${host.includes(':') ? `[${host}]` : host}:${listening}`, {
    event: 'server.listening',
    database: millime.database.dialect,
  });
  return { drain: () => drain(server, running) };
}

/** Later signals change nothing: npm and terminals send a second one at once, and draining is bounded anyway. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => resolve());
  });
}

/** Takes no new connections, lets what runs end, tells callers to go elsewhere, then closes what is left. */
async function drain(server: Server, running: ReadonlySet<ServerResponse>): Promise<void> {
  // A caller who keeps his connection busy would keep us alive until the time is over.
  const lastOfItsConnection = (response: ServerResponse): void => {
    if (!response.headersSent) response.setHeader('Connection', 'close');
  };
  running.forEach(lastOfItsConnection);
  server.prependListener('request', (_request, response) => lastOfItsConnection(response));
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await closed;
  clearTimeout(timer);
}
