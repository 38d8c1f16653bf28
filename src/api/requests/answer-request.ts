import type { IncomingMessage, ServerResponse } from 'node:http';
import { clientLeft, sendBody, streamBody } from '../../http';
import { contentHeaders, encodeAnswer, type EncodedAnswer, isKnownTag, isStreamed } from '../operation/encode-answer';
import type { Caller, Route } from '../operation/route';
import type { LimitKey } from './key-limits';
import { parseRequest } from './parse-request';
import { type Handled, type OperationDeps, performOperation, requireScopeOf } from './perform-operation';

export interface RequestDeps extends OperationDeps {
  readonly limitKey: LimitKey;
}

/** A request of the owner of a key, with the ULID that its audit records and its answer name. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly owner: Extract<Caller, { kind: 'api_key' }>;
  readonly requestId: string;
  readonly pathParams: Readonly<Record<string, string>>;
}

/** Answers a request of a route: limits, scope, input, then the use case, once for each `Idempotency-Key`. */
export async function answerRequest(deps: RequestDeps, route: Route, exchange: Exchange): Promise<void> {
  const { request, response, owner, requestId } = exchange;
  deps.limitKey(owner.keyId, route.effect !== 'reads', response);
  requireScopeOf(route, owner);
  const { payload, digest, idempotencyKey, ...input } = await parseRequest(route, request, response, exchange);
  const actor = { ...owner, requestId };
  const left = clientLeft(request, response);
  if (route.isStreamed) return streamAnswer(deps, { route, actor, response, left }, input as Handled);
  const asked = { route, actor, input: input as Handled, idempotencyKey, payload, digest, left };
  const { isReplayed, ...answer } = await performOperation(deps, asked);
  if (isReplayed) response.setHeader('Idempotency-Replayed', 'true');
  sendEncoded(request, response, answer);
}

/** Who gets the body that an operation writes piece by piece. */
export interface Streaming {
  readonly route: Route;
  readonly actor: Caller & { readonly requestId: string };
  readonly response: ServerResponse;
  readonly left: AbortSignal;
}

/** Answers an operation that writes its body piece by piece. The body is a part of the operation. */
export function streamAnswer(
  { rooms, longOperations }: OperationDeps,
  { route, actor, response, left }: Streaming,
  input: Omit<Handled, 'actor'>,
): Promise<void> {
  return longOperations.inTurn({ owner: actor.name, left }, async () => {
    const answer = await route.handle(rooms, { ...input, actor });
    if (!isStreamed(answer)) return sendEncoded(response.req, response, encodeAnswer(route, answer));
    const { 'Content-Type': type = '', ...headers } = contentHeaders(answer);
    await streamBody(response, { type, headers, produce: answer.content });
  });
}

/** Sends an answer that is complete; 304 to a client that has it. */
export function sendEncoded(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: EncodedAnswer,
): void {
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
