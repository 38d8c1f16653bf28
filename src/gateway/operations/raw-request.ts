import { isJsonObject } from '../../kernel';
import type { Caller } from '../call';
import { copyInput } from '../codec/copy-input';
import { InputCheck } from '../codec/field-faults';
import { isExact, plainJsonObject } from '../codec/plain-json';
import type { Operation } from '../operation';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** A call of an operation that the interface names but does not describe (section 4.7). */
export interface RawRequest {
  readonly method: (typeof METHODS)[number];
  /**
   * The path after the base URL, with one leading slash; the caller percent-encodes its variable parts. The path of
   * Verify Payment is refused: only `payments.verify` may call it, because the gateway bans callers that ask too often.
   */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean>> | undefined;
  /** Must contain only values that JSON represents without loss. */
  readonly body?: Readonly<Record<string, unknown>> | undefined;
  /** The credential to send: the application pair, or the API key. */
  readonly auth: 'app' | 'api_key';
}

/**
 * Sends one request unchanged. The operation's effect is unknown, so the request is sent exactly once, and every method
 * except GET is treated as if it moved money. An answer that reports an error is an error. An answer without a JSON
 * object is one too, because no HTTP status alone means success (open point 50).
 */
export async function rawRequest(caller: Caller, given: RawRequest): Promise<unknown> {
  const input = copyInput('request', given);
  return caller.run(rawOperation(input), input);
}

function rawOperation(input: RawRequest): Operation<RawRequest, unknown> {
  const { method: givenMethod, auth } = (input as Partial<RawRequest> | undefined) ?? {};
  return {
    name: 'request',
    safety: givenMethod === 'GET' ? 'A' : 'D',
    auth: auth === 'api_key' ? 'api_key' : 'app',
    retries: false,
    request() {
      const check = new InputCheck(input);
      const method = check.oneOf('method', METHODS);
      const path = check.text('path');
      check.oneOf('auth', ['app', 'api_key']);
      if (!isPlainPath(path)) check.refuse('path', 'must be a path of the gateway: no host, no query, no dot segments');
      if (isVerifyPath(path)) check.refuse('path', 'must not be that of Verify: payments.verify keeps its budget');
      if (method === 'GET' && input.body !== undefined) check.refuse('body', 'must not be given with GET');
      const query = queryOf(check);
      const body = check.given('body', 'body', () => bodyOf(check));
      check.done();
      return { method, path, query, ...body };
    },
    decode: (body) => body.raw,
  };
}

function queryOf(check: InputCheck): readonly (readonly [string, string])[] {
  const given = check.value('query');
  const query = copyInput('request', given === undefined ? {} : given);
  const entries = isJsonObject(query) ? Object.entries(query) : undefined;
  if (entries?.every(([name, value]) => name !== '' && name.isWellFormed() && isQueryValue(value)) !== true) {
    check.refuse('query', 'must be an object of texts, exact numbers and booleans');
    return [];
  }
  return entries.map(([name, value]) => [name, String(value)]);
}

function isQueryValue(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value) && isExact(value);
}

function bodyOf(check: InputCheck): Readonly<Record<string, unknown>> {
  const body = plainJsonObject(check.value('body'));
  if (body === undefined) check.refuse('body', 'must be an object that JSON can write without loss');
  return body ?? {};
}

/**
 * Refuses a path that could leave the base URL, for another host or a parent path, and a path with a query or a
 * fragment.
 */
function isPlainPath(path: unknown): boolean {
  if (typeof path !== 'string' || !/^\/[\x21-\x7e]+$/.test(path) || /[\\?#]|\/\//.test(path)) return false;
  return !path.split('/').some((segment) => /^(\.|%2e){1,2}$/i.test(segment));
}

/** Recognizes the path of Verify Payment, also in other spellings that a server may read as the same path. */
function isVerifyPath(path: string): boolean {
  return /^\/api\/v2\/verify_payment(\/|$)/i.test(decoded(path));
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
