import type { RequestListener } from 'node:http';
import type { Request, Response } from 'express';
import { agentSettlementRoutes } from './agent-settlement';
import type { Millime } from './compose';
import { errorHandler, methodNotAllowed, notFound, sendJson, sendProblem, strictApp } from './http';
import { monotonicClock } from './kernel';
import { webhookRoutes } from './webhooks';

/** Creates the HTTP application. Handlers run in the order of their registration. */
export function createApp(millime: Millime): RequestListener {
  const app = strictApp();
  // A list, never `true`: with `true`, any sender could forge X-Forwarded-For.
  app.set('trust proxy', [...millime.config.trustedProxies]);

  app.get('/healthz', (_request, response) => {
    sendJson(response, 200, { status: 'ok' });
  });
  app.get('/readyz', async (_request, response) => {
    const readiness = await millime.readiness();
    if (readiness === 'ready') sendJson(response, 200, { status: 'ready' });
    else sendProblem(response, 503, readiness);
  });
  app.all(['/healthz', '/readyz'], methodNotAllowed('GET, HEAD'));

  app.use(
    '/service',
    agentSettlementRoutes({
      settlement: millime.agentSettlement,
      verify: (authorization, options) => millime.serviceTokens.verify(authorization, options),
      clock: millime.clock,
      monotonic: monotonicClock,
      logger: millime.logger,
    }),
  );

  // Without a key Millime can verify no webhook, so the path does not exist.
  if (millime.config.webhooks !== undefined) app.use('/webhooks', webhookRoutes({ webhooks: millime.webhooks }));

  app.use(notFound);
  app.use(errorHandler(millime.logger));
  // If the request target has no path, Express skips every handler and answers with its own error page.
  return (request, response) => {
    app(request as Request, response as Response, () => sendProblem(response, 404, 'not_found'));
  };
}
