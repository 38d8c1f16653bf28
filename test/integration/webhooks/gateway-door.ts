import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Request, Response } from 'express';
import { errorHandler, notFound, strictApp } from '../../../src/http';
import { silentLogger } from '../../../src/logging';
import { type WebhookRouteDeps, webhookRoutes } from '../../../src/webhooks';

/** Our address as the gateway sees it, before anybody is behind it. */
export interface GatewayDoor {
  readonly publicUrl: string;
  /** Every status that was answered, in order. */
  readonly answered: number[];
  open(webhooks: WebhookRouteDeps['webhooks']): void;
  close(): Promise<void>;
}

/**
 * Serves the routes of the webhooks on a free port. The address is known first: a gateway is told it when it is asked.
 */
export async function aGatewayDoor(): Promise<GatewayDoor> {
  let app: ReturnType<typeof strictApp> | undefined;
  const answered: number[] = [];
  const server = createServer((request, response) => {
    response.on('finish', () => answered.push(response.statusCode));
    if (app === undefined) return void response.writeHead(503).end();
    app(request as Request, response as Response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    publicUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answered,
    open(webhooks) {
      app = strictApp();
      app.use('/webhooks', webhookRoutes({ webhooks }));
      app.use(notFound);
      app.use(errorHandler(silentLogger));
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
