import type { IncomingMessage, ServerResponse } from 'node:http';
import type { z } from 'zod';
import { allowLongBody, declaresBody, decodeJsonBody, readBody } from '../../http';
import { sha256Hex } from '../../kernel';
import { ApiRefusal, type InputFault } from '../operation/problem';
import { isKeyed, type Route } from '../operation/route';
import { inputRefusal, oneFault } from './input-faults';
import { uploadBody } from './upload-body';

/** The parsed parts of a request. */
export interface ParsedRequest {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly dryRun: boolean;
  readonly ifVersion: number | undefined;
  /** Undefined where the route takes none. */
  readonly idempotencyKey: string | undefined;
  /** The parts that are known before the operation and tell one request from another. */
  readonly payload: readonly unknown[];
  /** Returns the SHA-256 of the bytes of an upload, which it reads to their end. Undefined for other bodies. */
  readonly digest: (() => Promise<string>) | undefined;
}

interface AskedBy {
  readonly pathParams: Readonly<Record<string, string>>;
  readonly owner: { readonly name: string };
}

/**
 * Reads and validates a request of a route.
 *
 * @throws ApiRefusal that names each faulty field, and RequestRefused for a body that is not read.
 */
export async function parseRequest(
  route: Route,
  request: IncomingMessage,
  response: ServerResponse,
  { pathParams, owner }: AskedBy,
): Promise<ParsedRequest> {
  const params = parsed('path', route.params, pathParams);
  const query = parsed('query', route.query, queryOf(request.url ?? '')) as Readonly<Record<string, unknown>>;
  const { dryRun, ...filters } = query;
  const idempotencyKey = idempotencyKeyOf(route, request, dryRun === true);
  const ifVersion = versionOf(route, request);
  const { body, raw, digest } = await bodyOf(route, request, response, owner.name);
  const content = route.body === 'file' ? sha256Hex(raw) : digest === undefined ? (body ?? null) : null;
  // A dry run has no key, so its absence and `dryRun=false` are the same.
  const payload = [route.method, route.path, pathParams, filters, ifVersion ?? null, content];
  return { params, query, body, dryRun: dryRun === true, ifVersion, idempotencyKey, payload, digest };
}

function parsed<Schema extends z.ZodType>(part: InputFault['in'], schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (!result.success) throw inputRefusal(part, result.error.issues);
  return result.data;
}

/** Decodes a query strictly: a repeated or undecodable parameter is refused, because programs read it differently. */
function queryOf(target: string): Readonly<Record<string, string>> {
  const start = target.indexOf('?');
  const query = new Map<string, string>();
  if (start < 0) return {};
  for (const pair of target.slice(start + 1).split('&')) {
    if (pair === '') continue;
    const at = pair.indexOf('=');
    const name = decoded(at < 0 ? pair : pair.slice(0, at), '');
    if (query.has(name)) throw oneFault('query', `/${name}`, 'is given twice');
    query.set(name, decoded(at < 0 ? '' : pair.slice(at + 1), `/${name}`));
  }
  return Object.fromEntries(query);
}

function decoded(text: string, pointer: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw oneFault('query', pointer, 'expected percent-encoded UTF-8');
  }
}

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/;

/** Returns the key of a request that writes. A dry run writes nothing, so it needs none. */
function idempotencyKeyOf(route: Route, request: IncomingMessage, dryRun: boolean): string | undefined {
  if (!isKeyed(route) || dryRun) return undefined;
  const key = request.headersDistinct['idempotency-key']?.join(', ');
  if (key !== undefined && IDEMPOTENCY_KEY.test(key)) return key;
  const detail = 'expected 1 to 255 visible characters that are new for each request, such as a uuid';
  const faults = [{ in: 'header' as const, pointer: '/Idempotency-Key', detail }];
  throw new ApiRefusal('idempotency_key_missing', `Idempotency-Key: ${detail}`, { faults });
}

const ENTITY_TAG = /^"(\d{1,15})"$/;

function versionOf(route: Route, request: IncomingMessage): number | undefined {
  if (route.version === 'none') return undefined;
  const header = request.headersDistinct['if-match']?.join(', ');
  if (header === undefined && route.version === 'optional') return undefined;
  const version = ENTITY_TAG.exec(header ?? '')?.[1];
  if (version !== undefined) return Number(version);
  const detail = 'expected the ETag of the thing as it was read, such as "4"';
  const faults = [{ in: 'header' as const, pointer: '/If-Match', detail }];
  throw new ApiRefusal(header === undefined ? 'version_missing' : 'bad_input', `If-Match: ${detail}`, { faults });
}

interface ReadBody {
  readonly body: unknown;
  readonly raw: Buffer;
  readonly digest?: () => Promise<string>;
}

async function bodyOf(
  route: Route,
  request: IncomingMessage,
  response: ServerResponse,
  owner: string,
): Promise<ReadBody> {
  const none = Buffer.alloc(0);
  if (route.method === 'get' && declaresBody(request)) throw oneFault('body', '', 'is not expected');
  if (route.body === 'file' || route.body === 'upload') {
    requireType(request, route.fileType);
    if (!declaresBody(request)) throw oneFault('body', '', 'expected the bytes of a file');
    allowLongBody(request);
    if (route.body === 'upload') {
      const body = uploadBody(request, response, route.bodyBytesMax);
      return { body, raw: none, digest: body.digest };
    }
    const raw = (await readBody(request, response, route.bodyBytesMax, { owner })) ?? none;
    if (raw.length === 0) throw oneFault('body', '', 'expected the bytes of a file');
    return { body: raw, raw };
  }
  const bytes = await readBody(request, response, route.bodyBytesMax);
  if (route.body === undefined) {
    // Clients that always send JSON send an empty object.
    if (bytes === undefined || bytes.length === 0 || /^\s*\{\s*\}\s*$/.test(bytes.toString('latin1'))) {
      return { body: undefined, raw: none };
    }
    throw oneFault('body', '', 'is not expected');
  }
  const json = decodeJsonBody(request, bytes, { refuseDuplicateKeys: true });
  if (!json.ok && json.status === 415) throw unsupported('application/json');
  if (!json.ok) throw oneFault('body', '', `expected one JSON value in UTF-8 (${json.error})`);
  return { body: parsed('body', route.body, json.value), raw: none };
}

function requireType(request: IncomingMessage, type: string): void {
  const given = request.headersDistinct['content-type']?.join(', ') ?? '';
  const [essence = ''] = given.split(';');
  if (essence.trim().toLowerCase() !== type) throw unsupported(type);
}

function unsupported(type: string): ApiRefusal {
  return new ApiRefusal('unsupported_media_type', `Content-Type: expected ${type}`);
}
