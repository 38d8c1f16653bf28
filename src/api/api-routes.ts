import { type NextFunction, type Request, type Response, Router } from 'express';
import type { Database } from '../db';
import {
  type IsTrustedProxy,
  type ObserveRequest,
  OTHER_ROUTE,
  refusalStatus,
  requireShortTarget,
  sendBody,
} from '../http';
import type { Identity } from '../identity';
import { type Clock, isAppError, newId } from '../kernel';
import type { Logger } from '../logging';
import { documentRoutes } from './documents/document-routes';
import { type ApiProblemCode, ApiRefusal, faultBody, isTold, type ProblemBody, refusalBody } from './operation/problem';
import type { ApiRooms } from './operation/rooms';
import type { Route } from './operation/route';
import { languageHeaders, textsFor, translateProblem } from './operation/translate-problem';
import { answerRequest, type Exchange } from './requests/answer-request';
import { authenticateRequests } from './requests/authenticate';
import { keyLimits, type KeyLimitSettings } from './requests/key-limits';
import type { LongOperations } from './requests/long-operations';
import { lookUps } from './requests/look-ups';
import { ROUTES } from './routes';

export interface ApiRouteDeps {
  readonly rooms: ApiRooms & { readonly identity: Identity };
  readonly database: Database;
  readonly limits: KeyLimitSettings;
  readonly isTrustedProxy: IsTrustedProxy;
  readonly monotonic: Clock;
  readonly logger: Logger;
  /** Called after each answer; `route` is the template of the path. */
  readonly observe: ObserveRequest | undefined;
  readonly longOperations: LongOperations;
}

/** What the steps of one request share. */
interface Locals {
  requestId: string;
  startedAt: number;
  owner?: Exchange['owner'];
  route?: Route;
}

const localsOf = (response: Response): Locals => response.locals as Locals;

/** Creates the routes of the HTTP API, to be mounted at `/api`. */
export function apiRoutes(deps: ApiRouteDeps): Router {
  const { rooms, database, logger, monotonic, isTrustedProxy, longOperations } = deps;
  const limitKey = keyLimits(deps.limits, monotonic);
  const lookUp = lookUps(rooms.identity);
  const requests = { rooms, database, limitKey, lookUp, longOperations };
  const authenticate = authenticateRequests({ identity: rooms.identity, isTrustedProxy, logger, monotonic });
  const router = Router({ strict: true, caseSensitive: true });
  router.use((request, response, next) => {
    const locals: Locals = { requestId: newId(), startedAt: monotonic.now() };
    Object.assign(response.locals, locals);
    response.setHeader('X-Request-Id', locals.requestId);
    response.once('finish', () => noteAnswer(deps, request, response));
    requireShortTarget(request.originalUrl);
    next();
  });
  router.use(documentRoutes(rooms.calendar));
  router.use(async (request, response, next) => {
    localsOf(response).owner = await authenticate(request, response);
    next();
  });
  for (const [path, routes] of routesByPath()) {
    router.all(`/v1${path.replaceAll(/\{(\w+)\}/g, ':$1')}`, async (request, response) => {
      const route = routes.find(({ method }) => method === methodOf(request));
      if (route === undefined) throw methodNotAllowed(routes);
      const locals = localsOf(response);
      locals.route = route;
      const { requestId, owner } = locals as Required<Locals>;
      const pathParams = request.params as Readonly<Record<string, string>>;
      await answerRequest(requests, route, { request, response, owner, requestId, pathParams });
    });
  }
  router.use(() => {
    throw new ApiRefusal('not_found', 'no operation of the API has this path');
  });
  router.use((error: unknown, request: Request, response: Response, _next: NextFunction) =>
    answerFault(deps, error, request, response),
  );
  return router;
}

/** Returns the routes of each path. A fixed segment precedes a parameter, which would match it too. */
function routesByPath(): readonly (readonly [string, readonly Route[]])[] {
  const byPath = new Map<string, Route[]>();
  for (const route of ROUTES) byPath.set(route.path, [...(byPath.get(route.path) ?? []), route]);
  const rank = (path: string): string => path.replaceAll('{', '\uffff');
  return [...byPath].sort(([a], [b]) => (rank(a) < rank(b) ? -1 : 1));
}

/** HEAD gets the headers of GET; Node sends no body with them. */
function methodOf({ method }: Request): string {
  return method === 'HEAD' ? 'get' : method.toLowerCase();
}

function methodNotAllowed(routes: readonly Route[]): ApiRefusal {
  const methods = routes.map(({ method }) => method.toUpperCase());
  const allow = methods.includes('GET') ? [...methods, 'HEAD'] : methods;
  return new ApiRefusal('method_not_allowed', `expected ${allow.join(' or ')}`, {
    headers: { Allow: allow.join(', ') },
  });
}

const REFUSED_UNREAD: Readonly<Record<number, ApiProblemCode>> = {
  413: 'payload_too_large',
  414: 'uri_too_long',
  415: 'unsupported_media_type',
};

/** Answers a request that failed. Faults of Millime are logged, and their cause is not told. */
function answerFault({ logger, rooms }: ApiRouteDeps, error: unknown, request: Request, response: Response): void {
  const { requestId, route } = localsOf(response);
  const texts = textsFor(request.headers['accept-language'], rooms.calendar.timeZone);
  const send = (problem: ProblemBody, headers?: ApiRefusal['headers']): void =>
    sendApiProblem(response, translateProblem(problem, texts), { ...languageHeaders(texts), ...headers });
  if (response.headersSent) {
    logger.error('response failed after it began', { event: 'api.failed', requestId, error });
    if (!response.writableEnded) request.socket.destroy();
    return;
  }
  const unread = refusalStatus(error);
  if (error instanceof ApiRefusal) return send(refusalBody(error), error.headers);
  if (unread !== undefined) {
    const code = REFUSED_UNREAD[unread] ?? 'bad_input';
    return send(refusalBody(new ApiRefusal(code, 'the request was refused before it was read')));
  }
  if (isTold(error)) return send(faultBody(error));
  const expected = isAppError(error, 'unavailable', 'outcome_unknown', 'interrupted');
  logger[expected ? 'warn' : 'error']('request not answered', {
    event: 'api.failed',
    requestId,
    operation: route?.operationId,
    ...(expected ? { reason: error.code } : { error }),
  });
  const refusal = new ApiRefusal('unavailable', 'the request could not be answered now; try again', {
    retryAfterMs: 5_000,
  });
  return send(refusalBody(refusal), refusal.headers);
}

function sendApiProblem(response: Response, problem: ProblemBody, headers: Readonly<Record<string, string>>): void {
  const content = JSON.stringify({ ...problem, requestId: localsOf(response).requestId });
  const status = Number(problem['status']);
  sendBody(response, status, { type: 'application/problem+json; charset=utf-8', content, headers });
}

function noteAnswer({ logger, monotonic, observe }: ApiRouteDeps, request: Request, response: Response): void {
  const { requestId, startedAt, owner, route } = localsOf(response);
  const ms = monotonic.now() - startedAt;
  const status = response.statusCode;
  observe?.({
    route: route === undefined ? OTHER_ROUTE : `/api/v1${route.path}`,
    method: request.method,
    status,
    seconds: ms / 1_000,
  });
  // Requests without a key must not fill the log; `authenticate` logs the first ones.
  logger[owner === undefined ? 'debug' : 'info']('request answered', {
    event: 'api.answered',
    ...{ requestId, operation: route?.operationId, status, ms, keyName: owner?.name },
  });
}
