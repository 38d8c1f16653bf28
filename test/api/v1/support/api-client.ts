import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { declaredProblems, type Route, ROUTES, statusOfProblem } from '../../../../src/api';
import { OPERATOR, type Scope, SCOPES } from '../../../../src/identity';
import { commandsIn } from '../../../support/command-text';
import type { Api } from '../../support/api';
import type { Answer } from '../../support/http-call';
import { expectDocumented } from './expect-documented';

/** What a call of an operation sends. What is left out is sent as the convention asks for. */
export interface OperationCall {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  /** JSON, or the bytes of a file. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly idempotencyKey?: string;
  readonly ifMatch?: string;
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- each operation has a body of its own
type Body = any;

export interface OperationAnswer {
  readonly status: number;
  readonly headers: Answer['headers'];
  /** The decoded body. */
  readonly body: Body;
}

/** A client of the HTTP API with one key. It holds every answer against its operation and the OpenAPI document. */
export interface ApiClient {
  readonly keyText: string;
  readonly keyId: string;
  /** Calls an operation and returns any answer that it declares. */
  call(operationId: string, call?: OperationCall): Promise<OperationAnswer>;
  /** Calls an operation and returns the body of its 2xx. */
  done(operationId: string, call?: OperationCall): Promise<Body>;
  /** Calls an operation and returns the problem that it answered. */
  problem(operationId: string, call?: OperationCall): Promise<Body>;
}

/** Creates a key with all scopes, or with some, and a client that uses it. */
export async function apiClient(
  api: Api,
  { name = 'salma', scopes = SCOPES }: { readonly name?: string; readonly scopes?: readonly Scope[] } = {},
): Promise<ApiClient> {
  const { key, text = '' } = await api.millime.identity.createKey({ name, scopes, actor: OPERATOR, dryRun: false });
  return clientOf(api, key.id, text);
}

/** Returns a client that uses a key, which need not be active. */
export function clientOf(api: Api, keyId: string, keyText: string): ApiClient {
  const call = (operationId: string, request: OperationCall = {}): Promise<OperationAnswer> =>
    callOperation(api, keyText, operationId, request);
  return {
    keyText,
    keyId,
    call,
    async done(operationId, request) {
      const answer = await call(operationId, request);
      if (answer.status >= 300) throw new Error(`${operationId}: ${answer.status} ${JSON.stringify(answer.body)}`);
      return answer.body;
    },
    async problem(operationId, request) {
      const { status, body } = await call(operationId, request);
      if (status < 400) throw new Error(`${operationId}: expected a problem, got ${status} ${JSON.stringify(body)}`);
      return body;
    },
  };
}

export function operationOf(operationId: string): Route {
  const route = ROUTES.find((each) => each.operationId === operationId);
  if (route === undefined) throw new Error(`no operation is called ${operationId}`);
  return route;
}

async function callOperation(
  api: Api,
  keyText: string,
  operationId: string,
  request: OperationCall,
): Promise<OperationAnswer> {
  const route = operationOf(operationId);
  const answer = await api.call(wireCall(route, keyText, request));
  expectDeclared(route, answer);
  return { status: answer.status, headers: answer.headers, body: decoded(answer) };
}

function decoded({ text, headers }: Answer): unknown {
  return /json/.test(headers['content-type'] ?? '') ? JSON.parse(text) : text;
}

/** Returns a request as it travels. */
export function wireCall(
  { method, path, body: schema, fileType, effect }: Route,
  keyText: string,
  { params = {}, query = {}, body, headers = {}, idempotencyKey, ifMatch }: OperationCall,
): { method: string; path: string; headers: Record<string, string>; body?: string | Uint8Array } {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(params[name] ?? ''));
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  const isDry = String(query['dryRun']) === 'true';
  const isKeyed = method === 'post' && effect !== 'reads' && !isDry;
  const content = body === undefined ? undefined : body instanceof Uint8Array ? body : JSON.stringify(body);
  return {
    method: method.toUpperCase(),
    path: `/api/v1${filled}${pairs.length === 0 ? '' : `?${pairs.join('&')}`}`,
    headers: {
      Authorization: `Bearer ${keyText}`,
      ...(content === undefined
        ? {}
        : { 'Content-Type': schema === 'file' || schema === 'upload' ? fileType : 'application/json' }),
      ...(isKeyed ? { 'Idempotency-Key': idempotencyKey ?? randomUUID() } : {}),
      ...(ifMatch === undefined ? {} : { 'If-Match': ifMatch }),
      ...headers,
    },
    ...(content === undefined ? {} : { body: content }),
  };
}

/**
 * Fails unless an operation declares an answer, and the answer has the declared form and no text with a command.
 */
export function expectDeclared(route: Route, answer: Answer): void {
  const { status, headers } = answer;
  expectDocumented(route, answer);
  const requestId = String(headers['x-request-id']);
  expect(requestId).toMatch(/^[0-9A-Z]{26}$/);
  if (status === 304) return;
  const body = decoded(answer) as Record<string, unknown>;
  if (typeof body === 'object') expect([route.operationId, commandsIn(body)]).toEqual([route.operationId, []]);
  if (status < 400) {
    const [media = ''] = String(headers['content-type']).split(';');
    if (route.media.some((type) => type === media)) return;
    const schema = route.answers[status];
    if (schema === undefined) throw new Error(`${route.operationId} does not declare ${status}: ${answer.text}`);
    const parsed = schema.safeParse(body);
    if (!parsed.success) throw new Error(`${route.operationId} ${status}: ${parsed.error.message}\n${answer.text}`);
    return;
  }
  expect(headers['content-type']).toBe('application/problem+json; charset=utf-8');
  const code = body['code'] as ReturnType<typeof declaredProblems>[number];
  if (code !== 'unavailable') {
    expect([route.operationId, declaredProblems(route)]).toContainEqual(expect.arrayContaining([code]));
  }
  expect(body).toMatchObject({ status, requestId, type: `/api/problems/${code}` });
  expect(status).toBe(statusOfProblem(code));
}
