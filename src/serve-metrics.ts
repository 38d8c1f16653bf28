import type { Millime } from './compose';
import { answerRequests, createHttpServer } from './http';
import { listenOn } from './listen';
import { metricsHandler } from './metrics';

/** A few scrapers, and people who look. */
const CONNECTIONS_MAX = 32;

/**
 * Answers `GET /metrics` on a listener of its own, until `close`; undefined without METRICS_PORT.
 *
 * @throws AppError `misconfigured` that names METRICS_HOST and METRICS_PORT.
 */
export async function serveMetrics({
  config,
  metrics,
  logger,
}: Millime): Promise<{ close(): Promise<void> } | undefined> {
  if (config.metrics === undefined || metrics === undefined) return undefined;
  const server = createHttpServer({ logger, connectionsMax: CONNECTIONS_MAX });
  answerRequests(server, metricsHandler(metrics, logger));
  const address = await listenOn(server, { ...config.metrics, variables: 'METRICS_HOST, METRICS_PORT' });
  logger.info(`metrics served on ${address}/metrics`, { event: 'metrics.served' });
  return {
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections(); // a scrape changes nothing, and the next one goes to the next process
      await closed;
    },
  };
}
