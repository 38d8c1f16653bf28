import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Database } from '../../db';
import { sendBody, streamBody } from '../../http';
import { AppError, fingerprintOf } from '../../kernel';
import { answerOnce } from '../idempotency/answer-once';
import { contentHeaders, encodeAnswer, type EncodedAnswer, isKnownTag, isStreamed } from '../operation/encode-answer';
import type { ApiRooms } from '../operation/rooms';
import type { ContentAnswer, KeyOwner, Route, RouteAnswer } from '../operation/route';
import type { PerformLong } from '../threads/start-thread';
import type { InTurn } from './few-long-operations';
import type { LimitKey } from './key-limits';
import type { LookUp } from './look-ups';
import { parseRequest } from './parse-request';

export interface RequestDeps {
  readonly rooms: ApiRooms;
  readonly database: Database;
  readonly limitKey: LimitKey;
  readonly lookUp: LookUp;
  readonly inTurn: InTurn;
  /** Undefined: long operations run in this thread, as in tests. */
  readonly performLong: PerformLong | undefined;
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
  const limited = route.isLong ? deps.inTurn : <T>(work: () => Promise<T>): Promise<T> => work();
  const handled = { ...input, actor } as Parameters<Route['handle']>[1];
  const params = input.params as Readonly<Record<string, unknown>>;
  const handle = (): ReturnType<Route['handle']> =>
    deps.lookUp(route, actor, params, () => route.handle(deps.rooms, handled));
  // A body that is written piece by piece is a part of the operation.
  if (route.isStreamed) return limited(async () => sendAnswer(exchange, route, await handle()));
  const work = (): Promise<EncodedAnswer> =>
    limited(async () =>
      route.isLong && deps.performLong !== undefined
        ? deps.performLong({ operationId: route.operationId, input: handled })
        : encodeAnswer(route, await handle()),
    );
  if (idempotencyKey === undefined) return sendEncoded(exchange, await work());
  const keyed = {
    ...{ actorName: owner.name, key: idempotencyKey, requestId, effect: route.effect },
    fingerprint: fingerprintOf(...payload),
    ...(digest === undefined ? {} : { wholeFingerprint: async () => fingerprintOf(...payload, await digest()) }),
  };
  const { isReplayed, ...answer } = await answerOnce(deps.database, keyed, work);
  if (isReplayed) response.setHeader('Idempotency-Replayed', 'true');
  return sendEncoded(exchange, answer);
}

function requireScopeOf({ scope }: Route, { name, scopes }: KeyOwner): void {
  if (scope !== undefined && !scopes.has(scope)) throw new AppError('missing_scope', { name, scope });
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
