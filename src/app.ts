import type { RequestListener } from 'node:http';
import type { NextFunction, Request, Response } from 'express';
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
  OTHER_ROUTE,
  pathOf,
  sendJson,
  sendProblem,
  strictApp,
  trustedProxies,
} from './http';
import { monotonicClock } from './kernel';
import { webhookRoutes } from './webhooks';

const SERVICE_PATH = /^\/service(?:\/|$)/;
/** The API and the console count their requests themselves. */
const COUNTED_PATH = /^\/(?:api|console)(?:\/|$)/;

const PLAIN_ROUTES: readonly string[] = ['/healthz', '/readyz', '/webhooks/payment', '/webhooks/subscription'];
const HINTS = '/webhooks/hint/';

/** Creates the HTTP application: the two endpoints that the gateway waits for, and Express for everything else. */
export function createApp(millime: Millime, operations = longOperations()): RequestListener {
  const app = strictApp();
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
  if (millime.config.webhooks !== undefined) app.use('/webhooks', webhookRoutes({ webhooks: millime.webhooks }));

  const isTrustedProxy = trustedProxies(millime.config.trustedProxies);
  const { database, logger, config, identity, calendar, clock } = millime;
  const monotonic = monotonicClock;
  const rooms = apiRoomsOf(millime);
  app.use(
    '/api',
    apiRoutes({
      rooms,
      database,
      limits: config.api,
      isTrustedProxy,
      monotonic,
      logger,
      observe: millime.metrics?.observeRequest,
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
      observe: millime.metrics?.observeRequest,
    }),
  );
  app.get('/', toConsole);

  app.use(notFound);
  app.use(errorHandler(logger));
  const service = agentSettlementRoutes({
    settlement: millime.agentSettlement,
    verify: (authorization, options) => millime.serviceTokens.verify(authorization, options),
    isTrustedProxy,
    clock: millime.clock,
    monotonic,
    logger,
    observe: millime.metrics?.observeRequest,
  });
  return (request, response) => {
    const path = pathOf(request.url);
    if (path !== undefined && SERVICE_PATH.test(path)) return void service(request, response, path);
    if (millime.metrics !== undefined && !COUNTED_PATH.test(path ?? '')) {
      observeAnswer(request, response, routeOf(path), millime.metrics.observeRequest);
    }
    // If the request target has no path, Express skips every handler and answers with its own error page.
    app(request as Request, response as Response, () => sendProblem(response, 404, 'not_found'));
  };
}

/** Sends a person who typed the address of the server to the console. A program gets the answer of an unknown path. */
function toConsole({ headers }: Request, response: Response, next: NextFunction): void {
  if (!/\btext\/html\b/.test(headers.accept ?? '')) return next();
  response.redirect(303, '/console');
}

/** Returns the template of a path for metrics. The path of a hint contains its token. */
function routeOf(path = ''): string {
  if (PLAIN_ROUTES.includes(path)) return path;
  return path.startsWith(HINTS) ? `${HINTS}{token}/{kind}` : OTHER_ROUTE;
}
