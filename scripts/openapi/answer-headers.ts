import type { ZodOpenApiObject } from 'zod-openapi';
import { hasTag, isKeyed, type Route } from '../../src/api';

type Components = NonNullable<NonNullable<ZodOpenApiObject['components']>['headers']>;
type References = Readonly<Record<string, { readonly $ref: string }>>;

const text = { type: 'string' } as const;
const tag = { type: 'string', pattern: '^"[^"]+"$' } as const;

/** The headers of answers, each once. Those that are required are in every answer that declares them. */
export const ANSWER_HEADERS = {
  'X-Request-Id': {
    description: 'In the log and in the audit records of the request.',
    required: true,
    schema: { type: 'string', pattern: '^[0-9A-Z]{26}$' },
  },
  RateLimit: {
    description: 'What is left of each limit (`r`), and the seconds until it begins anew (`t`).',
    required: true,
    schema: text,
  },
  'RateLimit-Policy': { description: 'The limits (`q`), each in `w` seconds.', required: true, schema: text },
  ETag: { description: 'The version of the thing, for `If-None-Match` and `If-Match`.', required: true, schema: tag },
  ETagOfSome: { description: 'The version of the thing, if the answer has one.', schema: tag },
  'Idempotency-Replayed': {
    description: 'Present if it is the stored answer to an earlier request.',
    schema: { type: 'string', const: 'true' },
  },
  Location: { description: 'The path of the new thing.', schema: { type: 'string', pattern: '^/api/v1/' } },
  'Content-Disposition': { description: 'The name of the file.', schema: text },
  'Retry-After': {
    description: 'Seconds until a repeat may succeed.',
    schema: { type: 'string', pattern: '^[1-9][0-9]*$' },
  },
} as const satisfies Components;

/** Declares headers of an answer by reference. */
function headers(...names: readonly (keyof typeof ANSWER_HEADERS)[]): References {
  return Object.fromEntries(
    names.map((name) => [name === 'ETagOfSome' ? 'ETag' : name, { $ref: `#/components/headers/${name}` }]),
  );
}

/** Returns the headers of a 2xx. */
export function answerHeaders(route: Route, status: number): References {
  const { media, version, isStreamed } = route;
  return {
    ...headers('X-Request-Id', 'RateLimit', 'RateLimit-Policy'),
    ...(version === 'none' ? {} : headers('ETagOfSome')),
    ...(hasTag(route) ? headers(isStreamed ? 'ETagOfSome' : 'ETag') : {}),
    ...(isKeyed(route) ? headers('Idempotency-Replayed') : {}),
    ...(status === 201 || status === 202 ? headers('Location') : {}),
    ...(media.length === 0 ? {} : headers('Content-Disposition')),
  };
}

/** Returns the headers of a 304. */
export function unchangedHeaders(): References {
  return headers('X-Request-Id', 'RateLimit', 'RateLimit-Policy', 'ETag');
}

/** Returns the headers of the problems of a status. A request is counted when its key is known. */
export function problemHeaders(status: number, mayRetry: boolean): References {
  return {
    ...headers('X-Request-Id'),
    ...(status === 401 || status === 414 || status === 503 ? {} : headers('RateLimit', 'RateLimit-Policy')),
    ...(mayRetry ? headers('Retry-After') : {}),
  };
}
