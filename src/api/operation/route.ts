import { z } from 'zod';
import type { StreamedBody } from '../../http';
import type { Actor, Scope } from '../../identity';
import { assert } from '../../kernel';
import { flagParameter } from '../../shapes/values';
import type { ApiProblemCode } from './problem';
import type { ApiRooms } from './rooms';

/** The person or program that asks: the owner of a key, or a user. */
export type Caller = Extract<Actor, { readonly scopes: ReadonlySet<Scope> }>;

export type Method = 'get' | 'post' | 'put' | 'delete';

/** The groups of the documentation, in its order. */
export const TAGS = [
  'Agents and dues',
  'Payments',
  'Bank',
  'Reconciliation',
  'Breaks',
  'Days, reports, ledger',
  'Webhooks',
  'Administration',
] as const;

export type Fields = Readonly<Record<string, z.ZodType>>;
export type Values<F extends Fields> = { readonly [Name in keyof F]: z.output<F[Name]> };
/** The values of fields before their schemas validate them. */
export type GivenValues<F extends Fields> = string extends keyof F
  ? object
  : { readonly [Name in keyof F]: z.input<F[Name]> };
type Answers = Readonly<Record<number, z.ZodType>>;

/** The body of a request: JSON that a schema validates, the bytes of a file, or its pieces as they arrive. */
type BodyOf<B> = B extends z.ZodType
  ? z.output<B>
  : B extends 'file'
    ? Buffer
    : B extends 'upload'
      ? UploadBody
      : undefined;

/** The body of a request before its schema validates it. */
type GivenBodyOf<B> = B extends z.ZodType ? z.input<B> : BodyOf<B>;

/** The body of an upload, which is not collected. */
export interface UploadBody {
  readonly pieces: AsyncIterable<Buffer>;
  /** No more bytes arrive. */
  readonly bytesMax: number;
  /** Reads what is left, and returns the SHA-256 of all bytes. */
  readonly digest: () => Promise<string>;
}

type BodyKind = z.ZodType | 'file' | 'upload' | undefined;

/** What a handler gets. Everything is parsed. */
export interface RouteInput<Params, Query, Body> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly actor: Caller;
  /** Only checks the input; false where the route does not offer it. */
  readonly dryRun: boolean;
  /** The version that the client expects; undefined without `If-Match`. */
  readonly ifVersion: number | undefined;
}

/** An answer of a status with the body that its schema describes. */
type AnswerOf<A extends Answers> = {
  [Status in keyof A]: {
    readonly status: Status;
    readonly body: z.input<A[Status]>;
    /** The version of the thing, for its ETag. */
    readonly version?: number;
    /** The path of the thing that was created, below `/api/v1`. */
    readonly location?: string;
  };
}[keyof A];

/** The media types of answers that are not JSON. */
export type MediaType = 'text/csv' | 'text/html' | 'text/plain' | 'application/octet-stream';

/** An answer of the status 200 that is not JSON: a text, or a body that a function writes piece by piece. */
export type ContentAnswer = ContentOf<string> | ContentOf<StreamedBody['produce']>;

interface ContentOf<Content> {
  /** JSON only of a body that is written piece by piece. */
  readonly media: MediaType | 'application/json';
  readonly content: Content;
  /** The name under which a browser stores it. */
  readonly fileName?: string;
}

/**
 * What happens when the answer to a write was lost and its `Idempotency-Key` repeats:
 *
 * - `repeatable`: the use case runs again, because a repeat of it changes nothing more.
 * - `once`: the audit trail tells whether the first request had an effect; only without one the use case runs.
 * - `secret`: as `once`, and the answer is not stored, because it contains a secret.
 * - `reads`: it stores nothing, so it takes no key.
 */
export type Effect = 'repeatable' | 'once' | 'secret' | 'reads';

interface RouteSpec<P extends Fields, Q extends Fields, B extends BodyKind, A extends Answers, Id extends string> {
  readonly method: Method;
  /** Below `/api/v1`, with parameters in braces. */
  readonly path: string;
  readonly operationId: Id;
  /** An imperative of at most 70 characters. */
  readonly summary: string;
  readonly description?: string;
  readonly tag: (typeof TAGS)[number];
  /** Undefined: any valid key. */
  readonly scope: Scope | undefined;
  readonly params?: P;
  readonly query?: Q;
  /** `file` and `upload`: the bytes of a file, of the media type `fileType`; those of an upload are not collected. */
  readonly body?: B;
  readonly fileType?: string;
  readonly bodyBytesMax?: number;
  readonly answers: A;
  /** What the status 200 may answer beside JSON. */
  readonly media?: readonly MediaType[];
  /** Business problems, beside those that the conventions declare. */
  readonly problems?: readonly ApiProblemCode[];
  /** Required unless the method is GET. */
  readonly effect?: Effect;
  readonly dryRun?: boolean;
  /** Whether `If-Match` may or must state the version. */
  readonly version?: 'optional' | 'required';
  /** Whether it may take minutes. It runs in a thread, few at a time; if too many wait, others get `busy`. */
  readonly isLong?: boolean;
  /** Whether it writes its body piece by piece, which only the main thread can do. */
  readonly isStreamed?: boolean;
  readonly handle: (
    rooms: ApiRooms,
    input: RouteInput<Values<P>, Values<Q>, BodyOf<B>>,
  ) => Promise<AnswerOf<A> | ContentAnswer>;
}

export interface RouteAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly version?: number;
  readonly location?: string;
}

/** One operation of the API: what it takes, what it answers, and the function that it calls. */
export interface Route {
  readonly method: Method;
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string | undefined;
  readonly tag: (typeof TAGS)[number];
  readonly scope: Scope | undefined;
  readonly params: z.ZodObject;
  readonly query: z.ZodObject;
  readonly body: BodyKind;
  readonly fileType: string;
  readonly bodyBytesMax: number;
  readonly answers: Answers;
  readonly media: readonly MediaType[];
  readonly problems: readonly ApiProblemCode[];
  readonly effect: Effect;
  readonly dryRun: boolean;
  readonly version: 'none' | 'optional' | 'required';
  /** Whether it answers one page of a list. */
  readonly isList: boolean;
  readonly isLong: boolean;
  readonly isStreamed: boolean;
  readonly handle: (rooms: ApiRooms, input: RouteInput<never, never, never>) => Promise<RouteAnswer | ContentAnswer>;
}

/** An operation, with the types that its declaration gives it. `types` exists for the compiler alone. */
export interface TypedRoute<Id extends string, Params, Query, Body, Answered> extends Route {
  readonly operationId: Id;
  readonly types?: {
    readonly params: Params;
    readonly query: Query;
    readonly body: Body;
    readonly answer: Answered;
  };
}

/** Returns whether an operation takes an `Idempotency-Key`. A dry run of it takes none. */
export function isKeyed({ method, effect }: Pick<Route, 'method' | 'effect'>): boolean {
  return method === 'post' && effect !== 'reads';
}

/** Returns whether an operation answers one thing, whose ETag a client may send to learn that nothing changed. */
export function hasTag({ method, isList }: Pick<Route, 'method' | 'isList'>): boolean {
  return method === 'get' && !isList;
}

const JSON_BYTES_MAX = 64 * 1024;
const FILE_BYTES_MAX = 64 * 1024 * 1024;

/** Declares an operation. */
export function route<
  P extends Fields = Readonly<Record<string, never>>,
  Q extends Fields = Readonly<Record<string, never>>,
  B extends BodyKind = undefined,
  A extends Answers = Answers,
  Id extends string = string,
>(
  spec: RouteSpec<P, Q, B, A, Id>,
): TypedRoute<Id, GivenValues<P>, GivenValues<Q>, GivenBodyOf<B>, AnswerOf<A> | ContentAnswer> {
  const { params = {}, query = {}, effect, dryRun = false } = spec;
  const named = [...spec.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  assert(named.join() === Object.keys(params).join(), `the path of ${spec.operationId} names its parameters`);
  assert(spec.method === 'get' || effect !== undefined, `${spec.operationId} states its effect`);
  return {
    ...spec,
    description: spec.description,
    params: z.strictObject(params),
    query: z.strictObject({ ...query, ...(dryRun ? { dryRun: flagParameter.optional() } : {}) }),
    body: spec.body,
    fileType: spec.fileType ?? 'text/csv',
    bodyBytesMax:
      spec.bodyBytesMax ?? (spec.body === 'file' || spec.body === 'upload' ? FILE_BYTES_MAX : JSON_BYTES_MAX),
    media: spec.media ?? [],
    problems: spec.problems ?? [],
    effect: effect ?? 'reads',
    dryRun,
    version: spec.version ?? 'none',
    isList: false,
    isLong: spec.isLong ?? false,
    isStreamed: spec.isStreamed ?? false,
    handle: spec.handle as unknown as Route['handle'],
  };
}

/** Returns an answer with the status 200. */
export function ok<Body, More extends { version?: number }>(
  body: Body,
  more?: More,
): { readonly status: 200; readonly body: Body } & More {
  return { status: 200, body, ...(more as More) };
}

/** Returns an answer with the status 201, and where the new thing is if it can be read again. */
export function created<Body>(
  body: Body,
  location?: string,
): { readonly status: 201; readonly body: Body; readonly location?: string } {
  return { status: 201, body, ...(location === undefined ? {} : { location }) };
}
