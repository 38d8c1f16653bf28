import type { Express, Request, RequestHandler } from 'express';
import { errorHandler, notFound, rawBody, sendProblem, strictApp } from '../http';
import { parseStrictJson } from '../kernel';
import type { Logger } from '../logging';
import { refuseBanned } from './checkout/verify-limit';
import { mountControl } from './control/control-routes';
import { isOwnHost } from './control/own-host';
import { refuseUnauthorized } from './core/authorize';
import type { SimAnswer, SimOperation, SimRequest } from './core/operation';
import type { Simulator } from './core/simulator';
import { deliverAnswer } from './faults/deliver-answer';
import { takeFault } from './faults/take-fault';
import { earlyWebhookWaits } from './webhooks/emit-webhook';

/** No request of the interface is larger. */
const REQUEST_BYTES_MAX = 256 * 1024;
const JSON_DEPTH_MAX = 32;

/** Serves the simulator over HTTP: the gateway's operations, the checkout page and the control API. */
export function createSimulatorApp(simulator: Simulator, logger: Logger, ownName = 'localhost'): Express {
  const app = strictApp();
  app.use(refuseOtherNames(ownName));
  mountControl(app, simulator);
  mountOperations(app, simulator);
  app.use(notFound);
  app.use(errorHandler(logger));
  return app;
}

/** Refuses a request whose Host is a foreign name, as in a DNS rebinding attack. */
function refuseOtherNames(ownName: string): RequestHandler {
  return (request, response, next) => {
    if (isOwnHost(request.headers.host, ownName)) next();
    else sendProblem(response, 421, 'misdirected_request');
  };
}

/**
 * Mounts the operations. Each call waits until the time has caught up with the clock, and is then answered immediately.
 */
function mountOperations(app: Express, simulator: Simulator): void {
  for (const operation of simulator.operations) {
    const handler = answerOver(simulator, operation);
    if (operation.method === 'GET') app.get(operation.path, handler);
    else app.post(operation.path, rawBody(REQUEST_BYTES_MAX), handler);
  }
}

function answerOver(simulator: Simulator, operation: SimOperation): RequestHandler {
  return async (request, response) => {
    const { simulation } = simulator;
    await simulator.catchUpForCall();
    const call = callOf(request);
    const fault = takeFault(simulation, operation, call);
    await deliverAnswer(response, fault, async (): Promise<SimAnswer> => {
      const refused = refuseBanned(simulation) ?? refuseUnauthorized(operation, call, simulation.settings);
      const answer = refused ?? simulator.answer(operation, call);
      simulation.record('call', { operation: operation.name, status: answer.status });
      // With these faults the integrator receives a webhook before the answer that names the payment.
      if (fault?.kind === 'webhook_first' || earlyWebhookWaits(simulation)) await simulator.catchUpAfterChange();
      return answer;
    });
  };
}

function callOf(request: Request): SimRequest {
  const bytes: unknown = request.body;
  const json = Buffer.isBuffer(bytes)
    ? parseStrictJson(bytes.toString('utf8'), { depthMax: JSON_DEPTH_MAX })
    : undefined;
  return {
    method: request.method,
    params: request.params as Readonly<Record<string, string>>,
    query: new URL(request.originalUrl, 'http://simulator').searchParams,
    headers: request.headers,
    body: json?.ok === true ? json.value : undefined,
  };
}
