import type { Express, NextFunction, Request, RequestHandler, Response } from 'express';
import { agentSettlementRoutes } from './agent-settlement';
import { apiRoutes, keyLimits, longOperations, operations as operationsOf } from './api';
import { apiRoomsOf } from './api-rooms';
import type { Millime } from './compose';
import { consoleRoutes } from './console';
import {
  errorHandler,
  methodNotAllowed,
  notFound,
  observeAnswer,
  type ObserveRequest,
  OTHER_ROUTE,
  sendJson,
  sendProblem,
  strictApp,
  trustedProxies,
} from './http';
import { monotonicClock } from './kernel';
import { webhookRoutes } from './webhooks';

/** The API and the console count their requests themselves. */
const COUNTED_PATH = /^\/(?:api|console)(?:\/|$)/;

const PLAIN_ROUTES: readonly string[] = [
  '/service/confirm',
  '/healthz',
  '/readyz',
  '/webhooks/payment',
  '/webhooks/subscription',
];
const CHECKS = '/service/check/';
const HINTS = '/webhooks/hint/';

/** Creates the HTTP application. The two endpoints that the gateway waits for come first. */
export function createApp(millime: Millime, operations = longOperations()): Express {
  const app = strictApp();
  const isTrustedProxy = trustedProxies(millime.config.trustedProxies);
  const monotonic = monotonicClock;
  const { database, logger, config, identity, calendar, clock, metrics } = millime;
  if (metrics !== undefined) app.use(observeAnswers(metrics.observeRequest));
  app.use(
    '/service',
    agentSettlementRoutes({
      settlement: millime.agentSettlement,
      verify: (authorization, options) => millime.serviceTokens.verify(authorization, options),
      ...{ isTrustedProxy, clock, monotonic, logger },
    }),
  );
  app.get('/healthz', (_request, response) => {
    sendJson(response, 200, { status: 'ok' });
  });
  app.get('/readyz', async (_request, response) => {
    const readiness = await millime.readiness();
    if (readiness === 'ready') sendJson(response, 200, { status: 'ready' });
    else sendProblem(response, 503, readiness);
  });
  app.all(['/healthz', '/readyz'], methodNotAllowed('GET, HEAD'));

  // Without a key Millime can verify no webhook, so the path does not exist.
  if (config.webhooks !== undefined) app.use('/webhooks', webhookRoutes({ webhooks: millime.webhooks }));

  const rooms = apiRoomsOf(millime);
  app.use(
    '/api',
    apiRoutes({
      rooms,
      database,
      limits: config.api,
      ...{ isTrustedProxy, monotonic, logger },
      observe: metrics?.observeRequest,
      longOperations: operations,
    }),
  );

  app.use(
    '/console',
    consoleRoutes({
      ...{ identity, calendar, clock, monotonic, isTrustedProxy, logger },
      operations: operationsOf({ rooms, database, longOperations: operations }),
      limit: keyLimits(config.api, monotonic),
      consoleUrl: config.notifications.consoleUrl,
      observe: metrics?.observeRequest,
    }),
  );
  app.get('/', toConsole);

  app.use(notFound);
  app.use(errorHandler(logger));
  return app;
}

function observeAnswers(observe: ObserveRequest): RequestHandler {
  return (request, response, next) => {
    if (!COUNTED_PATH.test(request.path)) observeAnswer(request, response, routeOf(request.path), observe);
    next();
  };
}

/** Sends a person who typed the address of the server to the console. A program gets the answer of an unknown path. */
function toConsole({ headers }: Request, response: Response, next: NextFunction): void {
  if (!/\btext\/html\b/.test(headers.accept ?? '')) return next();
  response.redirect(303, '/console');
}

/** Returns the template of a path for metrics. The path of a hint contains its token. */
function routeOf(path: string): string {
  if (PLAIN_ROUTES.includes(path)) return path;
  if (path.startsWith(CHECKS)) return `${CHECKS}{agentId}`;
  return path.startsWith(HINTS) ? `${HINTS}{token}/{kind}` : OTHER_ROUTE;
}
