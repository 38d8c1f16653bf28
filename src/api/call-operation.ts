import type { ServerResponse } from 'node:http';
import type { z } from 'zod';
import { assert, sha256Hex } from '../kernel';
import type { EncodedAnswer } from './operation/encode-answer';
import type { Caller, Route, UploadBody } from './operation/route';
import { sendEncoded, streamAnswer } from './requests/answer-request';
import { inputRefusal } from './requests/input-faults';
import { lookUps } from './requests/look-ups';
import { type Handled, type OperationDeps, performOperation, requireScopeOf } from './requests/perform-operation';
import { ROUTES } from './routes';

type Declared = (typeof ROUTES)[number];

type TypesOf = { readonly [Each in Declared as Each['operationId']]: NonNullable<Each['types']> };

export type OperationId = keyof TypesOf;

/** What an operation takes, before its schemas validate it. */
export interface Asked<Id extends OperationId> {
  readonly params?: TypesOf[Id]['params'];
  readonly query?: { readonly [Name in keyof TypesOf[Id]['query']]?: TypesOf[Id]['query'][Name] | undefined };
  readonly body?: TypesOf[Id]['body'];
  readonly dryRun?: boolean;
  readonly ifVersion?: number | undefined;
  /** Required of an operation that writes, unless `dryRun`. */
  readonly idempotencyKey?: string | undefined;
}

/** What an operation takes that writes its body piece by piece. */
export interface AskedBody {
  readonly params?: Readonly<Record<string, string>> | undefined;
  readonly query?: Readonly<Record<string, string>> | undefined;
}

/** What an operation answers: JSON with its status, or a text with its media type. */
export type Answered<Id extends OperationId> = TypesOf[Id]['answer'];

/** The JSON that an operation answers with the status 200 or 201. */
export type Json<Id extends OperationId> = Extract<Answered<Id>, { readonly body: unknown }>['body'];

/** The person who asks, in a request with a ULID. */
export interface Asking {
  readonly actor: Caller & { readonly requestId: string };
  /** Aborts if the client leaves before its answer. */
  readonly left: AbortSignal;
}

/** The operations of the API, called in this process with the rights of a person. */
export interface Operations {
  /**
   * Performs an operation as the API does: scope, schemas, limits of look-ups, idempotency, threads.
   *
   * @throws AppError and ApiRefusal, as the API answers them.
   */
  call<Id extends OperationId>(asking: Asking, id: Id, asked: Asked<Id>): Promise<Answered<Id>>;
  /** Sends the body of an operation that writes it piece by piece. */
  stream(asking: Asking, id: OperationId, asked: AskedBody, to: ServerResponse): Promise<void>;
}

/** Creates the calls of operations in this process. */
export function operations(given: Omit<OperationDeps, 'lookUp'>): Operations {
  const deps = { ...given, lookUp: lookUps(given.rooms.identity) };
  return {
    async call(asking, id, asked) {
      const route = routeOf(id);
      requireScopeOf(route, asking.actor);
      const { dryRun = false, ifVersion, idempotencyKey } = asked;
      const params = parsed('path', route.params, asked.params ?? {});
      const query = parsed('query', route.query, asked.query ?? {});
      const { body, content, digest } = bodyOf(route, asked.body);
      const encoded = await performOperation(deps, {
        ...{ route, ...asking, digest, idempotencyKey: dryRun ? undefined : idempotencyKey },
        input: { params, query, body, dryRun, ifVersion } as unknown as Handled,
        payload: [route.method, route.path, params, query, ifVersion ?? null, content],
      });
      return decoded(encoded) as Answered<typeof id>;
    },
    async stream(asking, id, given, response) {
      const route = routeOf(id);
      requireScopeOf(route, asking.actor);
      const params = parsed('path', route.params, given.params ?? {});
      const query = parsed('query', route.query, given.query ?? {});
      const input = { params, query, body: undefined, dryRun: false, ifVersion: undefined };
      const handled = input as unknown as Handled;
      if (route.isStreamed || !route.isLong) return streamAnswer(deps, { route, ...asking, response }, handled);
      const asked = { route, ...asking, digest: undefined, idempotencyKey: undefined, input: handled, payload: [] };
      sendEncoded(response.req, response, await performOperation(deps, asked));
    },
  };
}

const BY_ID = new Map<string, Route>(ROUTES.map((route) => [route.operationId, route]));

function routeOf(id: string): Route {
  const route = BY_ID.get(id);
  assert(route !== undefined, 'the API has the operation');
  return route;
}

function parsed(part: 'body' | 'path' | 'query', schema: z.ZodType, value: unknown): unknown {
  const result = schema.safeParse(value);
  if (!result.success) throw inputRefusal(part, result.error.issues);
  return result.data;
}

/** Returns the validated body, what of it tells one request from another, and the digest of an upload. */
function bodyOf({ body: kind }: Route, given: unknown) {
  if (kind === 'upload') return { body: given, content: null, digest: (given as UploadBody).digest };
  if (kind === 'file') return { body: given, content: sha256Hex(given as Buffer), digest: undefined };
  const body = kind === undefined ? undefined : parsed('body', kind, given);
  return { body, content: body ?? null, digest: undefined };
}

function decoded({ status, headers, body }: EncodedAnswer): unknown {
  const { 'Content-Type': type } = headers;
  return type === undefined ? { status, body: JSON.parse(body) as unknown } : { media: type, content: body };
}
