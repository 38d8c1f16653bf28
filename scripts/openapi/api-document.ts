import { z } from 'zod';
import {
  createDocument,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiResponseObject,
} from 'zod-openapi';
import {
  type ApiProblemCode,
  declaredProblems,
  hasTag,
  isKeyed,
  type Route,
  ROUTES,
  statusOfProblem,
  TAGS,
} from '../../src/api';
import { isJsonObject } from '../../src/kernel';
import { ANSWER_HEADERS, answerHeaders, problemHeaders, unchangedHeaders } from './answer-headers';

// Makes the OpenAPI document from the routes, whose schemas validate the requests.

const DESCRIPTION = `The HTTP API of Millime. It has the functions of the command line; docs/API.md explains its
conventions.

- Amounts are integer millimes. Instants are in UTC; days are days of the business time zone.
- Lists answer pages. A page may be short: \`hasMore\` says whether the list ends.
- Each POST that writes takes an \`Idempotency-Key\`. A repeat of the same request gets the same answer for 48 hours.
- Errors are problems (RFC 9457) with a stable \`code\`. Clients ignore unknown fields and tolerate unknown codes.`;

const problem = z
  .object({
    type: z.string().meta({ format: 'uri-reference' }),
    code: z.string().meta({ description: 'Stable. `GET /api/problems` lists all codes.', example: 'not_found' }),
    status: z.int(),
    title: z.string(),
    detail: z.string().meta({ description: 'What is wrong, and what to do.' }),
    requestId: z.string().meta({ description: 'Also in `X-Request-Id`, in the log and in audit records.' }),
    params: z.record(z.string(), z.unknown()).optional(),
    errors: z
      .array(
        z.object({
          in: z.enum(['body', 'query', 'path', 'header']).optional(),
          pointer: z.string().optional().meta({ description: 'A JSON pointer into that part of the request.' }),
          code: z.string().optional().meta({ description: 'That of an obstacle.' }),
          params: z.record(z.string(), z.unknown()).optional(),
          detail: z.string(),
        }),
      )
      .optional()
      .meta({ description: 'The first 100 faults.' }),
    errorCount: z.int().optional().meta({ description: 'The number of all faults.' }),
    resource: z.string().optional(),
    retryAfterMs: z.int().optional(),
  })
  .meta({ id: 'Problem' });

/** Returns the document of all routes. */
export function apiDocument(): ReturnType<typeof createDocument> {
  const paths: NonNullable<ZodOpenApiObject['paths']> = {};
  for (const route of ROUTES) {
    paths[`/api/v1${route.path}`] = { ...paths[`/api/v1${route.path}`], [route.method]: operationOf(route) };
  }
  const document: ZodOpenApiObject = {
    openapi: '3.1.0',
    info: { title: 'Millime', version: '1', description: DESCRIPTION },
    servers: [{ url: '/' }],
    tags: TAGS.map((name) => ({ name })),
    security: [{ apiKey: [] }],
    paths,
    components: {
      headers: ANSWER_HEADERS,
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: `mlm_…`.' },
      },
    },
  };
  const created = createDocument(document, {
    // The answers of later versions may have more fields.
    override: ({ jsonSchema, io }) => {
      if (io === 'output') delete jsonSchema.additionalProperties;
    },
  });
  return withoutClosedReferences(created) as typeof created;
}

/**
 * Opens the schemas that refer to another one: beside a reference, `additionalProperties` would refuse every field of
 * the other schema.
 */
function withoutClosedReferences(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutClosedReferences);
  if (!isJsonObject(node)) return node;
  const entries = Object.entries(node).filter(([name]) => name !== 'additionalProperties' || !('$ref' in node));
  return Object.fromEntries(entries.map(([name, value]) => [name, withoutClosedReferences(value)]));
}

function operationOf(route: Route): ZodOpenApiOperationObject {
  const { operationId, summary, description, tag, scope, params, query } = route;
  const body = bodyOf(route);
  return {
    operationId,
    summary,
    ...(description === undefined ? {} : { description }),
    tags: [tag],
    ...(scope === undefined ? {} : { 'x-scope': scope }),
    requestParams: { path: params, query, header: headersOf(route) },
    ...(body === undefined ? {} : { requestBody: body }),
    responses: { ...answersOf(route), ...(hasTag(route) ? { 304: UNCHANGED } : {}), ...problemsOf(route) },
  };
}

function headersOf(route: Route): z.ZodObject {
  const { version, dryRun } = route;
  const key = z
    .string()
    .regex(/^[\x21-\x7e]{1,255}$/)
    .meta({
      description: `New for each request; the same for its repeats.${dryRun ? ' Required unless `dryRun` is true.' : ''}`,
    });
  const match = z
    .string()
    .regex(/^"\d{1,15}"$/)
    .meta({ description: 'The ETag of the thing as it was read.' });
  const known = z
    .string()
    .meta({ description: 'ETags of answers that the client has; if one still fits, it gets 304.' });
  return z.object({
    ...(hasTag(route) ? { 'If-None-Match': known.optional() } : {}),
    ...(isKeyed(route) ? { 'Idempotency-Key': dryRun ? key.optional() : key } : {}),
    ...(version === 'none' ? {} : { 'If-Match': version === 'required' ? match : match.optional() }),
  });
}

function bodyOf({ body, fileType }: Route): ZodOpenApiOperationObject['requestBody'] {
  if (body === undefined) return undefined;
  if (body === 'file' || body === 'upload') {
    return { required: true, content: { [fileType]: { schema: { type: 'string', format: 'binary' } } } };
  }
  return { required: true, content: { 'application/json': { schema: body } } };
}

function answersOf(route: Route): Record<`${1 | 2 | 3}${string}`, ZodOpenApiResponseObject> {
  const { answers, media } = route;
  const entries = Object.entries(answers).map(([status, schema]) => [
    status,
    {
      description: ANSWERED[Number(status)] ?? 'Answered.',
      headers: answerHeaders(route, Number(status)),
      content: contentOf(schema, status === '200' ? media : []),
    },
  ]);
  return Object.fromEntries(entries) as ReturnType<typeof answersOf>;
}

/** A schema of a file stands for its bytes, without JSON. */
function contentOf(schema: z.ZodType, media: Route['media']): ZodOpenApiResponseObject['content'] {
  const others = media.map((type) => [type, { schema: TEXT_OR_BYTES[type] ?? { type: 'string' as const } }]);
  const json = schema instanceof z.ZodNever ? {} : { 'application/json': { schema } };
  return { ...json, ...(Object.fromEntries(others) as typeof json) };
}

const TEXT_OR_BYTES: Readonly<Record<string, { type: 'string'; format: 'binary' }>> = {
  'application/octet-stream': { type: 'string', format: 'binary' },
};

const ANSWERED: Readonly<Record<number, string>> = {
  200: 'Done.',
  201: 'Created.',
  202: 'Accepted: the outcome is not known yet.',
};

const UNCHANGED: ZodOpenApiResponseObject = {
  id: 'unchanged',
  description: 'Nothing changed since the answer whose ETag `If-None-Match` names.',
  headers: unchangedHeaders(),
};

function problemsOf(route: Route): Record<`${4 | 5}${string}`, ZodOpenApiResponseObject> {
  const byStatus = new Map<number, ApiProblemCode[]>();
  for (const code of new Set(declaredProblems(route))) {
    const status = statusOfProblem(code);
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const entries = [...byStatus]
    .sort(([a], [b]) => a - b)
    .map(([status, codes]) => [status, problemResponse(status, codes)]);
  return Object.fromEntries(entries) as ReturnType<typeof problemsOf>;
}

const responses = new Map<string, ZodOpenApiResponseObject>();

/** Returns one object for the same codes, so that operations share a component. */
function problemResponse(status: number, codes: readonly ApiProblemCode[]): ZodOpenApiResponseObject {
  const id = `${status}.${codes.join('.')}`;
  const known = responses.get(id);
  if (known !== undefined) return known;
  const response = {
    id,
    description: codes.map((code) => `\`${code}\``).join(', '),
    headers: problemHeaders(status, [409, 429, 503].includes(status)),
    content: { 'application/problem+json': { schema: problem } },
  };
  responses.set(id, response);
  return response;
}
