import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Database } from '../../db';
import { clientLeft, sendBody, streamBody } from '../../http';
import { AppError, fingerprintOf } from '../../kernel';
import { answerOnce } from '../idempotency/answer-once';
import { contentHeaders, encodeAnswer, type EncodedAnswer, isKnownTag, isStreamed } from '../operation/encode-answer';
import type { ApiRooms } from '../operation/rooms';
import type { ContentAnswer, KeyOwner, Route, RouteAnswer } from '../operation/route';
import type { LimitKey } from './key-limits';
import type { LongOperations } from './long-operations';
import type { LookUp } from './look-ups';
import { parseRequest } from './parse-request';

export interface RequestDeps {
  readonly rooms: ApiRooms;
  readonly database: Database;
  readonly limitKey: LimitKey;
  readonly lookUp: LookUp;
  readonly longOperations: LongOperations;
}

/** A request of an owner of a key, with the ULID that its audit records and its answer name. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly owner: KeyOwner;
  readonly requestId: string;
  readonly pathParams: Readonly<Record<string, string>>;
}

/** Answers a request of a route: limits, scope, input, then the use case, once for each `Idempotency-Key`. */
export async function answerRequest(deps: RequestDeps, route: Route, exchange: Exchange): Promise<void> {
  const { request, response, owner, requestId, pathParams } = exchange;
  deps.limitKey(owner.keyId, route.effect !== 'reads', response);
  requireScopeOf(route, owner);
  const { payload, digest, idempotencyKey, ...input } = await parseRequest(route, request, response, pathParams);
  const actor = { ...owner, requestId };
  const handled = { ...input, actor } as Parameters<Route['handle']>[1];
  if (route.isStreamed) return streamAnswer(deps, route, exchange, handled);
  const params = input.params as Readonly<Record<string, unknown>>;
  const work = route.isLong
    ? longWork(deps, route, exchange, handled)
    : async () => encodeAnswer(route, await deps.lookUp(route, actor, params, () => route.handle(deps.rooms, handled)));
  const ended = <T>(answer: Promise<T>): Promise<T> => (route.isLong ? deps.longOperations.untilEnd(answer) : answer);
  if (idempotencyKey === undefined) return sendEncoded(exchange, await ended(work()));
  const keyed = {
    ...{ actorName: owner.name, key: idempotencyKey, requestId, effect: route.effect },
    fingerprint: fingerprintOf(...payload),
    ...(digest === undefined ? {} : { wholeFingerprint: async () => fingerprintOf(...payload, await digest()) }),
  };
  const { isReplayed, ...answer } = await ended(answerOnce(deps.database, keyed, work));
  if (isReplayed) response.setHeader('Idempotency-Replayed', 'true');
  return sendEncoded(exchange, answer);
}

function requireScopeOf({ scope }: Route, { name, scopes }: KeyOwner): void {
  if (scope !== undefined && !scopes.has(scope)) throw new AppError('missing_scope', { name, scope });
}

type Handled = Parameters<Route['handle']>[1];

/** Returns the work of a long operation. It ends without its client only if it stores nothing. */
function longWork(
  { rooms, longOperations }: RequestDeps,
  route: Route,
  { request, response, owner }: Exchange,
  input: Handled,
): () => Promise<EncodedAnswer> {
  const { perform } = longOperations;
  const { effect, operationId } = route;
  const left = clientLeft(request, response);
  return () =>
    longOperations.inTurn({ owner: owner.name, left }, async () =>
      perform === undefined
        ? encodeAnswer(route, await route.handle(rooms, input))
        : perform({ operationId, input }, effect === 'reads' || input.dryRun ? left : undefined),
    );
}

/** Answers an operation that writes its body piece by piece. The body is a part of the operation. */
function streamAnswer(
  { rooms, longOperations }: RequestDeps,
  route: Route,
  exchange: Exchange,
  input: Handled,
): Promise<void> {
  const { request, response, owner } = exchange;
  const left = clientLeft(request, response);
  return longOperations.inTurn({ owner: owner.name, left }, async () =>
    sendAnswer(exchange, route, await route.handle(rooms, input)),
  );
}

async function sendAnswer(exchange: Exchange, route: Route, answer: RouteAnswer | ContentAnswer): Promise<void> {
  if (!isStreamed(answer)) return sendEncoded(exchange, encodeAnswer(route, answer));
  const { 'Content-Type': type = '', ...headers } = contentHeaders(answer);
  await streamBody(exchange.response, { type, headers, produce: answer.content });
}

function sendEncoded({ request, response }: Exchange, { status, headers, body }: EncodedAnswer): void {
  const { ETag: tag } = headers;
  const known = request.headersDistinct['if-none-match']?.join(', ');
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (isRead && tag !== undefined && isKnownTag(tag, known)) {
    response.writeHead(304, { ETag: tag, 'Cache-Control': 'no-store' });
    response.end();
    return;
  }
  sendBody(response, status, { type: 'application/json; charset=utf-8', content: body, headers });
}
