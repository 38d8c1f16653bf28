import { setMaxListeners } from 'node:events';
import type { Express, Request, RequestHandler, Response } from 'express';
import { rawBody, sendProblem } from '../../http';
import { AppError, type AppErrorCode, isAppError, parseStrictJson } from '../../kernel';
import type { Simulator } from '../core/simulator';
import { mountCheckoutPage } from './checkout-page-routes';
import { type ControlAnswer, type ControlRequest, type ControlRoute, json, jsonText } from './control-route';
import { CONTROL_PREFIX, CONTROL_ROUTES, describeRoute } from './control-table';
import { isOwnPage } from './own-host';
import { mountStatePage } from './state-page-routes';

const BODY_BYTES_MAX = 1024 * 1024;
/** A saved world contains its whole history. */
const SNAPSHOT_BYTES_MAX = 256 * 1024 * 1024;
const DEPTH_MAX = 32;

/** The errors that the caller can correct; every other error is a fault of the simulator. */
const STATUS: Partial<Readonly<Record<AppErrorCode, number>>> = { bad_input: 400, not_found: 404, conflict: 409 };

/** Mounts the control API (`/_simulator/...`), its page, and the page on which customers pay. */
export function mountControl(app: Express, simulator: Simulator): void {
  app.use(refuseOtherPages);
  app.get(CONTROL_PREFIX, (_request, response) => {
    sendAnswer(response, json({ routes: CONTROL_ROUTES.map(describeRoute), page: `${CONTROL_PREFIX}/page` }));
  });
  for (const route of CONTROL_ROUTES) mountRoute(app, simulator, route);
  mountStatePage(app, simulator);
  mountCheckoutPage(app, simulator);
  app.use(CONTROL_PREFIX, (_request, response) => {
    sendAnswer(response, json({ error: 'not_found', details: [`GET ${CONTROL_PREFIX} lists the calls`] }), 404);
  });
}

/**
 * Refuses requests from other sites' pages in the same browser: they must not control the simulator or make it call a
 * server.
 */
const refuseOtherPages: RequestHandler = (request, response, next) => {
  if (isOwnPage(request.method, request.headers)) next();
  else sendProblem(response, 403, 'forbidden');
};

function mountRoute(app: Express, simulator: Simulator, route: ControlRoute): void {
  const path = `${CONTROL_PREFIX}${route.path}`;
  const handler: RequestHandler = async (request, response) => {
    try {
      await simulator.catchUpForCall();
      const answer = await route.answer(simulator, controlRequestOf(request, signalOf(response)));
      if (route.method !== 'GET') await simulator.catchUpAfterChange();
      sendAnswer(response, answer);
    } catch (error) {
      const status = isAppError(error) ? STATUS[error.code] : undefined;
      if (!isAppError(error) || status === undefined) throw error;
      sendAnswer(response, json({ error: error.code, details: [error.message, ...error.details] }), status);
    }
  };
  const readBody = rawBody(route.path === '/snapshot' ? SNAPSHOT_BYTES_MAX : BODY_BYTES_MAX);
  switch (route.method) {
    case 'GET':
      return void app.get(path, handler);
    case 'POST':
      return void app.post(path, readBody, handler);
    case 'PATCH':
      return void app.patch(path, readBody, handler);
    case 'DELETE':
      return void app.delete(path, handler);
  }
}

/** Reads JSON whatever the content type, because people type these calls. */
function controlRequestOf(request: Request, signal: AbortSignal): ControlRequest {
  const bytes: unknown = request.body;
  const text = Buffer.isBuffer(bytes) ? bytes.toString('utf8') : '';
  const parsed = text.trim() === '' ? undefined : parseStrictJson(text, { depthMax: DEPTH_MAX });
  if (parsed?.ok === false) {
    throw new AppError('bad_input', { field: 'body', fault: `cannot be read as JSON (${parsed.fault})` });
  }
  return {
    params: request.params as Readonly<Record<string, string>>,
    query: new URL(request.originalUrl, 'http://simulator').searchParams,
    body: parsed?.value,
    signal,
  };
}

/**
 * Returns a signal that aborts when the connection closes. A stopping simulator closes its connections, which stops
 * their work too.
 */
function signalOf(response: Response): AbortSignal {
  const left = new AbortController();
  // Each running call of a drive adds a listener.
  setMaxListeners(0, left.signal);
  if (response.destroyed) left.abort();
  else response.once('close', () => left.abort());
  return left.signal;
}

function sendAnswer(response: Response, answer: ControlAnswer, status = 200): void {
  if (answer.kind === 'json') return sendAnswer(response, jsonText(`${JSON.stringify(answer.body)}\n`), status);
  response.statusCode = status;
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Content-Type', answer.contentType);
  response.end(answer.bytes);
}
