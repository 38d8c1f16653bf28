import type { RequestListener } from 'node:http';
import express, { type Request, type Response } from 'express';
import { agentSettlementRoutes } from './agent-settlement';
import type { Millime } from './compose';
import { errorHandler, methodNotAllowed, notFound, sendJson, sendProblem } from './http';

/** The HTTP side. The order of what follows is the order in which a request meets it. */
export function createApp(millime: Millime): RequestListener {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('strict routing');
  app.enable('case sensitive routing');
  app.set('query parser', false);

  app.get('/healthz', (_request, response) => {
    sendJson(response, 200, { status: 'ok' });
  });
  app.get('/readyz', async (_request, response) => {
    if (await millime.isReady()) sendJson(response, 200, { status: 'ready' });
    else sendProblem(response, 503, 'not_ready');
  });
  app.all(['/healthz', '/readyz'], methodNotAllowed('GET, HEAD'));

  app.use(
    '/service',
    agentSettlementRoutes({
      settlement: millime.agentSettlement,
      verify: (authorization) => millime.serviceTokens.verify(authorization),
      clock: millime.clock,
      logger: millime.logger,
    }),
  );

  app.use(notFound);
  app.use(errorHandler(millime.logger));
  // Express lets a request whose target has no path go past every handler, to a page of its own.
  return (request, response) => {
    app(request as Request, response as Response, () => sendProblem(response as Response, 404, 'not_found'));
  };
}
